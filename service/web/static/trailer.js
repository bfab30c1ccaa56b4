// @ts-check
/** The first page plays the last steps of a game, once, and can be stopped; where motion is not wanted, when asked to. */

import { Player } from "./replay/player.js";

const PACE = 1800; // ms a step
const root = document.getElementById("trailer");
const button = document.getElementById("trailer-play");
const told = document.getElementById("trailer-told");

if (root && button && told) {
  const player = new Player(root, (_, step) => (told.textContent = step?.dataset.said ?? ""));
  /** @type {number | undefined} */
  let timer;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
    button.textContent = button.dataset.play ?? "";
  };
  /** @param {number} place */
  const play = async (place) => {
    const outcome = await player.go(place);
    if (timer === undefined) return;
    if (outcome !== "shown" || player.place === player.last) return stop();
    timer = setTimeout(() => void play(player.place + 1), PACE);
  };
  const start = () => {
    button.textContent = button.dataset.pause ?? "";
    timer = setTimeout(() => void play(player.place === player.last ? 0 : player.place + 1), 0);
  };
  button.hidden = false;
  button.addEventListener("click", () => (timer === undefined ? start() : stop()));
  document.addEventListener("visibilitychange", () => document.hidden && stop());
  if (matchMedia("(prefers-reduced-motion: no-preference)").matches && !document.hidden) timer = setTimeout(start, PACE);
}
