// @ts-check
/** The shelf: a draft that was not sent is kept on this device, but never one that is sealed. */

import { table } from "./parts.js";

/** @returns {string} */
function place() {
  const { game, seat } = table().dataset;
  return `wardroom draft ${game} ${seat}`;
}

/** @param {string} text */
export function keep(text) {
  try {
    if (text.trim()) localStorage.setItem(place(), text);
    else localStorage.removeItem(place());
  } catch {
    // a browser that keeps nothing
  }
}

/** What was kept; "" for nothing. */
export function kept() {
  try {
    return localStorage.getItem(place()) ?? "";
  } catch {
    return "";
  }
}
