// @ts-check
/** The bar of a replay: links, slider, play and keys; each step is in the address, and is said once. */

import { say, unreachable } from "../game/parts.js";
import { Player } from "./player.js";

/** Things that use arrows and other keys themselves. */
const FIELDS = "input:not(#slider), select, textarea";
const USE_SPACE = `${FIELDS}, button, summary`;

/** @param {HTMLElement} root */
export function watchControls(root) {
  new Controls(root);
}

class Controls {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.player = new Player(root, (place, step) => this.shown(place, step));
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("#slider"));
    this.button = /** @type {HTMLButtonElement} */ (root.querySelector("#play"));
    this.speed = /** @type {HTMLSelectElement} */ (root.querySelector("#speed"));
    this.chapters = /** @type {HTMLAnchorElement[]} */ ([...root.querySelectorAll("#chapters a")]);
    /** The places at which chapters begin. */
    this.begin = this.chapters.map((chapter) => this.player.stops.indexOf(Number(chapter.dataset.version)));
    /** @type {number | undefined} */
    this.timer = undefined;
    for (const id of ["#slide", "#play", "#keys", "#copy"]) /** @type {HTMLElement | null} */ (root.querySelector(id))?.removeAttribute("hidden");
    this.slider.value = String(this.player.place); // a browser that comes back restores another
    this.slider.addEventListener("input", () => this.slide());
    this.button.addEventListener("click", () => this.toggle());
    root.addEventListener("click", (event) => this.follow(event));
    document.addEventListener("keydown", (event) => {
      if (this.press(event)) event.preventDefault();
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.pause());
    root.querySelector("#copy")?.addEventListener("click", () => void this.copy());
    if ("requestIdleCallback" in window) requestIdleCallback(() => this.player.prepare());
    else this.player.prepare();
  }

  /**
   * @param {number} place
   * @param {boolean} [bySlider]
   */
  async go(place, bySlider = false) {
    const outcome = await this.player.go(place);
    if (outcome === "stale") location.assign(this.address(this.player.stops[Math.max(0, Math.min(this.player.last, place))] ?? 1));
    if (outcome === "unreachable") {
      this.pause();
      unreachable(this.root);
      if (bySlider) this.slider.value = String(this.player.place);
    } else if (outcome === "shown") document.getElementById("offline")?.remove();
    return outcome;
  }

  /**
   * A step is shown: the page tells which, everywhere it does.
   * @param {number} place
   * @param {HTMLElement | null} step
   */
  shown(place, step) {
    const version = this.player.version;
    const numbered = this.numbered(version);
    const told = step?.dataset.said ?? "";
    const where = this.root.querySelector("#where");
    document.title = document.title.replace(where?.textContent ?? numbered, numbered);
    if (where) where.textContent = numbered;
    this.slider.value = String(place);
    this.slider.setAttribute("aria-valuetext", `${numbered}: ${told}`);
    history.replaceState(null, "", this.address(version));
    this.point(place);
    const fields = { link: `${location.origin}${this.address(version)}`, "go-to": String(version) };
    for (const [id, value] of Object.entries(fields)) {
      const field = this.root.querySelector(`#${id}`);
      if (field instanceof HTMLInputElement) field.value = value;
    }
    if (document.activeElement !== this.slider) say(told || numbered); // else it is the slider that says it
  }

  /**
   * The links lead on from here.
   * @param {number} place
   */
  point(place) {
    const { last, stops } = this.player;
    const ways = { first: place > 0 ? 0 : -1, before: place - 1, next: place < last ? place + 1 : -1, last: place < last ? last : -1 };
    for (const [id, to] of Object.entries(ways)) {
      const link = this.root.querySelector(`#${id}`);
      if (to >= 0) {
        link?.setAttribute("href", this.address(stops[to] ?? 1));
        link?.removeAttribute("aria-disabled");
        link?.removeAttribute("tabindex");
        link?.removeAttribute("role");
      } else {
        link?.removeAttribute("href");
        link?.setAttribute("aria-disabled", "true");
        link?.setAttribute("role", "link");
        link?.setAttribute("tabindex", "-1"); // keeps the focus, where it has it
      }
    }
    const here = this.chapter(place);
    const named = this.root.querySelector("#chapter");
    if (named) named.textContent = here < 0 ? "" : ` · ${this.chapters[here]?.textContent}`;
    this.chapters.forEach((chapter, number) => {
      if (number === here) chapter.setAttribute("aria-current", "true");
      else chapter.removeAttribute("aria-current");
    });
    for (const eyes of this.root.querySelectorAll(".eyes a"))
      eyes.setAttribute("href", this.address(this.player.version, /** @type {HTMLElement} */ (eyes).dataset.whose));
  }

  /** The slider was moved: it tells where it is at once, and the step when it is there. */
  slide() {
    this.pause();
    const place = Number(this.slider.value);
    const heading = this.chapters[this.chapter(place)]?.textContent ?? "";
    this.slider.setAttribute("aria-valuetext", [this.numbered(this.player.stops[place] ?? 0), heading].filter(Boolean).join(", "));
    void this.go(place, true);
  }

  /**
   * A link to a step that is in this replay is followed in place.
   * @param {MouseEvent} event
   */
  follow(event) {
    const link = /** @type {Element} */ (event.target).closest?.("#bar a[href], #chapters a, a[data-version]");
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const { last, stops } = this.player;
    const named = { first: 0, before: this.player.wanted - 1, next: this.player.wanted + 1, last }[link.id];
    const place = named ?? stops.indexOf(Number(link.dataset.version));
    if (place < 0 || (link.id === "" && !link.dataset.version)) return;
    event.preventDefault();
    this.pause();
    void this.go(place);
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key means something here
   */
  press(event) {
    const on = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || event.defaultPrevented) return false;
    if (event.key === " ") return !on.closest?.(USE_SPACE) && (this.toggle(), true);
    if (on.closest?.(FIELDS)) return false;
    const { last, wanted } = this.player;
    const ways = {
      ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: last,
      PageUp: this.chapterBefore(wanted), PageDown: this.chapterAfter(wanted),
    };
    const to = ways[/** @type {keyof typeof ways} */ (event.key)];
    if (to === undefined) return false;
    this.pause();
    void this.go(to);
    return true;
  }

  toggle() {
    if (this.timer !== undefined) return this.pause();
    this.button.classList.add("playing");
    this.name(this.button.dataset.pause);
    const again = this.player.place === this.player.last;
    this.timer = 0;
    void this.play(again ? 0 : this.player.place + 1);
  }

  /** @param {number} place */
  async play(place) {
    const outcome = await this.go(place);
    if (this.timer === undefined || outcome !== "shown") return;
    if (this.player.place === this.player.last) return this.pause();
    this.timer = setTimeout(() => void this.play(this.player.place + 1), Number(this.speed.value));
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.button.classList.remove("playing");
    this.name(this.button.dataset.play);
  }

  /** @param {string | undefined} name */
  name(name = "") {
    this.button.title = name;
    const named = this.root.querySelector("#play-name");
    if (named && named.textContent !== name) named.textContent = name;
  }

  /**
   * The chapter that has begun last.
   * @param {number} place
   */
  chapter(place) {
    return this.begin.filter((begin) => begin <= place).length - 1;
  }

  /** @param {number} place */
  chapterBefore(place) {
    return this.begin.filter((begin) => begin < place).at(-1) ?? 0;
  }

  /** @param {number} place */
  chapterAfter(place) {
    return this.begin.find((begin) => begin > place) ?? this.player.last;
  }

  /** @param {number} version */
  numbered(version) {
    return (this.root.dataset.versionOf ?? "{version}").replace("{version}", String(version));
  }

  /**
   * The address of a version, as the server writes it.
   * @param {number} version
   * @param {string} [whose]
   */
  address(version, whose = this.root.dataset.whose ?? "") {
    const { page, part } = this.root.dataset;
    const first = part?.split("-")[0];
    const at = part ? `${part}${String(version) === first ? "" : `&at=${version}`}` : String(version);
    return `${page}?v=${at}${whose ? `&as=${whose}` : ""}`;
  }

  async copy() {
    const field = /** @type {HTMLInputElement} */ (this.root.querySelector("#link"));
    const done = /** @type {HTMLElement} */ (this.root.querySelector("#copy")).dataset.done;
    try {
      await navigator.clipboard.writeText(field.value);
      say(done);
    } catch {
      field.select();
    }
  }
}
