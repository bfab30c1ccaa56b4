// @ts-check
/** A report on the page: the verdict, what to do next, and a line for each check. */

import { say } from "./sentences.js";
import { verdictOf } from "./verdict.js";

/** @typedef {import("./sentences.js").Sentence} Sentence */
/** @typedef {import("./bundle.js").Line} Line */
/** @typedef {(sentence: Sentence) => string} Speak */

const MOST = 12; // lines of one check that are shown; the report has them all
const STATES = { verified: say("verified"), broken: say("broken"), open: say("still sealed"), unchecked: say("not checked") };
/** @type {Record<string, Sentence>} What each check looks at, for those who do not know the names. */
const ABOUT = {
  archive: say("the file, byte for byte"),
  manifest: say("the list of its parts, signed by the host"),
  history: say("every event, chained to the one before"),
  table: say("who sat down, left, went back"),
  leaves: say("what is sealed, and for whom it is open"),
  rules: say("options and editions"),
  draws: say("every draw, made again from the seed"),
  clock: say("every deadline that an event tells"),
  notices: say("what was announced, and when"),
  checkpoints: say("the host's signatures of events"),
  keys: say("the host's keys"),
  receipt: say("what you kept"),
  log: say("the list of all games of this host, which may only grow"),
};
const UNCHECKED = [
  say("Whether the rules were kept. This page does not know them: `wardroom verify` plays the game again, decision by decision."),
  say("Whether a longer history exists. Ask the others at the table for their receipts, and check those here, too."),
  say("Whether the keys are the host's, unless you gave the keys that you noted before."),
  say("Whether the host looked ahead at draws, read what it keeps sealed, or sent the mails it says it sent. Nothing can show that."),
];

/**
 * Show it, and lead whoever reads or hears the page to its headline.
 * @param {HTMLElement} place
 * @param {import("./bundle.js").Report} report
 * @param {import("./receipts.js").Kept[]} kept
 * @param {string} text
 * @param {Speak} speak
 */
export function showReport(place, report, kept, text, speak) {
  const verdict = verdictOf(report, kept);
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (place.querySelector(`[data-part="${name}"]`));
  const items = (/** @type {Sentence[]} */ sentences) => sentences.map((sentence) => element("li", "", speak(sentence)));
  const headline = part("headline");
  headline.textContent = `${verdict.isSound ? "✓" : "✗"} ${speak(verdict.headline)}`;
  place.classList.toggle("good", verdict.isSound);
  place.classList.toggle("bad", !verdict.isSound);
  part("about").textContent = speak(aboutBundle(report));
  part("broken").replaceChildren(...items(brokenOf(report.lines)));
  part("next").replaceChildren(...items(verdict.next));
  part("checks").replaceChildren(...rowsOf(report.lines, speak));
  part("unchecked").replaceChildren(...items(UNCHECKED));
  part("text").textContent = text;
  place.hidden = false;
  headline.focus();
}

/**
 * @param {import("./bundle.js").Report} report
 */
function aboutBundle({ bundle }) {
  const game = bundle.events.get(1)?.game;
  if (typeof game !== "string") return say("No game can be read in it.");
  const at = bundle.events.get(bundle.last()).at.slice(0, 16).replace("T", " ");
  return say("Game {game}, {n} events, the last of {at} UTC.", { game, n: bundle.events.size, at });
}

/**
 * The first things that do not hold, one of each check.
 * @param {Line[]} lines
 */
function brokenOf(lines) {
  const first = new Map(lines.filter(({ state }) => state === "broken").reverse().map((line) => [line.what, line]));
  return [...first.values()].reverse().map(({ what, sentence }) => say("{name}: {what}", { name: what.replace(/^receipt /, ""), what: sentence }));
}

/**
 * A row for each line; of many about the same the first, and how many more there are.
 * @param {Line[]} lines
 * @param {Speak} speak
 */
function rowsOf(lines, speak) {
  /** @type {Map<string, Line[]>} */
  const groups = new Map();
  for (const line of lines.filter(({ what }) => what)) {
    const name = `${line.what} ${line.state}`;
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  return [...groups.values()].map((group) => row(group, speak));
}

/**
 * @param {Line[]} group
 * @param {Speak} speak
 */
function row(group, speak) {
  const [{ state, what }] = group;
  const item = element("li", state, "");
  const [name, ...which] = what.split(" ");
  const head = element("p", "what", "");
  head.append(element("strong", "state", speak(STATES[state])), " ", element("code", "", name), " ");
  head.append(element("span", "soft", which.length ? which.join(" ") : speak(ABOUT[name])));
  item.append(head, ...group.slice(0, MOST).map(({ sentence }) => element("p", "", speak(sentence))));
  const more = group.length - MOST;
  if (more > 0) item.append(element("p", "soft", speak(say("And {n} more like these: the report has them all.", { n: more }))));
  return item;
}

/**
 * An element with a text, in which what stands between backticks is code.
 * @param {string} tag
 * @param {string} style
 * @param {string} text
 */
function element(tag, style, text) {
  const made = document.createElement(tag);
  if (style) made.className = style;
  for (const [place, piece] of text.split("`").entries()) {
    if (place % 2 === 0) made.append(piece);
    else made.append(Object.assign(document.createElement("code"), { textContent: piece }));
  }
  return made;
}
