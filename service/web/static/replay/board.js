// @ts-check
/** Puts the parts of a step in their places: of the map only what has changed, which then is marked. */

import { read } from "../game/markup.js";

/**
 * @param {HTMLElement} root
 * @param {string} html a step, as the server tells it
 * @returns {HTMLElement | null} what happened in it
 */
export function show(root, html) {
  const page = read(html);
  const focused = document.activeElement;
  const step = swap(root, page, "step");
  const pieces = page.getElementById("pieces");
  if (pieces) {
    draw(root, pieces);
    for (const id of ["near", "beside"]) swap(root, page, id);
  } else {
    for (const id of ["near", "beside"]) root.querySelector(`#${id}`)?.replaceChildren();
    const words = page.getElementById("words");
    if (words) board(root)?.replaceWith(document.adoptNode(words));
  }
  mark(root, (step?.dataset.changed ?? "").split(" "));
  if (focused && !focused.isConnected) /** @type {HTMLElement | null} */ (root.querySelector("#where"))?.focus();
  return step;
}

/** @param {HTMLElement} root */
function board(root) {
  return root.querySelector("#map, #words");
}

/**
 * @param {HTMLElement} root
 * @param {Document} page
 * @param {string} id
 */
function swap(root, page, id) {
  const fresh = page.getElementById(id);
  const old = root.querySelector(`#${id}`);
  if (fresh && old) old.replaceWith(document.adoptNode(fresh));
  else if (fresh) root.querySelector("#scene")?.append(document.adoptNode(fresh));
  return fresh;
}

/**
 * The pieces of the map that came, among those that stay.
 * @param {HTMLElement} root
 * @param {HTMLElement} pieces
 */
function draw(root, pieces) {
  let map = root.querySelector("#map");
  if (!map) {
    map = document.createElement("div");
    map.id = "map";
    map.className = "map";
    board(root)?.replaceWith(map);
  }
  const fresh = pieces.querySelector("svg");
  const old = map.querySelector("svg");
  if (!fresh) return;
  if (!old) return void map.append(document.adoptNode(fresh));
  const ground = fresh.querySelector(":scope > .ground");
  if (ground) old.querySelector(":scope > .ground")?.replaceWith(document.adoptNode(ground));
  const places = new Map(all(old).map((place) => [place.id, place]));
  for (const place of all(fresh)) {
    const before = places.get(place.id);
    places.set(place.id, place);
    document.adoptNode(place);
    if (before) before.replaceWith(place);
    else old.append(place);
  }
  arrange(old, places, (pieces.dataset.places ?? "").split(" "));
}

/**
 * These places and no others, in this order.
 * @param {SVGElement} map
 * @param {Map<string, Element>} places
 * @param {string[]} order
 */
function arrange(map, places, order) {
  for (const [id, place] of places) if (!order.includes(id)) place.remove();
  if (all(map).every((place, number) => place.id === order[number])) return;
  for (const id of order) {
    const place = places.get(id);
    if (place) map.append(place);
  }
}

/**
 * @param {HTMLElement} root
 * @param {string[]} changed
 */
function mark(root, changed) {
  const map = root.querySelector("#map svg");
  if (map) for (const place of all(map)) place.classList.toggle("recent", changed.includes(place.id));
}

/** @param {Element} map */
function all(map) {
  return [...map.querySelectorAll(":scope > .place")];
}
