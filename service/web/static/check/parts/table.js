// @ts-check
/** What is recorded of the table, which leaves are open to whom, and by which rules it was played (sections 4 and 6). */

import { fieldOf, Fault, isAlike, isObject, part } from "../format/canonical.js";
import { fits, SEED, tableFields } from "../format/forms.js";
import { say } from "../sentences.js";
import { isNothing, listIn, numberIn, unlike } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */

const MISFIT = say("a field is missing, too much or of another form");
const OPENED = "table.game-opened";
const REVEALED = "table.seed-revealed";
const OPENING = "tammany-hall.bids-revealed";
const LASTING = ["table.orders-filed", "table.orders-dropped"];

/**
 * What is recorded of the table has its fields, and follows from what came before it.
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* tableFaults(bundle) {
  const reader = fieldOf(bundle.doc("manifest.json"), "reader");
  const undone = new Set();
  let seats = 0;
  let revealed = 0;
  for (const [n, event] of bundle.events) {
    const { data, type } = event;
    const fields = tableFields(type);
    const isWhole = fits(Object.fromEntries(Object.entries(data).filter(([name]) => Object.hasOwn(fields, name))), fields);
    let fault = n === 1 || type === OPENED ? openingFault(n, event) : null;
    if (isWhole && n === 1) seats = fieldOf(data, "seats");
    else if (isWhole && type.includes("started")) seats = listIn(fieldOf(data, "seats")).length;
    if (isWhole && type === "table.rewound") {
      const stands = data.to < n && !undone.has(data.to);
      fault = stands ? null : say("its to is no event before it that stands");
      for (let version = data.to + 1; version < n; version += 1) undone.add(version);
    }
    if (type === REVEALED) revealed += 1;
    if (type === REVEALED && revealed > 1) fault = say("the seed is revealed again");
    if (!isWhole || fault) yield say("event {n}: {fault}", { n, fault: fault ?? MISFIT });
  }
  if (reader !== null && numberIn(reader) >= numberIn(seats))
    yield say("manifest.json: its reader, seat {seat}, is not here", { seat: reader });
}

/**
 * @param {number} n
 * @param {any} event
 */
function openingFault(n, { type, sealed }) {
  const [leaf, ...others] = sealed;
  const isFirst = n === 1 && type === OPENED && !others.length && leaf?.for === "nobody";
  const isSeed = isFirst && (!("data" in leaf) || fits(leaf.data, SEED));
  return isSeed ? null : say("it opens no table, as event 1 does alone, with one leaf for the seed");
}

/**
 * Open are those that the reader of a running game may see, no others; bids were opened as they were made.
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* leafFaults(bundle) {
  const reader = fieldOf(bundle.doc("manifest.json"), "reader");
  /** @type {Map<number, [number, any]>} The last leaf of each seat that nothing has opened, with its event. */
  let last = new Map();
  const opened = new Set();
  const stood = new Map();
  for (const [n, { data, type, sealed }] of bundle.events) {
    const own = LASTING.includes(type) ? [] : sealed.filter((/** @type {any} */ leaf) => leaf.for !== "nobody");
    last = new Map([...last, ...own.map((/** @type {any} */ leaf) => [leaf.for, [n, leaf]])]);
    if (type === "table.rewound") {
      last = stood.get(fieldOf(data, "to"));
      if (last === undefined) throw new Fault(say("event {n} goes back to no event before it", { n }));
    }
    for (const [seat, [bid, leaf]] of type === OPENING ? last : []) {
      if ("data" in leaf && !isAlike(chipsOf(fieldOf(fieldOf(data, "bids"), String(seat))), chipsOf(fieldOf(leaf.data, "chips"))))
        yield say("event {n}: it does not open what event {bid} sealed", { n, bid });
      opened.add(bid);
    }
    if (type === OPENING) last = new Map();
    stood.set(n, last);
  }
  if (bundle.over()) return;
  for (const [n, { sealed }] of bundle.events)
    for (const leaf of sealed) {
      const own = leaf.for === reader;
      if ("salt" in leaf && !own && !opened.has(n)) yield say("event {n}: a leaf is open, and should not be so", { n });
      if (!("salt" in leaf) && (own || opened.has(n))) yield say("event {n}: a leaf is shut, and should not be so", { n });
    }
}

/**
 * Chips by colour, without those of which there are none.
 * @param {unknown} chips
 */
function chipsOf(chips) {
  if (!isObject(chips)) throw new Fault(say("chips are of another form"));
  return Object.fromEntries(Object.entries(chips).filter(([, count]) => !isNothing(count)));
}

/**
 * Ruleset and options are those of event 1; every event is of a type and a schema the host can read.
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* rulesFaults(bundle) {
  const doc = bundle.doc("rules.json");
  yield* unlike(doc, part(bundle.event(1).data, "options ruleset"), (name) => say("its {name} is not as it must be", { name }));
  for (const [n, { type, schema }] of bundle.events) {
    const schemas = fieldOf(doc, "schemas");
    if (!isObject(schemas)) throw new Fault(say("“{name}” is of another form", { name: "schemas" }));
    const newest = Object.hasOwn(schemas, type) ? numberIn(schemas[type]) : -1;
    if (schema > newest) yield say("event {n}: its type is not in schemas, or its schema is newer", { n });
  }
}
