// @ts-check
/** The draft: its form is sent as it stands, and the page that comes back takes the place of the old one. */

import { say } from "./live.js";
import { ALL, DRAFT, show, table } from "./parts.js";

const PAUSE = 150; // ms after the last letter

/** @type {AbortController | undefined} */
let asking;
/** @type {number | undefined} */
let timer;
let playing = false;

/** @returns {HTMLFormElement | null} */
export function form() {
  return /** @type {HTMLFormElement | null} */ (document.getElementById("draft-form"));
}

/** @returns {HTMLTextAreaElement | null} */
function text() {
  return /** @type {HTMLTextAreaElement | null} */ (document.getElementById("draft-text"));
}

/** Whether somebody has begun a move: lines, or words of one. */
export function isOpen() {
  return Boolean(text()?.value.trim()) || Boolean(document.getElementById("again"));
}

/** Whether what is asked, or written, is a secret: also a bid that nobody asks for yet. */
function isSealed() {
  const bids = (table().dataset.bids ?? "").split(" ");
  const lines = (text()?.value ?? "").split(/\r?\n/);
  if (lines.some((line) => bids.includes(line.trim().split(/\s+/)[0].toLowerCase()))) return true;
  return document.getElementById("draft")?.hasAttribute("data-sealed") ?? false;
}

export function watchDraft() {
  document.addEventListener("submit", (event) => {
    const submitted = /** @type {SubmitEvent} */ (event);
    if (submitted.target !== form() || !form()) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement | null} */ (submitted.submitter);
    if (button?.formAction.endsWith("/moves") && button.hasAttribute("formaction")) void play(button);
    else void rehearse(button ? { [button.name]: button.value } : { check: "1" }, button);
  });
  document.addEventListener("input", (event) => {
    if (event.target !== text()) return;
    mark();
    clearTimeout(timer);
    timer = setTimeout(() => void rehearse({ check: "1" }), PAUSE);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form()) return;
    event.preventDefault();
    document.getElementById("play")?.click();
  });
  document.addEventListener("parts-shown", mark);
  takeUp();
}

/** Show again what was not sent when this page was last left. */
function takeUp() {
  const area = text();
  if (!area) return keep("");
  const before = kept();
  if (before && !area.value && !isSealed()) {
    area.value = before;
    void rehearse({ check: "1" });
  }
  mark();
}

/** Keep the draft on this device, and say in the title that there is one. */
function mark() {
  const value = text()?.value ?? "";
  if (!isSealed()) keep(value);
  else keep("");
  const mark = `(${table().dataset.draft}) `;
  const title = document.title.replace(mark, "");
  document.title = value.trim() ? mark + title : title;
}

/**
 * Send the form with this button, and show what comes of it.
 * @param {Record<string, string>} pressed
 * @param {HTMLButtonElement | null} [button]
 */
export async function rehearse(pressed, button = null) {
  const sending = form();
  if (!sending || playing) return;
  clearTimeout(timer);
  asking?.abort();
  asking = new AbortController();
  const sent = new FormData(sending);
  for (const [name, value] of Object.entries(pressed)) sent.set(name, value);
  const onBoard = Boolean(document.activeElement?.closest("#map"));
  const busy = document.getElementById("draft");
  busy?.setAttribute("aria-busy", "true");
  const answer = await post(sending.action, sent, asking.signal, sending, button);
  if (!answer) return busy?.removeAttribute("aria-busy");
  show(answer.html, DRAFT);
  const draft = document.getElementById("draft");
  const asks = draft?.dataset.asks;
  // What can be done at a place is asked below the board: on a phone nobody who tapped it would see that.
  if ("at" in pressed && !document.getElementById("again")) document.getElementById("question")?.scrollIntoView({ block: "nearest" });
  if (button?.name === "pick" && !onBoard) {
    focusNext();
    say(draft?.dataset.said);
  } else if (draft) {
    if (document.activeElement === document.body) focusNext();
    say([draft.dataset.said, "check" in pressed && document.activeElement === text() ? "" : asks].filter(Boolean).join(" "));
  }
}

/** Go on where the next thing is to be chosen, or to the act of playing where the move is whole. */
function focusNext() {
  const whole = document.querySelector(".play-it.whole button");
  const next = whole ?? document.querySelector("#question .options button, #question input, #question select") ?? document.querySelector("#play");
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: false });
}

/** @param {HTMLButtonElement} button */
async function play(button) {
  const sending = form();
  if (!sending || playing) return;
  playing = true;
  clearTimeout(timer);
  asking?.abort();
  const sent = new FormData(sending);
  sent.set(button.name, button.value);
  document.getElementById("draft")?.setAttribute("aria-busy", "true");
  const answer = await post(button.formAction, sent, undefined, sending, button);
  playing = false;
  document.getElementById("draft")?.removeAttribute("aria-busy");
  if (!answer) return;
  if (answer.ok) keep("");
  show(answer.html, ALL);
  if (answer.ok) {
    history.replaceState(null, "", new URL(answer.url).pathname);
    document.getElementById("status")?.focus();
    say(document.getElementById("done")?.dataset.said);
  } else {
    const fault = document.querySelector("#stale, #amounts-fault, #draft-fault, #text-fault, #status [role=alert]");
    /** @type {HTMLElement | null} */ (fault)?.focus();
    say(document.getElementById("draft")?.dataset.said);
  }
}

/**
 * Send a form; null where nothing came back that could be shown.
 * @param {string} address
 * @param {FormData} sent
 * @param {AbortSignal | undefined} signal
 * @param {HTMLFormElement} sending
 * @param {HTMLButtonElement | null} button
 * @returns {Promise<{html: string, ok: boolean, url: string} | null>}
 */
async function post(address, sent, signal, sending, button) {
  try {
    const body = new URLSearchParams(/** @type {any} */ (sent));
    const response = await fetch(address, { method: "POST", body, signal, headers: { Accept: "text/html" } });
    const html = await response.text();
    if (!html.includes('id="table"')) {
      leave(sending, button); // signed out, or something worse: the page that says so, with the draft in our hands
      return null;
    }
    return { html, ok: response.ok, url: response.url };
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) offline();
    return null;
  }
}

/**
 * Send the form as a browser without script would.
 * @param {HTMLFormElement} sending
 * @param {HTMLButtonElement | null} button
 */
function leave(sending, button) {
  if (button) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: button.name, value: button.value });
    sending.append(field);
    if (button.hasAttribute("formaction")) sending.action = button.formAction;
  }
  sending.submit();
}

/** Nothing was heard from the server: the draft stays, and the same act may be tried again without being done twice. */
function offline() {
  const note = document.getElementById("offline");
  if (!note) return;
  note.hidden = false;
  say(note.textContent);
  document.addEventListener("parts-shown", () => (note.hidden = true), { once: true });
}

/**
 * Where this device keeps a draft that was not sent, but never one that is sealed.
 * @returns {string}
 */
function place() {
  const { game, seat } = table().dataset;
  return `wardroom draft ${game} ${seat}`;
}

/** @param {string} text */
function keep(text) {
  try {
    if (text.trim()) localStorage.setItem(place(), text);
    else localStorage.removeItem(place());
  } catch {
    // a browser that keeps nothing
  }
}

/** What was kept; "" for nothing. */
function kept() {
  try {
    return localStorage.getItem(place()) ?? "";
  } catch {
    return "";
  }
}
