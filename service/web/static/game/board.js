// @ts-check
/** The board: its places are picked by a click, a tap or a key; it is one stop on the way through the page. */

import { form, rehearse } from "./draft.js";
import { lastStep, say } from "./parts.js";

const TYPING = 900; // ms between two digits of a number
let current = "";
let typed = "";
let typedAt = 0;

/** @returns {SVGGElement[]} */
function places() {
  return [...document.querySelectorAll("#map .place")].map((place) => /** @type {SVGGElement} */ (place));
}

export function watchBoard() {
  prepare();
  document.addEventListener("parts-shown", prepare);
  document.addEventListener("click", (event) => {
    const place = /** @type {Element} */ (event.target).closest?.("#table .place");
    if (place) pick(place);
    if (/** @type {Element} */ (event.target).closest?.("#show-keys")) help();
  });
  document.addEventListener("focusin", (event) => {
    const place = /** @type {Element} */ (event.target).closest?.("#map .place");
    if (place) move(/** @type {SVGGElement} */ (place), false);
  });
  document.addEventListener("keydown", (event) => {
    const place = /** @type {Element} */ (event.target).closest?.("#map .place");
    if (!place || event.ctrlKey || event.altKey || event.metaKey) return;
    if (press(event.key, /** @type {SVGGElement} */ (place))) event.preventDefault();
  });
}

/** Make the places one stop; what can be picked is a button. */
function prepare() {
  const known = places();
  for (const place of known) {
    place.setAttribute("tabindex", "-1");
    place.setAttribute("role", place.classList.contains("lit") && form() ? "button" : "img");
  }
  const named = targets();
  for (const place of document.querySelectorAll("#table .place:not(svg .place)"))
    place.classList.toggle("lit", named.has(place.id));
  const first = known.find((place) => place.id === current) ?? known.find((place) => place.classList.contains("lit")) ?? known[0];
  first?.setAttribute("tabindex", "0");
  const keys = document.getElementById("show-keys");
  if (keys) keys.hidden = known.length === 0;
}

/** The places that can be named next: rows and lines of the tables among them, which have buttons of their own. */
function targets() {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#question button")]);
  return new Set(buttons.map(({ dataset }) => dataset.target ?? ""));
}

/**
 * @param {SVGGElement} place
 * @param {boolean} focus
 */
function move(place, focus = true) {
  for (const other of places()) other.setAttribute("tabindex", other === place ? "0" : "-1");
  current = place.id;
  if (focus) place.focus();
}

/** @param {Element} place */
function pick(place) {
  if (!form()) return;
  if (place instanceof SVGGElement) {
    current = place.id;
    place.focus({ preventScroll: true });
  }
  const options = [...document.querySelectorAll("#question button[data-target]")].filter(
    (button) => /** @type {HTMLElement} */ (button).dataset.target === place.id,
  );
  const [only, ...others] = /** @type {HTMLButtonElement[]} */ (options);
  if (only && !others.length) return void rehearse({ pick: only.value });
  const leads = [...document.querySelectorAll("#question button[data-leads-to]")].some((button) =>
    (/** @type {HTMLElement} */ (button).dataset.leadsTo ?? "").split(" ").includes(place.id),
  );
  const isBegun = document.getElementById("again"); // then what is asked is not where to begin
  if ((only || leads) && !isBegun) return void rehearse({ at: place.id });
  if (place instanceof SVGGElement) remind(place);
}

/**
 * Say and show what is asked, and leave the line as it is.
 * @param {SVGGElement} place one that does not answer it
 */
function remind(place) {
  const hint = document.getElementById("hint") ?? document.createElement("p");
  const textContent = `${title(place).split(/[;,]/)[0]} ${document.getElementById("map")?.dataset.no} ${asked()}`;
  Object.assign(hint, { id: "hint", className: "note", textContent, ariaHidden: "true" });
  document.getElementById("question")?.before(hint);
  hint.scrollIntoView({ block: "nearest" });
  say(textContent);
}

function asked() {
  return document.querySelector("#question legend")?.textContent ?? "";
}

/** @param {Element} place */
function title(place) {
  return place.querySelector("title")?.textContent ?? "";
}

/**
 * @param {string} key
 * @param {SVGGElement} place
 * @returns {boolean} whether the key means something here
 */
function press(key, place) {
  switch (key) {
    case "ArrowLeft": return go(neighbour(place, -1, 0));
    case "ArrowRight": return go(neighbour(place, 1, 0));
    case "ArrowUp": return go(neighbour(place, 0, -1));
    case "ArrowDown": return go(neighbour(place, 0, 1));
    case "n": return go(legal(place, 1));
    case "p": return go(legal(place, -1));
    case "Enter":
    case " ": pick(place); return true;
    case "Escape": return click("#again");
    case "Backspace": return click(".draft-lines li:last-child button[name=drop]");
    case "r": say(title(place)); return true;
    case "t": say(document.querySelector(".deadlines li")?.textContent?.replace(/\s+/g, " ")); return true;
    case "l": say(lastStep()); return true;
    case "m": say(choices()); return true;
    case "?": help(); return true;
    default: return /^[0-9]$/.test(key) ? go(numbered(key, place)) : lettered(key);
  }
}

/** What may be picked, as it is read. */
function choices() {
  const labels = [...document.querySelectorAll("#question .choice")].map((button) => button.textContent?.trim());
  return `${asked()} ${labels.join(", ")}`;
}

/** @param {SVGGElement | undefined} place */
function go(place) {
  if (place) move(place);
  return true;
}

/** @param {string} selector */
function click(selector) {
  /** @type {HTMLElement | null} */ (document.querySelector(selector))?.click();
  return true;
}

/**
 * The nearest place in a direction: what lies aside counts double.
 * @param {SVGGElement} place
 * @param {number} right
 * @param {number} down
 */
function neighbour(place, right, down) {
  const [x, y] = middle(place);
  const found = places()
    .filter((other) => other !== place)
    .map((other) => {
      const [to, below] = middle(other);
      const ahead = (to - x) * right + (below - y) * down;
      const aside = Math.abs((to - x) * down) + Math.abs((below - y) * right);
      return { other, ahead, far: ahead + 2 * aside };
    })
    .filter(({ ahead, far }) => ahead > 0 && far < 5 * ahead)
    .sort((one, another) => one.far - another.far);
  return found[0]?.other;
}

/** @param {SVGGElement} place */
function middle(place) {
  return [Number(place.dataset.x), Number(place.dataset.y)];
}

/**
 * The next place that may be picked, or the one before.
 * @param {SVGGElement} place
 * @param {number} step
 */
function legal(place, step) {
  const known = places();
  const start = known.indexOf(place);
  for (let far = 1; far <= known.length; far += 1) {
    const other = known[(start + step * far + known.length * far) % known.length];
    if (other?.classList.contains("lit")) return other;
  }
  return undefined;
}

/**
 * The place with the number that is being typed; where places have letters before it, in the same part of the board.
 * @param {string} digit
 * @param {SVGGElement} place
 */
function numbered(digit, place) {
  const now = performance.now();
  typed = now - typedAt < TYPING ? typed + digit : digit;
  typedAt = now;
  const letter = /^[A-Z]/.exec(place.dataset.place ?? "")?.[0] ?? "";
  const named = (/** @type {string} */ name) => places().find((other) => other.dataset.place === name);
  return named(letter + typed) ?? named(letter + digit);
}

/**
 * The first place of the part of the board with this letter, where parts have letters.
 * @param {string} key
 */
function lettered(key) {
  const first = places().find((place) => /^[A-Z][0-9]/.test(place.dataset.place ?? "") && place.dataset.place?.[0] === key.toUpperCase());
  if (first) move(first);
  return Boolean(first);
}

function help() {
  const dialog = document.getElementById("keys");
  if (dialog instanceof HTMLDialogElement) dialog.showModal();
}
