// @ts-check
/** Canonical JSON (format.md, section 1): RFC 8785 of objects with ASCII keys, arrays, strings, safe integers. */

import { say } from "../sentences.js";
import { bytesOf, isSame, textOf } from "./bytes.js";

const DEEPEST = 900;

/** What a check cannot go on from; `sentence` says why. */
export class Fault extends Error {
  /** @param {import("../sentences.js").Sentence} sentence */
  constructor(sentence) {
    super(sentence.text);
    this.sentence = sentence;
  }
}

/**
 * The canonical text of a value. Throws a Fault where it has none.
 * @param {unknown} value
 * @param {number} [depth]
 * @returns {string}
 */
export function canonicalText(value, depth = 0) {
  if (depth > DEEPEST) throw new Fault(say("it holds too much inside each other"));
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isSafeInteger(value) && !Object.is(value, -0)) return String(value);
  if (typeof value === "string" && isWellFormed(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join(",")}]`;
  if (isObject(value) && Object.keys(value).every(isAscii)) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalText(value[name], depth + 1)}`).join(",")}}`;
  }
  throw new Fault(say("it holds what has no canonical form"));
}

/** @param {unknown} value */
export function canonical(value) {
  return bytesOf(canonicalText(value));
}

/**
 * Whether two values are the same to the byte.
 * @param {unknown} one
 * @param {unknown} other
 */
export function isAlike(one, other) {
  return canonicalText(one) === canonicalText(other);
}

/**
 * The value that bytes are the canonical JSON of, before `end`. What was written otherwise (blanks, a key twice or in
 * another place, 1.0, 2^53) is not what comes out when it is written again. Throws a Fault.
 * @param {Uint8Array} bytes
 * @param {string} [end]
 * @returns {any}
 */
export function readJson(bytes, end = "") {
  let value;
  try {
    value = JSON.parse(textOf(bytes));
  } catch {
    throw new Fault(say("it is no JSON"));
  }
  if (!isSame(bytesOf(canonicalText(value) + end), bytes)) throw new Fault(say("it is not written the one way there is"));
  return value;
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A field of an object. Throws a Fault where there is none: names that every object of this language has are none.
 * @param {unknown} value
 * @param {string} name
 * @returns {any}
 */
export function fieldOf(value, name) {
  if (!isObject(value) || !Object.hasOwn(value, name)) throw new Fault(say("“{name}” is missing", { name }));
  return value[name];
}

/**
 * Some fields of an object. Throws a Fault where one is missing.
 * @param {unknown} value
 * @param {string} names
 * @returns {Record<string, any>}
 */
export function part(value, names) {
  return Object.fromEntries(names.split(" ").map((name) => [name, fieldOf(value, name)]));
}

/** @param {string} text */
function isAscii(text) {
  return /^[\0-\x7f]*$/.test(text);
}

/**
 * Whether it has no half of a pair of surrogates.
 * @param {string} text
 */
function isWellFormed(text) {
  return !/[\ud800-\udfff]/u.test(text);
}
