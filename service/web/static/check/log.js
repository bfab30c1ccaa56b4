// @ts-check
/** The house log (log.md): whether it has only grown since a mail told of its head, and whether this game is in it. */

import { canonical, fieldOf, isObject, part } from "./format/canonical.js";
import { fits, LOG_HEAD } from "./format/forms.js";
import { distrust } from "./format/signatures.js";
import { hasGrown, isIncluded } from "./parts/merkle.js";
import { say } from "./sentences.js";

/** @typedef {import("./kept.js").LogHead} LogHead */
/** @typedef {import("./bundle.js").Line} Line */
/** @typedef {import("./parts/state.js").Bundle} Bundle */

const WHAT = "log";
const SAME_FOR_ALL = say("whether the host shows everybody this log: compare heads with the others at your table");

/**
 * The address of the log's answer about a head that was kept and a game, below that of the service.
 * @param {LogHead} head
 * @param {Bundle} bundle
 */
export function addressOf(head, bundle) {
  const first = bundle.events.get(1);
  const asked = new URLSearchParams({ from: String(head.size) });
  if (!first) return `/.well-known/wardroom-log?${asked}`;
  asked.set("game", first.game);
  asked.append("hash", first.hash);
  if (bundle.isOver) asked.append("hash", bundle.events.get(bundle.last()).hash);
  return `/.well-known/wardroom-log?${asked}`;
}

/**
 * Lines about an answer of the log, and the heads that were kept.
 * @param {any} log
 * @param {LogHead[]} kept
 * @param {Bundle} bundle
 * @returns {Promise<Line[]>}
 */
export async function logLines(log, kept, bundle) {
  const head = isObject(log) ? log.head : null;
  if (!fits(head, LOG_HEAD)) return [line("broken", say("it has no head of a log"))];
  const keys = bundle.noted && new Map([...bundle.noted, ...bundle.trusted]);
  const lines = [];
  for (const one of [...kept, head]) lines.push(await signedLine(one, keys));
  for (const old of kept) lines.push(await grownLine(old, head, log));
  for (const row of Array.isArray(log.entries) ? log.entries : []) lines.push(await entryLine(row, head, bundle));
  return [...lines, line("unchecked", SAME_FOR_ALL)];
}

/**
 * @param {LogHead} head
 * @param {Map<unknown, unknown> | null} keys
 */
async function signedLine(head, keys) {
  const n = head.size;
  if (keys === null) return line("unchecked", say("the head of {n} entries: give the keys that you noted to see whether the host signed it", { n }));
  const isSigned = keys.has(head.key) && (await shown(async () => (await distrust(keys, head, "log", canonical(part(head, "root size time")))) === null));
  if (!isSigned) return line("broken", say("the head of {n} entries is not signed by a key you noted: it proves nothing", { n }));
  return line("verified", say("the head of {n} entries is signed by key {key}", { n, key: head.key }));
}

/**
 * @param {LogHead} old
 * @param {LogHead} head
 * @param {any} log
 */
async function grownLine(old, head, log) {
  const n = old.size;
  if (n !== log.from && n !== head.size) return line("broken", say("the log was not asked for with ?from={n}: it proves nothing about that head", { n }));
  const proof = log.from === n ? log.consistency ?? [] : [];
  if (await shown(() => hasGrown(old, head, proof))) return line("verified", say("the first {n} of {total} entries are as they were", { n, total: head.size }));
  return line("broken", say("the log of {n} entries was cut or rewritten, or is newer than this one", { n }));
}

/**
 * @param {any} row
 * @param {LogHead} head
 * @param {Bundle} bundle
 */
async function entryLine(row, head, bundle) {
  if (!(await shown(() => isIncluded(row, head)))) return line("broken", say("an entry that was shown is not in the log"));
  const { game, hash, version, what } = row.entry;
  const event = bundle.events.get(version);
  const isOurs = event !== undefined && fieldOf(event, "game") === game && fieldOf(event, "hash") === hash;
  if (!isOurs) return line("broken", say("the log has another event {n} of a game {game}", { n: version, game }));
  return line("verified", what === "opened" ? say("this game stands in it as opened") : say("this game stands in it as ended"));
}

/**
 * Whether a claim holds; what is of another form shows nothing.
 * @param {() => Promise<boolean>} claim
 */
async function shown(claim) {
  try {
    return await claim();
  } catch {
    return false;
  }
}

/**
 * @param {Line["state"]} state
 * @param {import("./sentences.js").Sentence} sentence
 * @returns {Line}
 */
export function line(state, sentence) {
  return { state, what: WHAT, sentence };
}
