// @ts-check
/** The draft: its form is sent as it stands, and the page that comes back takes the place of the old one. */

import { ALL, DRAFT, say, show, table, unreachable } from "./parts.js";

const PAUSE = 150; // ms after the last letter
const PLAYS = ["play", "seal"];

/** @type {AbortController | undefined} */
let asking;
/** @type {number | undefined} */
let timer;
let playing = false;
/**
 * A Play that was sent and not answered yet: perhaps it was played.
 * @typedef {{address: string, fields: [string, string][], text: string, draft: string, at: number}} Sent
 * @type {Sent | undefined}
 */
let sent;
const SENT = " sent"; // its name among what this device keeps
const TRUSTED = 20 * 3600_000; // ms for which the server surely knows the key of a form

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
    if (button && PLAYS.includes(button.name)) void play(button);
    else void rehearse(button ? { [button.name]: button.value } : { check: "1" }, button);
  });
  document.addEventListener("input", (event) => {
    if (event.target !== text()) return;
    keepUnsent();
    mark();
    clearTimeout(timer);
    timer = setTimeout(() => void rehearse({ check: "1" }), PAUSE);
  });
  document.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest?.("[data-step]");
    if (button instanceof HTMLElement) step(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form()) return;
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (event.target); // what stands in it is not in the draft yet
    const add = field.value && field.closest("#question")?.querySelector("button[name=compose]");
    const { value } = /** @type {HTMLButtonElement} */ (add || {});
    if (value) void play(Object.assign(document.createElement("button"), { name: "seal", value }));
    else document.getElementById("play")?.click();
  });
  document.addEventListener("parts-shown", () => {
    drop(); // the server keeps what it has answered
    bringBack();
    mark();
  });
  void takeUp();
}

/**
 * One more or one less in the field beside a button, within its bounds.
 * @param {HTMLElement} button
 */
function step(button) {
  const field = button.parentElement?.querySelector("input");
  if (!field) return;
  const wanted = Number(field.value || field.min) + Number(button.dataset.step);
  field.value = String(Math.min(Number(field.max), Math.max(Number(field.min), wanted)));
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Show again what was not sent when this page was last left; first send again what was not answered. */
async function takeUp() {
  const { text: before, version } = kept();
  sent = store(SENT) ?? undefined;
  const waits = sent && (await settle((before || (text()?.value ?? "")) !== sent.text));
  if (waits && !sent) return;
  const area = text();
  if (!area) return drop();
  if (before && before !== area.value && !isSealed()) {
    area.value = before;
    const begun = field("version");
    if (begun && version) begun.value = version;
    if (!waits) void rehearse({ check: "1" });
  }
  mark();
}

/**
 * A field of the draft's form that nobody sees.
 * @param {string} name
 */
function field(name) {
  return /** @type {HTMLInputElement | null} */ (form()?.querySelector(`input[type=hidden][name="${name}"]`) ?? null);
}

/**
 * What a form says, whatever the version and the key it is sent with.
 * @param {FormData} sent
 */
function draftOf(sent) {
  return JSON.stringify([...sent].filter(([name]) => !["csrf", "version", "key", "play", "seal", "compose", "check"].includes(name)));
}

/** Show again what was written after a move that turned out to be played, once another one is asked for. */
function bringBack() {
  const area = text();
  const { text: later, isLater } = kept();
  if (!area || area.value || !isLater || isSealed()) return;
  area.value = later;
  keep(later);
  void rehearse({ check: "1" });
}

/** Drop the draft that this device keeps, but not one for a move that is still to be asked for. */
function drop() {
  if (!kept().isLater) keep("");
}

/** Keep on this device what was written and is not sent yet. */
function keepUnsent() {
  const value = text()?.value ?? "";
  if (value.trim() && !isSealed()) keep(value);
  else drop();
}

/** Say in the title that there is a draft. */
function mark() {
  const value = text()?.value ?? "";
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
  if (playing || (sent && (await settle(!("check" in pressed) || isChanged())))) return;
  const sending = form();
  if (!sending) return;
  clearTimeout(timer);
  asking?.abort();
  asking = new AbortController();
  const asked = new FormData(sending);
  for (const [name, value] of Object.entries(pressed)) asked.set(name, value);
  const onBoard = Boolean(document.activeElement?.closest("#map"));
  const busy = document.getElementById("draft");
  busy?.setAttribute("aria-busy", "true");
  const written = text()?.value ?? "";
  const answer = await post(sending.action, asked, asking.signal, sending, button);
  if (!answer) return busy?.removeAttribute("aria-busy");
  if (isDone(answer.html)) return showPlayed(answer.html, written);
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
  const next = whole ?? document.querySelector("#question .choice, #question input, #question select") ?? document.querySelector("#play");
  /** @type {HTMLElement | null} */ (next)?.focus({ preventScroll: false });
}

/** @param {HTMLButtonElement} button */
async function play(button) {
  const sending = form();
  if (!sending || playing) return;
  if (sent) {
    const wasChanged = isChanged();
    if (!(await settle(wasChanged, button)) && wasChanged) document.getElementById("play")?.click();
    return;
  }
  const fields = new FormData(sending);
  const draft = draftOf(fields);
  fields.set(button.name, button.value);
  const written = /** @type {[string, string][]} */ ([...fields].map(([name, value]) => [name, String(value)]));
  sent = { address: sending.action.replace(/draft$/, "moves"), fields: written, text: text()?.value ?? "", draft, at: Date.now() };
  if (!isSealed()) store(SENT, sent); // until it is answered
  await send(false, button);
}

/** Whether the draft is another one than the one that was sent. */
function isChanged() {
  const now = form();
  return Boolean(now && sent && draftOf(new FormData(now)) !== sent.draft);
}

/**
 * Send again what was not answered, under its own key, so that it is played once. Returns whether that is all there is
 * to do: it was played, it was refused in the open, or nothing is heard of it yet.
 * @param {boolean} [onlyAsks] whether the draft was changed since: then learn whether the old one was played, but play nothing
 * @param {HTMLButtonElement | null} [button]
 */
export async function settle(onlyAsks = isChanged(), button = null) {
  if (!sent) return false;
  if (playing) return true;
  if (Date.now() - sent.at > TRUSTED) {
    forget();
    return false;
  }
  return send(onlyAsks, button);
}

/**
 * @param {boolean} onlyAsks
 * @param {HTMLButtonElement | null} button
 */
async function send(onlyAsks, button) {
  if (!sent) return false;
  playing = true;
  clearTimeout(timer);
  asking?.abort();
  const { address, fields, text: before } = sent;
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  body.set("csrf", /** @type {HTMLInputElement | null} */ (document.querySelector("#table input[name=csrf]"))?.value ?? String(body.get("csrf")));
  if (onlyAsks) body.set("was-it-played", "1");
  document.getElementById("draft")?.setAttribute("aria-busy", "true");
  const answer = await post(address, body, undefined, button && form(), button);
  playing = false;
  document.getElementById("draft")?.removeAttribute("aria-busy");
  if (!answer) return true;
  forget();
  if (answer.ok || isDone(answer.html)) {
    showPlayed(answer.html, before);
    history.replaceState(null, "", new URL(answer.url).pathname.replace(/\/(draft|moves)$/, ""));
    return true;
  }
  if (onlyAsks) return false;
  show(answer.html, ALL);
  const fault = document.querySelector("#stale, #amounts-fault, #draft-fault, #text-fault, #status [role=alert]");
  /** @type {HTMLElement | null} */ (fault)?.focus();
  say(document.getElementById("draft")?.dataset.said);
  return true;
}

/**
 * Whether an answer says that a draft was played.
 * @param {string} html
 */
function isDone(html) {
  return html.includes('id="done"');
}

/**
 * Show that a draft was played, and drop it. One that was written since stays.
 * @param {string} html
 * @param {string} played
 */
function showPlayed(html, played) {
  const area = text();
  const written = area ? area.value : kept().text;
  const since = written !== played ? written : "";
  if (area) area.value = since;
  keep(isSealed() ? "" : since, true);
  show(html, ALL);
  const now = text();
  if (since && now && !now.value) {
    now.value = since;
    keepUnsent();
    mark();
    void rehearse({ check: "1" });
  }
  document.getElementById("status")?.focus();
  say(document.getElementById("done")?.dataset.said);
}

/**
 * Send a form; null where nothing came back that could be shown.
 * @param {string} address
 * @param {FormData} sent
 * @param {AbortSignal | undefined} signal
 * @param {HTMLFormElement | null} sending the form that a page about something else is reached with
 * @param {HTMLButtonElement | null} button
 * @returns {Promise<{html: string, ok: boolean, url: string} | null>}
 */
async function post(address, sent, signal, sending, button) {
  try {
    const body = new URLSearchParams(/** @type {any} */ (sent));
    const response = await fetch(address, { method: "POST", body, signal, headers: { Accept: "text/html" } });
    const html = await response.text();
    if (!html.includes('id="table"')) {
      if (sending) leave(sending, button); // signed out, or something worse: the page that says so, with the draft in our hands
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
  }
  sending.submit();
}

/** Nothing was heard from the server: the draft stays, and the same act may be tried again without being done twice. */
function offline() {
  unreachable(table());
  document.addEventListener("parts-shown", () => document.getElementById("offline")?.remove(), { once: true });
}

/**
 * Keep something on this device, but never what is sealed; without a value, return what is kept. A browser may keep nothing.
 * @param {string} name
 * @param {unknown} [value] null: keep it no longer
 */
function store(name, value) {
  const { game, seat } = table().dataset;
  const place = `wardroom draft ${game} ${seat}${name}`;
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(place) ?? "null");
    if (value) localStorage.setItem(place, JSON.stringify(value));
    else localStorage.removeItem(place);
  } catch {
    return null;
  }
}

/**
 * @param {string} text
 * @param {boolean} [isLater] whether it is for a move that is perhaps not asked for yet
 */
function keep(text, isLater = false) {
  store("", text.trim() ? { text, version: field("version")?.value ?? "", isLater } : null);
}

/**
 * The draft that was kept, and the version it was begun at; "" for nothing.
 * @returns {{text: string, version: string, isLater: boolean}}
 */
function kept() {
  return { text: "", version: "", isLater: false, ...store("") };
}

/** What was sent was answered. */
function forget() {
  sent = undefined;
  store(SENT, null);
}
