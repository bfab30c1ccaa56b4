// @ts-check
/** A bundle while it is checked: what each check has found for those after it. Their order is that of format.md. */

import { fieldOf, Fault, isAlike, isObject, part } from "../format/canonical.js";
import { digestBytes } from "../format/digests.js";
import { unpack } from "../format/archive.js";
import { say } from "../sentences.js";

/** @typedef {import("../sentences.js").Sentence} Sentence */
/** @typedef {"verified" | "broken" | "open" | "unchecked"} State */
/** @typedef {{state: State, sentence: Sentence}} Finding a sentence alone tells of what is broken */
/** @typedef {AsyncGenerator<Sentence | Finding | null>} Findings null where something was in order */

export const HEAD = "game hash time version";
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export class Bundle {
  /**
   * @param {Uint8Array<ArrayBuffer>} raw
   * @param {Map<string, string> | null} noted the host's keys, by id, as they were noted before
   */
  constructor(raw, noted) {
    this.raw = raw;
    this.noted = noted;
    this.files = unpack(raw);
    /** @type {Map<string, any>} */
    this.docs = new Map();
    /** @type {Map<number, any>} Events that could be read, by number. */
    this.events = new Map();
    /** @type {Map<unknown, unknown> | undefined} The keys of keys.json, whether they fit or not. */
    this.keys = undefined;
    /** @type {Map<unknown, unknown>} Those that fit, and are vouched for. */
    this.trusted = new Map();
    /** @type {boolean | undefined} */
    this.isOver = undefined;
  }

  /**
   * @param {string} name
   * @returns {any}
   */
  doc(name) {
    if (!this.docs.has(name)) throw new Fault(say("{file} cannot be read", { file: name }));
    return this.docs.get(name);
  }

  /**
   * @param {unknown} number
   * @returns {any}
   */
  event(number) {
    const event = this.events.get(/** @type {number} */ (number));
    if (event === undefined) throw new Fault(say("event {n} is not here, or cannot be read", { n: String(number) }));
    return event;
  }

  /** Whether the history is over. Throws a Fault where it could not be read so far. */
  over() {
    if (this.isOver === undefined) throw new Fault(say("the history cannot be read"));
    return this.isOver;
  }

  /** The number of the last event that could be read. */
  last() {
    if (!this.events.size) throw new Fault(say("there is no event"));
    return Math.max(...this.events.keys());
  }

  listed() {
    if (this.keys === undefined) throw new Fault(say("{file} cannot be read", { file: "keys.json" }));
    return this.keys;
  }
}

/**
 * A sentence for each field that is not what it must be; `sentence` makes it of the field's name.
 * @param {unknown} stated
 * @param {Record<string, unknown>} right
 * @param {(name: string) => Sentence} sentence
 */
export function unlike(stated, right, sentence) {
  return Object.keys(right).filter((name) => !isAlike(fieldOf(stated, name), right[name])).map(sentence);
}

/**
 * What is told of an event, by checkpoints and as its receipt.
 * @param {any} event
 * @returns {Promise<Record<string, any>>}
 */
export async function headOf(event) {
  const head = { game: event.game, hash: event.hash, time: event.at, version: event.version };
  const bytes = await digestBytes("receipt", head);
  const bits = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n) >> 131n;
  const code = Array.from({ length: 25 }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * (24 - n))) & 31n)]);
  return { ...head, receipt: code.join("") };
}

/**
 * The part of a head, or of a checkpoint, that is signed.
 * @param {unknown} head
 */
export function signedPart(head) {
  return part(head, HEAD);
}

/**
 * A number that something else is compared with; true is 1, as in other languages. Throws a Fault where it is none.
 * @param {unknown} value
 * @returns {number}
 */
export function numberIn(value) {
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "number") throw new Fault(say("a number is of another form"));
  return value;
}

/**
 * The items of a list; where something else stands that has parts, its parts. Throws a Fault where there are none.
 * @param {unknown} value
 * @returns {any[]}
 */
export function listIn(value) {
  if (Array.isArray(value)) return value;
  if (typeof value === "string") return [...value];
  if (isObject(value)) return Object.keys(value);
  throw new Fault(say("a list is of another form"));
}

/**
 * Whether numbers are in ascending order, each once.
 * @param {unknown[]} values
 */
export function isAscending(values) {
  return values.every((value, place) => place === 0 || numberIn(values[place - 1]) < numberIn(value));
}

/**
 * Whether nothing stands there: null, 0, or what is empty.
 * @param {unknown} value
 */
export function isNothing(value) {
  return !value || (typeof value === "object" && !Object.keys(value).length);
}
