// @ts-check
/** What somebody gives to this page: bundles, saved mails, receipts, noted keys, each known by what is in it. */

import { fieldOf, isObject } from "./format/canonical.js";
import { fits, HEADER, LOG_HEAD, ROWS } from "./format/forms.js";
import { entitiesOf, headersNamed, textsOf } from "./mail.js";
import { receiptIn, receiptsWithin } from "./receipts.js";
import { say } from "./sentences.js";

/** @typedef {import("./sentences.js").Sentence} Sentence */
/** @typedef {import("./receipts.js").Telling} Telling */
/** @typedef {{root: string, size: number, time: string, key: string, signature: string}} LogHead */
/**
 * @typedef {object} Given
 * @property {string} name
 * @property {Uint8Array<ArrayBuffer>} [bundle]
 * @property {Map<string, string>} [keys] by id
 * @property {Telling[]} tellings
 * @property {LogHead[]} heads of the house log
 * @property {any} [log] an answer of the house log
 * @property {Sentence} [fault] why it is of no use, and what would be
 */

const CHANGED = say("A header Wardroom-Checkpoint of this mail was changed or cut, so it tells nothing. Save the mail again, whole; or paste the receipt from its end.");
const NOTHING = say("There is neither a header Wardroom-Checkpoint in it nor a receipt. Save the mail whole, as an .eml file or by “show original”, or paste the receipt from its end.");
const MISTYPED = say("This receipt was mistyped: its last letter does not fit the others. Compare it with the mail, letter by letter.");
const NO_RECEIPT = say("This is no receipt: one is the number of an event and 26 letters and digits, as in 17-K7X2M-9QD4T-8W3PZ-A1B2C-D3E4F-K. Copy it whole from the end of a mail.");
const OUTLOOK = say("This is a message of Outlook (.msg), which other programs cannot read. Save it as .eml, or paste the receipt from its end.");

/**
 * A file, known by its first bytes.
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Given}
 */
export function readFile(name, bytes) {
  const given = { name, tellings: [], heads: [] };
  const text = new TextDecoder().decode(bytes.subarray(0, 4096));
  if (text.startsWith("PK") || text.slice(0, 64).includes("manifest.json")) return { ...given, bundle: bytes };
  if (bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11) return { ...given, fault: OUTLOOK };
  if (/^\s*\{/.test(text)) return { ...given, ...fromJson(new TextDecoder().decode(bytes)) };
  return { ...given, ...fromMail(bytes) };
}

/**
 * What was pasted or typed: a mail as its source, or receipts, one a line or within a text.
 * @param {string} text
 * @returns {Given[]}
 */
export function readText(text) {
  if (/^[\s>]*Wardroom-(?:Checkpoint|Log)[ \t]*:/im.test(text)) return [{ name: "pasted", heads: [], tellings: [], ...fromMail(new TextEncoder().encode(text)) }];
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const read = lines.map((line) => ({ line, found: receiptIn(line) }));
  const within = receiptsWithin(text);
  if (read.some(({ found }) => found === null) && within.length)
    return within.map((telling) => ({ name: `${telling.version}-${telling.receipt}`, tellings: [telling], heads: [] }));
  return read.map(({ line, found }) => {
    const given = { name: line.slice(0, 60), tellings: [], heads: [] };
    if (found === null) return { ...given, fault: NO_RECEIPT };
    return found === "mistyped" ? { ...given, fault: MISTYPED } : { ...given, tellings: [found] };
  });
}

/**
 * The host's keys as they were noted, or a checkpoint as it was downloaded.
 * @param {string} text
 * @returns {Partial<Given>}
 */
function fromJson(text) {
  try {
    const value = JSON.parse(text);
    if (fits(value, ROWS["checkpoints.json"])) return { tellings: [value] };
    const head = isObject(value) && isObject(value.head) ? value.head : value;
    if (fits(head, LOG_HEAD)) return head === value || !("from" in value) ? { heads: [head] } : { log: value };
    const keys = fieldOf(value, "keys").map((/** @type {unknown} */ key) => [fieldOf(key, "id"), fieldOf(key, "public")]);
    if (keys.flat().every((/** @type {unknown} */ part) => typeof part === "string")) return { keys: new Map(keys) };
  } catch {
    // it is said below
  }
  return { fault: say("This file holds neither keys, as /.well-known/wardroom-keys has them, nor a checkpoint, nor an answer of the house log.") };
}

/**
 * @param {Uint8Array} bytes
 * @returns {Partial<Given>}
 */
function fromMail(bytes) {
  const entities = entitiesOf(bytes);
  const own = headersNamed(entities, "Wardroom-Checkpoint");
  const raw = own.length ? own : foundIn(bytes, "Wardroom-Checkpoint");
  const tellings = raw.map(tellingIn);
  const heads = headersNamed(entities, "Wardroom-Log").map(headIn).filter((head) => head !== null);
  if (tellings.includes(null)) return { heads, fault: CHANGED };
  if (tellings.length) return { heads, tellings: tellings.filter((telling) => telling !== null) };
  const receipts = textsOf(entities).flatMap(receiptsWithin);
  const once = new Map(receipts.map((receipt) => [`${receipt.version}-${receipt.receipt}`, receipt]));
  return once.size || heads.length ? { heads, tellings: [...once.values()] } : { fault: NOTHING };
}

/**
 * Headers that stand in the midst of a text, as where the source of a mail was quoted; their signatures tell what they
 * are worth.
 * @param {Uint8Array} bytes
 * @param {string} name
 */
function foundIn(bytes, name) {
  const text = new TextDecoder().decode(bytes);
  const form = new RegExp(`^[\\s>]*${name}[ \\t]*:((?:.*\\S.*)(?:\\r?\\n[>]*[ \\t]+\\S.*)*)`, "gim");
  return [...text.matchAll(form)].map(([, value]) => value.replace(/\n>+/g, "\n"));
}

/**
 * The fields of a header, each once; null where it is none.
 * @param {string} value
 * @param {import("./format/forms.js").Fields} form
 * @returns {Record<string, string> | null}
 */
function fieldsIn(value, form) {
  const pairs = value.replace(/\s/g, "").split(";").map((field) => {
    const [name, ...rest] = field.split("=");
    return [name, rest.join("=")];
  });
  const said = Object.fromEntries(pairs);
  return pairs.length === Object.keys(form).length && fits(said, form) ? said : null;
}

/**
 * @param {string} value
 * @returns {Telling | null}
 */
function tellingIn(value) {
  const said = fieldsIn(value, HEADER);
  if (said === null || !Number.isSafeInteger(Number(said.version))) return null;
  const { game, hash, time, key, signature } = said;
  return { game, hash, time, version: Number(said.version), key, signature };
}

/**
 * @param {string} value
 * @returns {LogHead | null}
 */
function headIn(value) {
  const form = { ...LOG_HEAD, v: HEADER.v, size: HEADER.version };
  const said = fieldsIn(value, form);
  if (said === null || !Number.isSafeInteger(Number(said.size))) return null;
  const { root, time, key, signature } = said;
  return { root, size: Number(said.size), time, key, signature };
}
