// @ts-check
/** The parts of the page: those that came back with an answer take the places of the old ones. */

import { read } from "./markup.js";

/** What a draft changes, and what news do. */
export const DRAFT = ["status", "recent", "play-area", "people", "board", "draft", "track", "offices"];
export const ALL = [...DRAFT, "reveal", "beside", "deadlines", "seats", "talk-lines", "clock"];

/** @returns {HTMLElement} */
export function table() {
  return /** @type {HTMLElement} */ (document.getElementById("table"));
}

/** The version of the game that is shown. */
export function version() {
  return Number(table().dataset.version);
}

/** What happened last, as it is read. */
export function lastStep() {
  const step = document.querySelector("#recent .scrolled > .steps > li:last-child")?.cloneNode(true);
  if (!(step instanceof Element)) return "";
  for (const unread of step.querySelectorAll("details, [aria-hidden]")) unread.remove();
  return (step.textContent ?? "").replace(/\s+/g, " ").trim();
}

/**
 * Put the parts of an answer in their places. The field one is typing in stays itself, focus goes to what is alike.
 * @param {string} html
 * @param {string[]} names
 * @returns {Document} the answer
 */
export function show(html, names) {
  const page = read(html);
  const now = page.getElementById("table");
  if (!now) return page;
  const before = focused();
  const open = unfolded();
  const area = document.getElementById("draft-text");
  const typing = area instanceof HTMLTextAreaElement && area === document.activeElement ? area : null;
  const moved = now.dataset.version !== table().dataset.version;
  table().classList.add("still");
  const whole = document.getElementById("play-area") ? ["board", "draft"] : []; // they come with the area of a lesson
  for (const sheet of page.querySelectorAll("head link[rel=stylesheet]")) // what was decided, and the ending, have one more
    if (![...document.querySelectorAll("link")].some((link) => link.href === /** @type {HTMLLinkElement} */ (sheet).href))
      document.head.append(sheet);
  for (const name of moved ? ALL : names) if (!whole.includes(name)) replace(name, page, moved ? "news" : "fresh");
  document.title = page.title || document.title;
  if (typing) keep(typing);
  for (const summary of document.querySelectorAll("#table details > summary"))
    if (open.has(summary.textContent ?? "")) /** @type {HTMLDetailsElement} */ (summary.parentElement).open = true;
  table().dataset.version = now.dataset.version;
  if ("over" in now.dataset) table().dataset.over = "";
  document.dispatchEvent(new CustomEvent("parts-shown", { detail: page }));
  if (!typing) refocus(before, moved);
  return page;
}

/**
 * @param {string} name
 * @param {Document} page
 * @param {string} mark what is new is marked with, for styles to move it
 */
function replace(name, page, mark) {
  const old = document.getElementById(name);
  const fresh = page.getElementById(name);
  if (old && fresh) markChanges(old, fresh, mark);
  if (old && fresh) old.replaceWith(fresh);
  else if (old) old.remove();
  else if (fresh) document.getElementById("status")?.after(fresh);
}

/**
 * Mark the places and scores that differ, and hang out a ribbon for a new mayor.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 * @param {string} mark
 */
function markChanges(old, fresh, mark) {
  for (const part of fresh.querySelectorAll("svg .place, .place .vp")) {
    const place = old.querySelector(`#${part.closest("[id]")?.id}`);
    const [before, after] = [place, part].map((found) => found?.querySelector("g, strong"));
    if (before && after && !before.isEqualNode(after)) part.classList.add(mark);
  }
  const [before, after] = [old, fresh].map((part) => part.querySelector("ul")?.dataset.mayor);
  if (mark !== "news" || !after || after === before) return;
  const ribbon = Object.assign(document.createElement("p"), { className: "ribbon", textContent: after });
  ribbon.setAttribute("aria-hidden", "true");
  ribbon.addEventListener("animationend", () => ribbon.remove());
  document.querySelector(".desk")?.append(ribbon);
}

/**
 * The text field that somebody types in, in the place of the one that came with the answer.
 * @param {HTMLTextAreaElement} typing
 */
function keep(typing) {
  const fresh = document.getElementById("draft-text");
  if (!(fresh instanceof HTMLTextAreaElement)) return;
  const { selectionStart, selectionEnd } = typing;
  for (const name of ["aria-invalid", "aria-describedby"])
    if (fresh.hasAttribute(name)) typing.setAttribute(name, fresh.getAttribute(name) ?? "");
    else typing.removeAttribute(name);
  fresh.replaceWith(typing);
  typing.focus({ preventScroll: true });
  typing.setSelectionRange(selectionStart, selectionEnd);
}

/** What has the focus: by its id, by what its button says, or by its place on the board. */
function focused() {
  const element = document.activeElement;
  if (!(element instanceof HTMLElement || element instanceof SVGElement) || !table().contains(element)) return "";
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element instanceof HTMLButtonElement && element.name)
    return `button[name="${element.name}"][value="${CSS.escape(element.value)}"]`;
  return `#${element.closest("[id]")?.id} a[href="${CSS.escape(element.getAttribute("href") ?? "")}"]`;
}

/**
 * @param {string} selector
 * @param {boolean} moved whether others have moved: what had the focus is perhaps gone, and the question is new
 */
function refocus(selector, moved) {
  if (!selector || document.activeElement !== document.body) return;
  const element = document.querySelector(selector) ?? (moved ? document.getElementById("draft-heading") : null);
  /** @type {HTMLElement | null} */ (element)?.focus({ preventScroll: true });
}

/** The headings of what is unfolded. */
function unfolded() {
  return new Set(
    [...document.querySelectorAll("#table details[open] > summary")].map((summary) => summary.textContent ?? ""),
  );
}

// The live region: each change is said once, also if it is said in the same words as the one before.
const region = document.createElement("p");
region.className = "unseen";
region.id = "live";
region.setAttribute("role", "status");
document.body.append(region);

/**
 * Say this to whoever hears the page. Sealed amounts never come here: the server leaves them out of what it gives us.
 * @param {string | null | undefined} text
 */
export function say(text) {
  const told = (text ?? "").trim();
  if (told) region.textContent = told === region.textContent ? `${told}\u00a0` : told;
}

/**
 * Show and say that the server cannot be reached, in the words of the page. Only a script can find that out.
 * @param {HTMLElement} page
 */
export function unreachable(page) {
  const note = document.getElementById("offline") ?? document.createElement("p");
  Object.assign(note, { id: "offline", className: "note bad", textContent: page.dataset.offline ?? "" });
  (document.getElementById("draft") ?? page).prepend(note);
  say(note.textContent);
}
