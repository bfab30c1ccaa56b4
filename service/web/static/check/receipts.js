// @ts-check
/** What somebody kept of a history, a receipt or the header of a mail, held against it (format.md, section 8). */

import { canonical } from "./format/canonical.js";
import { distrust } from "./format/signatures.js";
import { headOf, signedPart } from "./parts/state.js";
import { say } from "./sentences.js";

/** @typedef {{version: number, receipt?: string, game?: string, hash?: string, time?: string, key?: string, signature?: string}} Telling */
/** @typedef {{name: string, telling: Telling}} Kept what was kept, by a name for it */

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const AROUND = /^[\s.,:;!*_~`'"()[\]{}<>|«»„“”‚‘’]+|[\s.,:;!*_~`'"()[\]{}<>|«»„“”‚‘’]+$/gu;
const HIDDEN = /[\p{Zs}\p{Zl}\p{Zp}\p{Cc}\p{Cf}\p{Pd}]/gu;
const FORM = /^0*([1-9][0-9]{0,15}) ([0-9A-HJKMNP-TV-Z]{25})([0-9A-HJKMNP-TV-Z]?)$/;
const IN_TEXT = /(?<![\p{L}\p{N}])\d{1,16}[\p{Zs}\p{Pd}\p{Cf}]+(?:[0-9A-Z][\p{Zs}\p{Pd}\p{Cf}]*){24,25}[0-9A-Z](?![\p{L}\p{N}])/giu;

/**
 * The receipt that was typed or copied, as people do; null where it is none, "mistyped" where a letter is wrong.
 * @param {string} text
 * @returns {Telling | "mistyped" | null}
 */
export function receiptIn(text) {
  const written = text.slice(text.lastIndexOf(":") + 1).replace(AROUND, "").toUpperCase();
  const words = written.replace(/O/g, "0").replace(/[IL]/g, "1").replace(HIDDEN, " ").split(/\s+/).filter(Boolean);
  const found = FORM.exec([words[0] ?? "", words.slice(1).join("")].join(" "));
  if (found === null) return null;
  const [, version, code, letter] = found;
  if (letter && luhn(version + code + letter) % 32) return "mistyped";
  return { version: Number(version), receipt: code };
}

/**
 * All receipts in a text, such as a mail that was copied whole.
 * @param {string} text
 * @returns {Telling[]}
 */
export function receiptsWithin(text) {
  const found = [...text.matchAll(IN_TEXT)].map(([code]) => receiptIn(code));
  return found.filter((receipt) => receipt !== null && receipt !== "mistyped");
}

/**
 * The sum of Luhn's rule modulo 32.
 * @param {string} letters
 */
function luhn(letters) {
  const values = [...letters].reverse().map((letter, place) => ALPHABET.indexOf(letter) * (1 + (place % 2)));
  return values.reduce((total, value) => total + Math.floor(value / 32) + (value % 32), 0);
}

/**
 * Whether the history is still the one that was told of.
 * @param {import("./parts/state.js").Bundle} bundle
 * @param {Telling} telling
 * @param {(string | undefined)[]} games of all headers of the same mail
 * @returns {import("./parts/state.js").Findings}
 */
export async function* receiptFaults(bundle, telling, games) {
  const { key, version } = telling;
  const here = bundle.event(1).game;
  const isElsewhere = telling.game !== undefined && telling.game !== here;
  const fault = isElsewhere ? say("it is of another game, {game}", { game: String(telling.game) }) : await misfit(bundle, telling);
  const keys = new Map([...(bundle.noted ?? new Map()), ...bundle.trusted]);
  const isFalse = keys.has(key) && (await distrust(keys, telling, "checkpoint", canonical(signedPart(telling))));
  const isUnknown = key !== undefined && !keys.has(key) && (isElsewhere || bundle.noted?.size || !fault);
  if (!isFalse && !isUnknown && !(isElsewhere && games.includes(here))) yield fault;
  else yield { state: "unchecked", sentence: fault ?? say("it fits, but no key that counts signed it: {key}", { key: String(key) }) };
}

/**
 * @param {import("./parts/state.js").Bundle} bundle
 * @param {Telling} telling
 */
async function misfit(bundle, telling) {
  const n = telling.version;
  const last = bundle.last();
  if (n > last) return say("event {n} is gone: the history was cut after event {last}", { n, last });
  const head = await headOf(bundle.event(n));
  const differs = Object.entries(telling).some(([name, value]) => Object.hasOwn(head, name) && head[name] !== value);
  if (!differs) return null;
  return say("event {n} was rewritten, or what came before it: it is not the one that was told of", { n });
}
