// @ts-check
/** What may stand in each field of each file (format.md, sections 3 to 9). */

import { isObject } from "./canonical.js";

/** @typedef {(value: unknown) => boolean} Form */
/** @typedef {Record<string, Form>} Fields */

/** @type {(pattern: RegExp) => Form} */
const like = (pattern) => (value) => typeof value === "string" && pattern.test(value);
/** @type {(...values: unknown[]) => Form} */
const among = (...values) => (value) => values.includes(value);
/** @type {(...forms: Form[]) => Form} */
const either = (...forms) => (value) => forms.some((form) => form(value));
/** @type {(form: Form) => Form} */
const listOf = (form) => (value) => Array.isArray(value) && value.every(form);
/** @type {(fields: Fields) => Form} */
const object = (fields) => (value) => fits(value, fields);

/** @type {Form} */
export const isNumber = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** @type {Form} */
const isVersion = (value) => isNumber(value) && value !== 0;
/** @type {Form} */
const isString = (value) => typeof value === "string";
/** @type {Form} */
const isText = (value) => typeof value === "string" && value !== "";
const isNull = among(null);
const isFlag = among(true, false);
const isKeyId = like(/^[0-9a-f]{16}$/);
const isHash = like(/^[0-9a-f]{64}$/);
const isSignature = like(/^[0-9a-f]{128}$/);
/** @type {Form} */
export const isTime = (value) => {
  const form = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z$/;
  const [, year, month, day] = (typeof value === "string" && form.exec(value)) || [];
  if (year === undefined || year === "0000") return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
};

const SIGNED = { key: isKeyId, signature: isSignature };
const ACTOR = either(
  object({ seat: isNumber }), object({ chance: isNumber }), object({ clock: among(true) }), object({ host: isText }),
  object({ operator: among(true) }),
);
export const EVENT = {
  actor: ACTOR, at: isTime, cause: isText, data: isObject, game: isText, hash: isHash, previous: isHash,
  schema: isNumber, sealed: Array.isArray, type: isText, version: isVersion,
};
export const SHUT = { commitment: isHash, for: either(isNumber, among("nobody")) };
export const OPEN = { ...SHUT, data: isObject, salt: isHash };

const KINDS = [
  "your-turn", "reminder", "deadline-passed", "game-over", "undeliverable", "orders-dropped", "brief", "proposal",
  "taken-back", "clock-news", "vacant",
];
/** @type {Record<string, Fields>} The rows of the files that are lists. */
export const ROWS = {
  "checkpoints.json": { game: isText, hash: isHash, time: isTime, version: isVersion, ...SIGNED },
  "draws.json": { index: isNumber, items: Array.isArray, label: isText, take: isNumber, version: isVersion },
  "keys.json": { endorsement: either(isNull, object(SIGNED)), id: isKeyId, public: isHash, since: isTime },
  "notices.json": {
    kind: among(...KINDS), queued: isTime, seat: isNumber, sent: either(isNull, isTime),
    state: among("queued", "sent", "bounced", "failed", "superseded"), version: isVersion,
  },
};
/** @type {Record<string, Fields>} The files that are JSON, in the order in which they are looked at. */
export const FILES = {
  "manifest.json": {
    at: isTime, files: isObject, format: among("wardroom-bundle-1"), game: isText, hash: isHash, over: isFlag,
    reader: either(isNull, isNumber), ruleset: isText, version: isVersion,
  },
  "signature.json": SIGNED,
  "rules.json": {
    board: isObject, edition: isText, options: isObject, ruleset: isText,
    schemas: (value) => isObject(value) && Object.values(value).every(isNumber),
  },
  "draws.json": {
    nonces: listOf(isString), seed: either(isNull, isHash), seed_commitment: isHash, draws: Array.isArray,
  },
  "checkpoints.json": { checkpoints: Array.isArray },
  "keys.json": { keys: Array.isArray },
  "notices.json": { notices: Array.isArray },
};

const BOT = object({
  strength: among(0, 1, 2, 3), temper: among("even", "cautious", "patient", "vindictive"),
});
/** @type {Record<string, Fields>} */
const TABLE = {
  "table.game-opened": {
    ruleset: isText, seats: isVersion, options: isObject, clock: isObject, public: isFlag, host: isText,
    seed_commitment: isHash,
  },
  "table.seat-taken": {
    seat: isNumber, player: either(isNull, isText), nonce: isString, nonce_by: among("player", "server"),
    bot: either(isNull, BOT),
  },
  "table.seat-taken-by-bot": { seat: isNumber, bot: BOT },
  "table.seat-left": { seat: isNumber, host: isText },
  "table.game-started": { seats: listOf(isNumber) },
  "table.rewound": { to: isVersion },
  "table.seed-revealed": { seed: isHash },
};
export const SEED = { seed: isHash };

/**
 * The fields that the data of an event about the table has at least.
 * @param {string} type
 * @returns {Fields}
 */
export function tableFields(type) {
  return Object.hasOwn(TABLE, type) ? TABLE[type] : {};
}

/** @type {Fields} What the header of a mail says, as text. */
export const HEADER = {
  v: among("1"), game: like(/^[!-:<-~]+$/), version: like(/^[1-9][0-9]{0,15}$/), time: isTime, hash: isHash, ...SIGNED,
};
/** @type {Fields} And that of the house log (log.md). */
export const LOG_HEAD = { root: isHash, size: isVersion, time: isTime, ...SIGNED };
/** @type {Fields} */
export const LOG_ENTRY = { game: isText, hash: isHash, time: isTime, version: isVersion, what: among("opened", "ended") };

/**
 * Whether a value is an object with exactly these fields.
 * @param {unknown} value
 * @param {Fields} fields
 */
export function fits(value, fields) {
  if (!isObject(value) || Object.keys(value).length !== Object.keys(fields).length) return false;
  return Object.entries(fields).every(([name, form]) => Object.hasOwn(value, name) && form(value[name]));
}
