// @ts-check
/** A lesson: the board and the draft of a game's page; and how far one is, kept on this device and nowhere else. */

import { watchBoard } from "./game/board.js";
import { watchDraft } from "./game/draft.js";

/** @param {string} lesson */
function shelf(lesson) {
  return `wardroom lesson ${lesson}`;
}

/**
 * The address at which a lesson was left; "" for none, or for what is no such address.
 * @param {string} lesson
 */
function left(lesson) {
  try {
    const address = localStorage.getItem(shelf(lesson)) ?? "";
    return new RegExp(`^/learn/${lesson}/at/[A-Za-z0-9._-]{1,2000}$`).test(address) ? address : "";
  } catch {
    return "";
  }
}

/** Keep the place that is shown; a lesson that is over is begun anew the next time. */
function keep() {
  const { lesson } = document.getElementById("table")?.dataset ?? {};
  const { at, done } = document.getElementById("status")?.dataset ?? {};
  if (!lesson || !at) return;
  try {
    if (done !== undefined) localStorage.removeItem(shelf(lesson));
    else if (at.includes("/at/")) localStorage.setItem(shelf(lesson), at);
  } catch {
    // a browser that keeps nothing
  }
}

/** Offer to go on where a lesson was left. */
function offer() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-resume]"))) {
    const address = left(link.dataset.resume ?? "");
    if (address) link.href = address;
    link.hidden = !address;
  }
}

offer();
if (document.getElementById("draft-form") || document.getElementById("map")) {
  watchDraft();
  watchBoard();
  document.addEventListener("parts-shown", keep);
  keep();
}
