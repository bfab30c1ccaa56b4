// @ts-check
/** Draws (format.md, section 5): each is made again from the seed, to which event 1 committed, and the nonces. */

import { canonical, canonicalText, fieldOf, Fault, isAlike, isObject, part } from "../format/canonical.js";
import { bytesOf, fromHex, hexOf } from "../format/bytes.js";
import { hmacWith, sha256 } from "../format/digests.js";
import { say } from "../sentences.js";
import { isAscending, listIn, numberIn, unlike } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */
/** @typedef {{index: number, items: any[], label: string, take: number, version: number}} Draw */

/** @type {Map<unknown, string[]>} Wards of a zone, in the order in which they get what is drawn. */
const ZONES = new Map([
  ["zone-1", ["1", "2", "4", "7", "6"]],
  ["zone-2", ["9", "15", "8", "5", "3"]],
  ["zone-3", ["17", "11", "13", "10"]],
]);
const WORDS = 2n ** 64n;

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* drawFaults(bundle) {
  const doc = bundle.doc("draws.json");
  /** @type {Map<unknown, unknown>} */
  let nonces = new Map();
  /** @type {Map<unknown, any[]>} */
  const made = new Map();
  let seed = null;
  for (const [n, { data, sealed, type }] of bundle.events) {
    if (type === "table.seat-taken") nonces.set(seatIn(data), fieldOf(data, "nonce"));
    if (type === "table.seat-left") nonces.delete(seatIn(data));
    if (type === "table.game-started") {
      const seats = listIn(fieldOf(data, "seats"));
      if (!isAlike(inOrder(seats), inOrder([...nonces.keys()]))) yield say("event {n}: its seats are not the chairs that are taken", { n });
      if (seats.some((seat) => !nonces.has(seat))) throw new Fault(say("event {n} seats somebody who has no chair", { n }));
      nonces = new Map(seats.map((old, seat) => [seat, nonces.get(old)]));
    }
    const own = part(doc, "seed");
    if (type === "table.seed-revealed") {
      seed = fieldOf(data, "seed");
      yield* unlike(data, own, (name) => say("event {n}: its {name} is not as it must be", { n, name }));
    }
    made.set(n, [data, ...sealed.map((/** @type {any} */ leaf) => leaf.data ?? {})].filter((stated) => Object.hasOwn(stated, "draw")));
  }
  const right = part(bundle.event(1).data, "seed_commitment");
  const order = inOrder([...nonces.keys()]).map((seat) => nonces.get(seat));
  yield* unlike(doc, { ...right, nonces: order, seed }, (name) => say("{name} is not as it must be", { name }));
  yield countFault([...bundle.events.values()], [...made.values()].flat());
  if (fieldOf(doc, "seed") === null) {
    const told = bundle.over() || isFull(fieldOf(doc, "draws"));
    yield { state: told ? "broken" : "open", sentence: say("no draw can be checked before the seed is revealed") };
    return;
  }
  yield* madeAgain(bundle, doc, right, nonces.size, made);
}

/**
 * The draws themselves, where the seed is known.
 * @param {Bundle} bundle
 * @param {any} doc
 * @param {Record<string, unknown>} right what event 1 committed to
 * @param {number} seats
 * @param {Map<unknown, any[]>} made what events say of draws, by their number
 * @returns {Findings}
 */
async function* madeAgain(bundle, doc, right, seats, made) {
  const seed_commitment = hexOf(await sha256(fromHex(doc.seed)));
  yield* unlike({ seed_commitment }, right, (name) => say("{name} is not as it must be", { name }));
  const [leaf] = bundle.event(1).sealed;
  yield* unlike(leaf?.data, part(doc, "seed"), (name) => say("event 1: of its leaf {name} is not as it must be", { name }));
  const draws = listIn(fieldOf(doc, "draws"));
  if (!isAscending(draws.map((draw) => fieldOf(draw, "version")))) yield say("draws are out of order, or told twice");
  for (const [place, draw] of draws.entries()) {
    yield null;
    const n = String(fieldOf(draw, "version"));
    if (isOdd(draw, seats)) yield say("event {n}: no such draw is made", { n });
    const drawn = await sample(doc.seed, fieldOf(doc, "nonces"), draw);
    const stated = oneDraw(made, draw.version);
    const result = resultOf(draw.label, drawn, stated);
    yield* unlike({ ...draw, ...part(stated, "draw result") }, { draw: part(draw, "index label"), index: place, result }, (name) =>
      say("event {n}: of its draw {name} is not as it must be", { n, name }),
    );
  }
  for (const [n, others] of made) if (others.length) yield say("event {n}: its draw is not in draws.json", { n: String(n) });
}

/**
 * What an event says of its one draw; it is taken out of `made`. Throws a Fault where there is none, or two.
 * @param {Map<unknown, any[]>} made
 * @param {unknown} version
 */
function oneDraw(made, version) {
  const [stated, ...others] = made.get(version) ?? [];
  if (stated === undefined || others.length) throw new Fault(say("event {n} has no draw, or two", { n: String(version) }));
  made.delete(version);
  return stated;
}

/**
 * @param {any[]} events
 * @param {any[]} made
 */
function countFault(events, made) {
  const numbers = made.map((stated) => numberIn(fieldOf(stated.draw, "index")));
  const shut = events.flatMap(({ sealed }) => sealed).filter((leaf) => !("salt" in leaf)).length;
  const gaps = Math.max(-1, ...numbers) + 1 - numbers.length;
  return isAscending(numbers) && gaps <= shut ? null : say("indices do not count 0, 1, 2 over the history");
}

/**
 * Whether an entry of draws.json is of other items, or takes more or fewer, than its label allows.
 * @param {Draw} draw
 * @param {number} seats
 */
function isOdd(draw, seats) {
  const { label, take } = /** @type {Draw} */ (part(draw, "label items take"));
  const items = listIn(draw.items);
  const single = label === "first-player" || label === "land";
  const right = single ? 1 : label === "garden" || label === "permits" ? take : items.length;
  const ofSeats = label === "first-player" || label === "turn-order" ? Array.from({ length: seats }, (_, seat) => seat) : items;
  const isRight = isAlike(label === "turn-order" ? inOrder(items) : items, ofSeats);
  const fitting = (ZONES.get(label) ?? items).length;
  return !isRight || take !== right || numberIn(take) < 0 || take > items.length || items.length !== fitting;
}

/**
 * What the seed gives for an entry of draws.json; one alone is drawn as the first of a sample is.
 * @param {string} seed hex
 * @param {unknown} nonces
 * @param {Draw} draw
 */
export async function sample(seed, nonces, draw) {
  const words = wordsOf(await drawKey(seed, nonces), draw.label, fieldOf(draw, "index"));
  const items = [...listIn(draw.items)];
  const take = Math.max(0, numberIn(draw.take));
  if (take > items.length) throw new Fault(say("it takes more than there are"));
  for (let place = 0; place < take; place += 1) {
    const other = place + Number(await below(words, BigInt(items.length - place)));
    [items[place], items[other]] = [items[other], items[place]];
  }
  return items.slice(0, take);
}

/**
 * The key of all draws of a game.
 * @param {string} seed hex
 * @param {unknown} nonces
 */
export async function drawKey(seed, nonces) {
  return (await hmacWith(fromHex(seed)))(canonical(nonces));
}

/**
 * The words that a draw reads: 64 bits each, big-endian, four from a block.
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {string} label
 * @param {number} index
 * @returns {AsyncGenerator<bigint, never>}
 */
export async function* wordsOf(key, label, index) {
  const hmac = await hmacWith(key);
  for (let block = 0; ; block += 1) {
    const view = new DataView((await hmac(bytesOf(`${label}:${index}:${block}`))).buffer);
    for (let place = 0; place < 32; place += 8) yield view.getBigUint64(place);
  }
}

/**
 * An even number below `n`, at most 2^64: words that would favour small ones are passed over.
 * @param {AsyncGenerator<bigint, never>} words
 * @param {bigint} n
 */
export async function below(words, n) {
  for (;;) {
    const { value } = await words.next();
    if (value < WORDS - (WORDS % n)) return value % n;
  }
}

/**
 * The result there must be if `drawn` was drawn, with what an event says of its draw.
 * @param {string} label
 * @param {any[]} drawn
 * @param {any} stated
 */
function resultOf(label, drawn, stated) {
  const zone = ZONES.get(label);
  if (zone) return { ...Object.fromEntries(zone.slice(0, drawn.length).map((ward, n) => [ward, drawn[n]])), ...(label === "zone-1" ? { 14: "irish" } : {}) };
  const result = fieldOf(stated, "result");
  if (label === "garden") return counts(drawn, result);
  if (label === "turn-order") return drawn;
  if (label === "permits") return withBottom(drawn, listIn(result), numberIn(stated.bottom ?? 0));
  if ((label !== "first-player" && label !== "land") || !drawn.length) throw new Fault(say("there is no such draw"));
  return drawn[0];
}

/**
 * How many of each colour; one that was not drawn may be there, as 0.
 * @param {any[]} drawn
 * @param {any} result
 */
function counts(drawn, result) {
  const named = isObject(result) ? Object.keys(result) : listIn(result);
  if (![...drawn, ...named].every((colour) => typeof colour === "string")) throw new Fault(say("a colour is of another form"));
  return Object.fromEntries([...new Set([...drawn, ...named])].map((colour) => [colour, drawn.filter((one) => one === colour).length]));
}

/**
 * Cards that were drawn before those whose order was known; null where they are not as many.
 * @param {any[]} drawn
 * @param {any[]} result
 * @param {number} bottom
 */
function withBottom(drawn, result, bottom) {
  return result.length === drawn.length + bottom ? [...drawn, ...result.slice(drawn.length)] : null;
}

/** @param {any} data */
function seatIn(data) {
  const seat = fieldOf(data, "seat");
  if (typeof seat === "object" && seat !== null) throw new Fault(say("a seat is of another form"));
  return seat;
}

/**
 * Numbers from the least on, or texts. Throws a Fault where there are both, or anything else.
 * @param {any[]} values
 */
function inOrder(values) {
  if (values.length < 2) return [...values];
  if (values.every((value) => typeof value === "string")) return [...values].sort();
  return values.map(numberIn).sort((one, other) => one - other);
}

/** @param {unknown} value */
function isFull(value) {
  return canonicalText(value).length > 2;
}
