// @ts-check
/** The page of a game, made quicker: the same forms, sent without a new page; the board under finger and keys; news. */

import { watchBoard } from "./game/board.js";
import { isOpen, rehearse, settle, watchDraft } from "./game/draft.js";
import { read } from "./game/markup.js";
import { ALL, lastStep, say, show, table, unreachable, version } from "./game/parts.js";

const narrow = matchMedia("(max-width: 1199px)"); // there the card of what was decided lies over the question
const reveal = () => document.getElementById("reveal");
let shown = reveal()?.dataset.version;
let dismissed = "";
document.addEventListener("parts-shown", () => {
  const card = reveal();
  if (!card || card.hidden) return;
  const { version } = card.dataset;
  card.hidden = version === dismissed;
  if (version === shown) card.classList.remove("fresh");
  const opens = location.hash === "#reveal" || (version !== shown && !isOpen()); // it covers no draft that somebody writes
  if (narrow.matches && opens) setTimeout(() => location.replace("#reveal"));
  shown = version;
});
for (const press of ["pointerdown", "keydown"])
  document.addEventListener(press, () => {
    if (reveal()?.getClientRects().length) reveal()?.classList.remove("fresh"); // any press skips the motion
  });
document.addEventListener("click", (event) => {
  const card = reveal();
  if (!card || narrow.matches || !(/** @type {Element} */ (event.target).closest?.("#reveal .next"))) return;
  dismissed = card.dataset.version ?? "";
  card.hidden = true;
});

const menu = () => document.querySelector(".menu[open]");
document.addEventListener("click", ({ target }) => menu()?.contains(/** @type {Node} */ (target)) || menu()?.toggleAttribute("open"));
document.addEventListener("keydown", ({ key }) => {
  if (key === "Escape") menu()?.querySelector("summary")?.click();
});

// On a phone the grip pulls the sheet: down to see the board, up to see all of the sheet, and then what is below it.
document.addEventListener("pointerdown", (event) => {
  const grip = /** @type {Element} */ (event.target).closest?.(".grip");
  const [sheet, desk] = [grip?.parentElement, grip?.closest(".desk")];
  if (!(grip instanceof HTMLElement) || !sheet || !(desk instanceof HTMLElement)) return;
  const [low, from, most] = [event.clientY + sheet.offsetHeight, scrollY, Math.min(sheet.scrollHeight, innerHeight - 90)];
  grip.setPointerCapture(event.pointerId);
  grip.onclick = null;
  grip.onpointermove = ({ clientY, buttons }) => {
    if (!buttons || Math.abs(clientY - event.clientY) < 4) return;
    grip.onclick = (click) => click.preventDefault();
    desk.style.setProperty("--pulled", `${Math.min(low - clientY, most)}px`);
    scrollTo({ top: from + Math.max(0, low - clientY - most), behavior: "instant" });
  };
});
document.addEventListener("parts-shown", () => document.querySelector(".desk")?.removeAttribute("style"));

watchDraft();
watchBoard();
watchNews();

// The story comes when it is asked for, and again with news.
document.addEventListener("click", (event) => {
  if (!/** @type {Element} */ (event.target).closest?.("#story .button, a[href='#story-heading']")) return;
  event.preventDefault();
  tellStory(true);
});
document.addEventListener("parts-shown", () => tellStory(false));

/** @param {boolean} isWanted whether it was asked for just now */
async function tellStory(isWanted) {
  if (!isWanted && !document.querySelector("#story details")) return;
  const response = await fetch(`/g/${table().dataset.game}/story`).catch(() => null);
  const told = response?.ok && read(await response.text()).querySelector("#story");
  if (!told) return isWanted ? unreachable(table()) : undefined;
  document.querySelector("#story")?.replaceWith(told);
  if (isWanted) /** @type {HTMLElement | null} */ (document.querySelector("#story details[open] summary"))?.focus();
}

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a[href="#why"], a[href="#note-heading"]');
  const part = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  (part?.closest("details") ?? part?.parentElement?.querySelector("details"))?.setAttribute("open", "");
});

// While the page is looked at, it hears or asks whether the game has moved on, and then shows how.

const SHORTEST = 1000; // ms between two questions
const LONGEST = 60_000;
const SHORT = 10_000; // a stream that ends sooner is none
const UNTIL_NEXT_TRY = 300_000; // ms that the page asks by itself, where there is no stream
const STAGGER = 2000; // ms in which those who only watch come for what is new, for they may be many
let patience = SHORTEST;
let streamAgain = 0;

async function watchNews() {
  while (!("over" in table().dataset)) {
    await visible();
    if ("stream" in table().dataset && Date.now() >= streamAgain && (await follow())) continue;
    const wait = await ask(version());
    if (wait < 0) return;
    await pause(wait + Math.random() * SHORTEST);
  }
}

/** Hear of the game by a stream, as long as it lasts and the page is looked at. False where there is none. */
async function follow() {
  const began = Date.now();
  const stream = await look();
  if (stream) await listen(stream);
  const lasted = Boolean(stream) && (document.visibilityState === "hidden" || Date.now() - began > SHORT);
  if (!lasted) streamAgain = Date.now() + UNTIL_NEXT_TRY * (0.5 + Math.random());
  return lasted;
}

/** Catch up with the game, and learn where its stream is; "" where there is none. */
async function look() {
  try {
    const response = await fetch(`/g/${table().dataset.game}/news?stream=1`);
    if (!response.ok || response.redirected) return "";
    const { version: now, stream } = await response.json();
    await catchUp(now);
    return stream ?? "";
  } catch {
    return "";
  }
}

/**
 * Show what a stream tells until it ends, the game is over, or the page is left.
 * @param {string} address
 */
function listen(address) {
  const source = new EventSource(address);
  return new Promise((resolve) => {
    const end = () => {
      source.close();
      document.removeEventListener("visibilitychange", end);
      resolve(undefined);
    };
    source.addEventListener("open", look); // for what happened before it was
    source.addEventListener("message", async (event) => {
      if (table().dataset.seat === "") await pause(Math.random() * STAGGER);
      await catchUp(JSON.parse(event.data).version);
      if ("over" in table().dataset) end();
    });
    source.addEventListener("error", end);
    document.addEventListener("visibilitychange", end);
  });
}

let catching = Promise.resolve();

/**
 * Show the game as it is, once for all that is told meanwhile.
 * @param {number} now the version it has
 */
function catchUp(now) {
  catching = catching.then(() => (now > version() ? moveOn() : undefined)).catch(() => undefined);
  return catching;
}

/**
 * Ask once, which may take half a minute; how long to wait before the next time, below 0 for ever.
 * @param {number} after
 */
async function ask(after) {
  try {
    const leave = new AbortController();
    const hidden = () => document.visibilityState === "hidden" && leave.abort();
    document.addEventListener("visibilitychange", hidden);
    const response = await fetch(`/g/${table().dataset.game}/news?after=${after}`, { signal: leave.signal }).finally(() =>
      document.removeEventListener("visibilitychange", hidden),
    );
    if (response.redirected || response.status === 404) return -1;
    if (response.status === 200) await catchUp((await response.json()).version);
    patience = response.ok ? SHORTEST : Math.min(LONGEST, patience * 2);
    return Math.max(patience, Number(response.headers.get("Retry-After") ?? 0) * 1000);
  } catch {
    patience = Math.min(LONGEST, patience * 2);
    return patience;
  }
}

/** The game has moved on: a draft is kept and rehearsed again, else the page is shown as it is now. */
async function moveOn() {
  if (await settle()) return;
  if (isOpen()) return rehearse({ check: "1" });
  const response = await fetch(`/g/${table().dataset.game}`, { headers: { Accept: "text/html" }, cache: "no-cache" });
  show(await response.text(), ALL);
  say(`${lastStep()} ${document.getElementById("status-heading")?.textContent ?? ""}`);
}

function visible() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve(undefined);
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

/** @param {number} time */
function pause(time) {
  return new Promise((resolve) => setTimeout(resolve, time));
}
