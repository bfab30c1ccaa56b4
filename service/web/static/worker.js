// @ts-check
/**
 * The worker that a browser keeps for Wardroom. Pages come from the network; where there is none it shows the last
 * position of one's own games, with its age, and shows what one is called for. It sends nothing, now or later.
 *
 * The server puts a line before this text: `self.wardroom`, what this edition consists of.
 */

/** @typedef {{asOf: string, listed: string, kept: string, answered: string, signedOut: string}} Texts */
/** @typedef {{title: string, body: string, path: string, tag: string, lang: string, asks: boolean, game: string | null, waiting: number, at: number, reader: string}} Call */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
/** @type {{edition: string, shell: string[], texts: Record<string, Texts>}} */
const given = /** @type {any} */ (self).wardroom;

const SHELL = `shell ${given.edition}`;
const KEPT = "kept "; // and whose they are
const MARK = "<!--kept-->";
const PATIENCE = 3000; // ms to find out whether a call is still true
const LAST = "/language"; // who read last, and in which language

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((shell) => shell.addAll(given.shell))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    inherit()
      .then(() => drop((name) => name.startsWith("shell ") && name !== SHELL))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, url));
  else if (given.shell.includes(url.pathname)) event.respondWith(asset(request));
});

/**
 * A page from the network; without one, what was kept of it.
 * @param {Request} request
 * @param {URL} url
 */
async function page(request, url) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(request);
  } catch {
    return (await keptPage(url)) ?? (await offlinePage());
  }
  await noteReader(response);
  return response;
}

/** @param {Request} request */
async function asset(request) {
  return (await caches.match(request)) ?? fetch(request);
}

/**
 * Whoever reads now: what was kept for somebody else is forgotten.
 * @param {Response} response
 */
async function noteReader(response) {
  const reader = response.headers.get("Wardroom-Reader");
  if (reader === null) return;
  await drop((name) => name.startsWith(KEPT) && name !== KEPT + reader);
  const last = await readLast();
  const told = response.headers.get("Content-Language") ?? "";
  const language = told in given.texts ? told : last.language;
  if (language === last.language && reader === last.reader) return;
  await (await caches.open(SHELL)).put(LAST, new Response(language, { headers: { "Wardroom-Reader": reader } }));
}

/** Who read pages last, and in which language; nobody before any was read. */
async function readLast() {
  const noted = await (await caches.open(SHELL)).match(LAST);
  return { reader: noted?.headers.get("Wardroom-Reader") ?? "", language: noted ? await noted.text() : "en" };
}

/** What the worker before this one knew of who reads: a call may come before the next page. */
async function inherit() {
  const shell = await caches.open(SHELL);
  const noted = await caches.match(LAST);
  if (noted && !(await shell.match(LAST))) await shell.put(LAST, noted);
}

/** @param {(name: string) => boolean} which */
async function drop(which) {
  await Promise.all((await caches.keys()).filter(which).map((name) => caches.delete(name)));
}

/**
 * The last position of a game of one's own, and how old it is.
 * @param {URL} url
 */
async function keptPage(url) {
  const kept = await caches.match(url.pathname);
  if (!kept?.headers.has("Kept-At")) return undefined;
  const language = kept.headers.get("Content-Language") ?? "en";
  const note = `<p class="note bad" id="kept" role="status">${aged(texts(language).asOf, kept, language)}</p>`;
  return asPage((await kept.text()).replace(MARK, () => note));
}

/** The page that says one is offline, and what can be read all the same. */
async function offlinePage() {
  const { language } = await readLast();
  const page = await caches.match(`/offline/${language}`);
  if (!page) return Response.error();
  const rows = (await keptPositions()).map(({ path, response }) => {
    const title = escaped(decodeURIComponent(response.headers.get("Kept-Title") ?? path));
    return `<li><div><a href="${path}">${title}</a><br><span class="small soft">${aged(texts(language).listed, response, language)}</span></div></li>`;
  });
  const list = `<h2>${escaped(texts(language).kept)}</h2><ul class="rows">${rows.join("")}</ul>`;
  return asPage((await page.text()).replace(MARK, () => (rows.length ? list : "")));
}

/** All that was kept, the newest first. */
async function keptPositions() {
  const found = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith(KEPT)) continue;
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const response = await cache.match(request);
      if (response) found.push({ path: new URL(request.url).pathname, response });
    }
  }
  return found.sort((one, other) => keptAt(other.response) - keptAt(one.response));
}

/** @param {Response} kept */
function keptAt(kept) {
  return Number(kept.headers.get("Kept-At"));
}

/**
 * A text with the moment that something was seen, and how long ago that is.
 * @param {string} text
 * @param {Response} kept
 * @param {string} language
 */
function aged(text, kept, language) {
  const at = new Date(keptAt(kept));
  const today = at.toDateString() === new Date().toDateString();
  const day = /** @type {const} */ ({ weekday: "short", day: "numeric", month: "short" });
  const moment = at.toLocaleString(language, { hour: "2-digit", minute: "2-digit", ...(today ? {} : day) });
  return escaped(text.replace("{moment}", moment).replace("{age}", ago(Date.now() - keptAt(kept), language)));
}

/**
 * @param {number} span ms
 * @param {string} language
 */
function ago(span, language) {
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const minutes = Math.round(span / 60_000);
  if (minutes < 60) return words.format(-minutes, "minute");
  if (minutes < 48 * 60) return words.format(-Math.round(minutes / 60), "hour");
  return words.format(-Math.round(minutes / 1440), "day");
}

/** @param {string} language */
function texts(language) {
  return given.texts[language] ?? given.texts.en;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * A page of ours that runs no script.
 * @param {string} html
 */
function asPage(html) {
  const policy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy },
  });
}

// Calls

worker.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

/**
 * Show what one is called for, if it is true still: a call may have waited for hours until this device was there. Browsers
 * want every call to be shown, so what was answered meanwhile is said, without a sound; and of a call for whoever is not
 * the reader here any more, nothing but that one was called.
 * @param {PushMessageData | null} data
 */
async function show(data) {
  const call = read(data);
  const now = await asked();
  const words = texts(call.lang);
  const foreign = !call.reader || (now ? now.reader : (await readLast()).reader) !== call.reader;
  const answered = !foreign && call.asks && now?.games !== undefined && !now.games.includes(call.game ?? "");
  const shown = foreign ? { ...call, title: "Wardroom", body: words.signedOut, path: "/turns" } : call;
  await worker.registration.showNotification(shown.title, {
    body: answered ? words.answered : shown.body,
    tag: call.tag,
    lang: call.lang,
    icon: "/icons/192.png",
    silent: answered,
    data: { path: shown.path, game: call.asks ? call.game : null },
    .../** @type {any} */ ({ timestamp: call.at }),
  });
  await badge(now?.waiting ?? (foreign ? 0 : call.waiting));
}

/**
 * @param {PushMessageData | null} data
 * @returns {Call}
 */
function read(data) {
  const none = { title: "Wardroom", body: "", path: "/turns", tag: "", lang: "en", asks: false, game: null, waiting: 0, at: Date.now(), reader: "" };
  try {
    return { ...none, ...data?.json() };
  } catch {
    return none;
  }
}

/**
 * What is asked just now, in all games; undefined where the server does not say soon.
 * @returns {Promise<{reader: string, waiting?: number, games?: string[]} | undefined>}
 */
async function asked() {
  try {
    const response = await fetch("/turns/asked", { signal: AbortSignal.timeout(PATIENCE), redirect: "manual" });
    if (response.status === 401) return { reader: "" };
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} count */
async function badge(count) {
  const able = /** @type {any} */ (worker.navigator);
  try {
    await (count ? able.setAppBadge?.(count) : able.clearAppBadge?.());
  } catch {
    // a browser that shows none
  }
}

/**
 * Go to a page of ours: where it is open already, there.
 * @param {unknown} path
 */
async function open(path) {
  const url = new URL(typeof path === "string" ? path : "/turns", location.origin);
  if (url.origin !== location.origin) return;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((window) => new URL(window.url).pathname === url.pathname);
  await (there ? there.focus() : worker.clients.openWindow(url.href));
}
