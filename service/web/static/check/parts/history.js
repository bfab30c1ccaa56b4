// @ts-check
/** The history (format.md, section 4): every event is whole, follows the one before, and says what was sealed. */

import { fieldOf, Fault, canonical, part, readJson } from "../format/canonical.js";
import { fromHex, isSame, linesOf } from "../format/bytes.js";
import { digest } from "../format/digests.js";
import { EVENT, fits, OPEN, SHUT } from "../format/forms.js";
import { say } from "../sentences.js";
import { unlike } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */

/** @typedef {{event?: any, fault?: import("../sentences.js").Sentence, hash?: string, leaves: (string | null)[]}} Read */

const AT_ONCE = 64;
const MISFIT = say("a field is missing, too much or of another form");
const ENDS = ["table.game-finished", "table.game-abandoned", "table.seed-revealed"];

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* historyFaults(bundle) {
  const lines = linesOf(/** @type {Uint8Array} */ (bundle.files.get("events.ndjson")));
  const [end, nothing] = lines.splice(-2);
  if (nothing === undefined) throw new Fault(say("it has no end line"));
  /** @type {Record<string, any>} */
  let before = { hash: "0".repeat(64), version: 0, at: "" };
  const shut = [];
  /** @type {Promise<Read>[]} */
  const ahead = [];
  const begin = (/** @type {number} */ n) => {
    for (const line of lines.slice(n - 1, n - 1 + AT_ONCE)) ahead.push(readEvent(line));
    return ahead[n - 1];
  };
  for (let n = 1; n <= lines.length; n += 1) {
    if (n % AT_ONCE === 1) yield null;
    const { event, fault, hash, leaves } = await (ahead[n - 1] ?? begin(n));
    if (fault) {
      yield say("event {n}: {fault}", { n, fault });
      before = { version: n, at: "" };
      continue;
    }
    const right = {
      hash, version: n, previous: before.hash ?? event.previous, game: before.game ?? event.game,
      at: before.at > event.at ? before.at : event.at,
    };
    yield* unlike(event, right, (name) => say("event {n}: its {name} is not as it must be", { n, name }));
    yield* sealFaults(event, n, leaves);
    bundle.events.set(n, event);
    before = event;
    if (leaves.includes(null)) shut.push(n);
  }
  const last = canonical({ end: part({ hash: "", ...before }, "hash version") });
  if (!isSame(end, last) || nothing.length) yield say("event {n}: the end line is of another", { n: before.version });
  const isOver = (bundle.isOver = [...bundle.events.values()].some(({ type }) => ENDS.includes(type)));
  for (const n of shut) yield { state: isOver ? "broken" : "open", sentence: say("event {n}: a leaf is shut", { n }) };
  const about = bundle.doc("manifest.json");
  const right = { ...part(before, "at game hash version"), over: isOver, reader: isOver ? null : fieldOf(about, "reader") };
  const ruleset = part(bundle.event(1).data, "ruleset");
  yield* unlike(about, { ...right, ...ruleset }, (name) => say("manifest.json: its {name} is not as it must be", { name }));
}

/**
 * A line read, with all digests that it needs; those of several lines are made at once.
 * @param {Uint8Array} line
 * @returns {Promise<Read>}
 */
async function readEvent(line) {
  try {
    const event = readJson(line);
    if (!fits(event, EVENT) || !event.sealed.every((/** @type {unknown} */ leaf) => fits(leaf, SHUT) || fits(leaf, OPEN)))
      return { fault: MISFIT, leaves: [] };
    const { hash: _, ...bare } = { ...event, sealed: event.sealed.map((/** @type {object} */ leaf) => part(leaf, "commitment for")) };
    const sealed = event.sealed.map((/** @type {any} */ leaf) => ("salt" in leaf ? digest("leaf", leaf.data, fromHex(leaf.salt)) : null));
    return { event, hash: await digest("event", bare), leaves: await Promise.all(sealed) };
  } catch (error) {
    if (error instanceof Fault) return { fault: error.sentence, leaves: [] };
    throw error;
  }
}

/**
 * @param {any} event
 * @param {number} n
 * @param {(string | null)[]} commitments what those of its leaves must be; null for one that is shut
 * @returns {Findings}
 */
async function* sealFaults(event, n, commitments) {
  for (const [place, commitment] of commitments.entries()) {
    const leaf = event.sealed[place];
    if (commitment === null) continue;
    if (commitment !== leaf.commitment) yield say("event {n}: what a leaf says is not what was sealed", { n });
    if (Object.values(leaf.data).includes(null) && event.type !== "table.orders-dropped")
      yield say("event {n}: a leaf is open and says null", { n });
  }
}
