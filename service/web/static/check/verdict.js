// @ts-check
/** What a report comes to, and what to do next: in sentences for somebody who has read no format. */

import { say } from "./sentences.js";

/** @typedef {import("./bundle.js").Report} Report */
/** @typedef {import("./sentences.js").Sentence} Sentence */
/** @typedef {{isSound: boolean, headline: Sentence, next: Sentence[]}} Verdict */

/** @type {Record<string, Sentence>} What somebody can do about what is broken. */
const ADVICE = {
  archive: say("The file was changed or cut, on its way perhaps. Download the bundle again; if it is broken then, too, ask the host for another one, and keep this one."),
  manifest: say("The files are not those that the host signed. Download the bundle again; if it is broken then, too, ask the host for another one, and keep this one."),
  history: say("The history itself does not hold together. Keep this bundle as it is, ask the host how that came about, and show it to the others at the table."),
  draws: say("A draw is not the one that seed and nonces give. Keep this bundle as it is and ask the host for an explanation before you play on."),
  clock: say("A deadline is not what the record gives: a turn expired too early, or a deadline was moved earlier. Keep this bundle as it is and ask the host for an explanation."),
  notices: say("What the host says it announced cannot be so. Ask the host; the game itself is not touched by it."),
  keys: say("A key was changed and no key that you know vouches for the new one. Ask the host, on another way than by this site, which keys are theirs."),
  receipt: say("The history is not the one that was told of in what you kept. Keep that mail and this bundle as they are: together they show it to anybody. Ask the host for the history as it was then, and the others at the table for their mails."),
  log: say("The list of the host's games is not the one that your mail told of, or does not have this game as it is. Keep the mail and this report, and compare with the others at the table."),
};
/** @type {Record<string, string>} Checks whose advice is that of another. */
const SAME = { table: "history", leaves: "history", rules: "history", checkpoints: "history" };

/**
 * @param {Report} report
 * @param {import("./receipts.js").Kept[]} kept
 * @returns {Verdict}
 */
export function verdictOf(report, kept) {
  return report.isSound ? sound(report, kept) : { isSound: false, headline: brokenHeadline(report), next: advice(report) };
}

/** @param {Report} report */
function brokenHeadline({ lines }) {
  const isRewritten = lines.some(({ state, what }) => state === "broken" && what.startsWith("receipt "));
  return isRewritten ? say("It is broken: this is not the history that you were told of.") : say("It is broken.");
}

/** @param {Report} report */
function advice({ lines }) {
  const broken = lines.filter(({ state }) => state === "broken").map(({ what }) => what.split(" ")[0]);
  const names = [...new Set(broken.map((name) => SAME[name] ?? name))];
  return (names.includes("receipt") ? ["receipt", ...names.filter((name) => name !== "receipt")] : names).map((name) => ADVICE[name]);
}

/**
 * @param {Report} report
 * @param {import("./receipts.js").Kept[]} kept
 * @returns {Verdict}
 */
function sound({ bundle, lines }, kept) {
  const good = kept.filter(({ name, telling }) => isFitting(lines, name) && telling.version <= bundle.last());
  const latest = Math.max(0, ...good.map(({ telling }) => telling.version));
  const next = [];
  if (latest) next.push(say("Up to event {n} of {last} it is the history that you were told of: nobody has rewritten it since.", { n: latest, last: bundle.last() }));
  else next.push(say("Whether it is the history that you were told of, nothing has shown yet: add a receipt or a mail that you kept."));
  if (lines.some(({ state, what }) => state === "unchecked" && what.startsWith("receipt ")))
    next.push(say("Something that you gave proves nothing, as is said beside it: look for the mail as it came."));
  if (!bundle.isOver) next.push(say("The game is still going on. What is sealed, and every draw, can be checked when it is over: keep your mails until then, and check again."));
  if (bundle.noted === null) next.push(say("Save the host's keys now, and give them to this page the next time: then it is seen if they were changed."));
  return { isSound: true, headline: latest ? say("It holds, and it is what you were told.") : say("It holds."), next };
}

/**
 * Whether all that is said of something kept is that it fits.
 * @param {import("./bundle.js").Line[]} lines
 * @param {string} name
 */
function isFitting(lines, name) {
  return lines.filter(({ what }) => what === `receipt ${name}`).every(({ state }) => state === "verified");
}
