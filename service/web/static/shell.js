// @ts-check
/**
 * What every page does for whoever is signed in: it has the browser keep the worker, shows in tab and on the home screen
 * how many decisions wait, takes back calls that were answered, and keeps the position of one's own game for offline.
 */

import { worker } from "./game/markup.js";

const MOST = 12; // games
const LEFT_OUT =
  "form, script, input, textarea, button, nav, noscript, [hidden], .sealed, .talk, #talk, #talk-lines, #draft, #clock, .to-move, .note-to-self, .note.bad, a[href^='#']";

const here = document.querySelector("script[data-reader]");
const reader = here instanceof HTMLElement ? (here.dataset.reader ?? "") : "";

if (reader && "serviceWorker" in navigator) {
  void navigator.serviceWorker.register(worker()).catch(() => undefined); // a browser that keeps nothing
  void navigator.serviceWorker.getRegistration().then(takeBack);
}
badge(document);
keep();

document.addEventListener("parts-shown", (event) => {
  const page = event instanceof CustomEvent ? event.detail : null;
  if (page instanceof Document) {
    for (const name of ["head link[rel=icon]", "header nav"]) replace(name, page);
    badge(page);
    void navigator.serviceWorker?.getRegistration().then(takeBack);
  }
  keep();
});

/**
 * The same part of a newer page in its place.
 * @param {string} name
 * @param {Document} page
 */
function replace(name, page) {
  const [old, fresh] = [document.querySelector(name), page.querySelector(name)];
  if (old && fresh && !old.isEqualNode(fresh)) old.replaceWith(fresh);
}

/**
 * How many decisions wait, on the icon of the home screen.
 * @param {Document} page
 */
function badge(page) {
  const count = Number(page.querySelector("link[rel=icon]")?.getAttribute("data-waiting") ?? 0);
  const able = /** @type {any} */ (navigator);
  const done = count ? able.setAppBadge?.(count) : able.clearAppBadge?.();
  done?.catch?.(() => undefined);
}

/**
 * Take back the calls for decisions that were answered, here or elsewhere.
 * @param {ServiceWorkerRegistration | undefined} registration
 */
async function takeBack(registration) {
  const calls = (await registration?.getNotifications?.()) ?? [];
  if (!calls.some((call) => call.data?.game)) return;
  const response = await fetch("/turns/asked");
  if (!response.ok) return;
  const { games } = await response.json();
  for (const call of calls) if (call.data?.game && !games.includes(call.data.game)) call.close();
}

/** Once the page is quiet. */
function keep() {
  if (!reader || !("caches" in window) || !document.querySelector("#table[data-seat]:not([data-seat=''])")) return;
  const quiet = window.requestIdleCallback ?? ((act) => setTimeout(act, 500));
  if (document.readyState !== "complete") return window.addEventListener("load", keep, { once: true });
  quiet(() => keepPosition().catch(() => undefined));
}

/** The position as it is seen now: without what could send something, talk, notes, and what one has sealed. */
async function keepPosition() {
  const table = document.getElementById("table");
  const address = `/g/${table?.dataset.game}`;
  if (!table || !navigator.onLine || location.pathname !== address || location.search) return;
  const cache = await caches.open(`kept ${reader}`);
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Language": document.documentElement.lang,
    "Kept-At": String(Date.now()),
    "Kept-Title": encodeURIComponent(name()),
  };
  await cache.put(address, new Response(page(table), { headers }));
  const known = await cache.keys();
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST)).map((old) => cache.delete(old)));
}

/** What the game is called, without the count of decisions in the title. */
function name() {
  return document.title.replace(/^\(\d+\+?\) /, "").replace(/ · Wardroom$/, "");
}

/** @param {HTMLElement} table */
function page(table) {
  const kept = document.implementation.createHTMLDocument(name());
  kept.documentElement.lang = document.documentElement.lang;
  for (const part of document.querySelectorAll("head > meta[name], head > link[rel=stylesheet], head > link[rel=icon]"))
    kept.head.append(kept.importNode(part, true));
  const header = document.querySelector("header.top"); // a game has its own
  const main = kept.createElement("main");
  main.id = "main";
  main.append(kept.createComment("kept"), kept.importNode(table, true));
  kept.body.className = document.body.className;
  if (header) kept.body.append(kept.importNode(header, true));
  kept.body.append(main);
  for (const part of kept.querySelectorAll(LEFT_OUT)) part.remove();
  return `<!doctype html>${new XMLSerializer().serializeToString(kept)}`;
}
