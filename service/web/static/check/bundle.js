// @ts-check
/**
 * A bundle checked by its page, docs/audit/format.md, and by nothing else: no server is asked for a verdict. The checks,
 * their names, their order and their sentences are those of `verify_bundle.py`, which lies beside that page.
 */

import { Fault } from "./format/canonical.js";
import { checkpointFaults, keyFaults, noticeFaults } from "./parts/beside.js";
import { clockFaults, HELD } from "./parts/clock.js";
import { drawFaults } from "./parts/draws.js";
import { archiveFaults, manifestFaults } from "./parts/files.js";
import { historyFaults } from "./parts/history.js";
import { Bundle } from "./parts/state.js";
import { leafFaults, rulesFaults, tableFaults } from "./parts/table.js";
import { receiptFaults } from "./receipts.js";
import { plain, say, told } from "./sentences.js";

/** @typedef {import("./parts/state.js").Sentence} Sentence */
/** @typedef {{state: import("./parts/state.js").State, what: string, sentence: Sentence}} Line */
/** @typedef {{bundle: Bundle, lines: Line[], isSound: boolean}} Report */
/** @typedef {{what: string, sentence: Sentence, check: (bundle: Bundle) => import("./parts/state.js").Findings}} Step */
/** @typedef {(done: number, total: number, what: string) => Promise<void>} Progress waits, so that a page can be used meanwhile */

/** @type {Step[]} What holds where a check finds nothing. */
const STEPS = [
  { what: "archive", check: archiveFaults, sentence: say("Every byte of it is as its files determine.") },
  { what: "manifest", check: manifestFaults, sentence: say("All files are as the host listed and signed them.") },
  { what: "history", check: historyFaults, sentence: say("Every event is whole and follows the one before, and what was sealed is what was said.") },
  { what: "table", check: tableFaults, sentence: say("What is recorded of the table has its fields, and follows from what came before it.") },
  { what: "leaves", check: leafFaults, sentence: say("Open are those that the reader of a running game may see, no others; bids were opened as they were made.") },
  { what: "rules", check: rulesFaults, sentence: say("Ruleset and options are those of event 1; every event is of a type and a schema the host can read.") },
  { what: "draws", check: drawFaults, sentence: say("Each is what the seed, to which event 1 committed, and the nonces give.") },
  { what: "clock", check: clockFaults, sentence: HELD },
  { what: "notices", check: noticeFaults, sentence: say("Each is of an event, not before it, to a seat; while the game runs to the reader's.") },
  { what: "checkpoints", check: checkpointFaults, sentence: say("Each is of its event and signed; the last is of the last event.") },
  { what: "keys", check: keyFaults, sentence: say("Each has its id, and is known or endorsed by one before it that is.") },
];
const FITS = say("The history is still the one that was told of.");
/** What a check by the page alone cannot say, as the other verifier prints it; pages say it in words of their own. */
const UNCHECKED = [
  "whether the rules were kept and `items` were all to draw from: `wardroom verify` plays the game again",
  "whether `board` and `edition` are theirs, each `text` says its action, and `data` is whole by its ruleset: so does it",
  "whether the host foresaw draws, read what it seals, sent what notices.json says or, without --keys, has these keys",
  "whether there is a longer history: ask the others at the table for their receipts",
];

/**
 * Check a bundle. `progress` is awaited now and then, and may throw to give it up.
 * @param {Uint8Array<ArrayBuffer>} raw
 * @param {import("./receipts.js").Kept[]} [kept] receipts and headers of mails
 * @param {Map<string, string> | null} [noted] the host's keys as they were noted before; null for none
 * @param {Progress} [progress]
 * @returns {Promise<Report>}
 */
export async function checkBundle(raw, kept = [], noted = null, progress = async () => {}) {
  const bundle = new Bundle(raw, noted);
  const steps = [...STEPS, ...kept.map((one) => receiptStep(one, kept))];
  /** @type {Line[]} */
  const lines = [];
  for (const [done, { what, check, sentence }] of steps.entries()) {
    const pause = () => progress(done, steps.length, what);
    await pause();
    const found = await findings(check(bundle), pause);
    if (!found.length) lines.push({ state: "verified", what, sentence });
    for (const finding of found) lines.push({ what, ...finding });
  }
  for (const text of UNCHECKED) lines.push({ state: "unchecked", what: "", sentence: { text, about: {} } });
  return { bundle, lines, isSound: lines.every(({ state }) => state !== "broken") };
}

/**
 * @param {import("./receipts.js").Kept} one
 * @param {import("./receipts.js").Kept[]} kept
 * @returns {Step}
 */
function receiptStep({ name, telling }, kept) {
  const games = kept.filter((other) => other.name === name).map((other) => other.telling.game);
  return { what: `receipt ${name}`, check: (bundle) => receiptFaults(bundle, telling, games), sentence: FITS };
}

/**
 * What a check found. Whatever a hostile bundle makes it fall over proves nothing; the rest is looked at all the same.
 * @param {import("./parts/state.js").Findings} check
 * @param {() => Promise<void>} pause
 */
async function findings(check, pause) {
  /** @type {import("./parts/state.js").Finding[]} */
  const found = [];
  for (;;) {
    let next;
    try {
      next = await check.next();
    } catch (error) {
      const why = error instanceof Fault ? error.sentence : say("something in it is of another form");
      found.push({ state: "broken", sentence: say("it cannot be checked: {why}", { why }) });
      return found;
    }
    if (next.done) return found;
    if (next.value === null) await pause();
    else found.push("state" in next.value ? next.value : { state: "broken", sentence: next.value });
  }
}

/**
 * A line as the other verifier prints it.
 * @param {Line} line
 */
export function lineText({ state, what, sentence }) {
  const text = told(sentence);
  return plain(what ? `${state.padEnd(9)}  ${what}: ${text}` : `${state.padEnd(9)}  ${text}`);
}
