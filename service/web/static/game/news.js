// @ts-check
/** News: while the page is looked at, it asks whether the game has moved on, and then shows how. */

import { isOpen, rehearse } from "./draft.js";
import { say } from "./live.js";
import { ALL, lastStep, show, table, version } from "./parts.js";

const SHORTEST = 1000; // ms between two questions
const LONGEST = 60_000;
let patience = SHORTEST;

export async function watchNews() {
  while (!("over" in table().dataset)) {
    await visible();
    const asked = version();
    const wait = await ask(asked);
    if (wait < 0) return;
    await pause(wait + Math.random() * SHORTEST);
  }
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
    if (response.status === 200) {
      const { version: now } = await response.json();
      if (now > version()) await moveOn();
    }
    patience = response.ok ? SHORTEST : Math.min(LONGEST, patience * 2);
    return Math.max(patience, Number(response.headers.get("Retry-After") ?? 0) * 1000);
  } catch {
    patience = Math.min(LONGEST, patience * 2);
    return patience;
  }
}

/** The game has moved on: a draft is kept and rehearsed again, else the page is shown as it is now. */
async function moveOn() {
  if (isOpen()) return rehearse({ check: "1" });
  const response = await fetch(`/g/${table().dataset.game}`, { headers: { Accept: "text/html" } });
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
