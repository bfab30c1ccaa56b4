// @ts-check
/** Walks through a replay: asks for steps, two ahead each way, and shows them; what nobody waits for any more is dropped. */

import { show } from "./board.js";

const KEPT = 24; // steps in memory; the browser keeps more, for none of them ever changes
const AHEAD = 2;

/** @typedef {"shown" | "overtaken" | "unreachable" | "stale"} Outcome */

export class Player {
  /**
   * @param {HTMLElement} root holds the map and the tables; its data say where the steps are and which there are
   * @param {(place: number, step: HTMLElement | null) => void} shown is told of each step, once
   */
  constructor(root, shown) {
    this.root = root;
    this.shown = shown;
    /** The versions to stop at. */
    this.stops = (root.dataset.stops ?? "").split(" ").map(Number);
    this.place = Number(root.dataset.place);
    this.start = root.dataset.start ?? "0";
    this.steps = root.dataset.steps ?? "";
    this.wanted = this.place;
    this.turn = 0;
    /** @type {Map<string, string>} */
    this.kept = new Map();
    /** @type {Map<string, {text: Promise<string>, leave: AbortController}>} */
    this.coming = new Map();
  }

  get last() {
    return this.stops.length - 1;
  }

  /** The version that is shown. */
  get version() {
    return this.stops[this.place] ?? 0;
  }

  /**
   * Show another step. What is in memory is shown at once.
   * @param {number} place
   * @returns {Promise<Outcome>}
   */
  async go(place) {
    const to = Math.max(0, Math.min(this.last, place));
    const turn = ++this.turn;
    this.wanted = to;
    if (to === this.place) return "shown";
    const address = this.address(this.place, to);
    let text = this.kept.get(address);
    if (text === undefined) {
      this.drop([address]);
      try {
        text = await this.ask(address);
      } catch (error) {
        if (turn !== this.turn) return "overtaken";
        this.wanted = this.place;
        return error instanceof Stale ? "stale" : "unreachable";
      }
      if (turn !== this.turn) return "overtaken";
    }
    const step = show(this.root, text);
    this.place = to;
    this.shown(to, step);
    this.prepare();
    return "shown";
  }

  /** Ask for the steps that are likely next. */
  prepare() {
    const wanted = [];
    for (let far = 0; far < AHEAD; far += 1) {
      if (this.place + far < this.last) wanted.push(this.address(this.place + far, this.place + far + 1));
      if (this.place - far > 0) wanted.push(this.address(this.place - far, this.place - far - 1));
    }
    this.drop(wanted);
    for (const address of wanted) if (!this.kept.has(address)) this.ask(address).catch(() => undefined);
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  address(from, to) {
    return `${this.steps}?v=${this.stops[to]}&from=${this.stops[from]}&after=${to ? this.stops[to - 1] : this.start}`;
  }

  /**
   * @param {string} address
   * @returns {Promise<string>}
   */
  ask(address) {
    const before = this.coming.get(address);
    if (before) return before.text;
    const leave = new AbortController();
    const text = load(address, leave.signal)
      .then((found) => {
        this.keep(address, found);
        return found;
      })
      .finally(() => this.coming.get(address)?.leave === leave && this.coming.delete(address));
    this.coming.set(address, { text, leave });
    return text;
  }

  /**
   * Give up what was asked for, but for these.
   * @param {string[]} wanted
   */
  drop(wanted) {
    for (const [address, { leave }] of this.coming)
      if (!wanted.includes(address)) {
        this.coming.delete(address);
        leave.abort();
      }
  }

  /**
   * @param {string} address
   * @param {string} text
   */
  keep(address, text) {
    this.kept.set(address, text);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break;
      this.kept.delete(oldest);
    }
  }
}

/** The page is of another time: the game was ended or taken back since. */
class Stale extends Error {}

/**
 * @param {string} address
 * @param {AbortSignal} signal
 */
async function load(address, signal) {
  const response = await fetch(address, { signal, headers: { Accept: "text/html" } });
  if (response.status === 409 || response.redirected || response.status === 404) throw new Stale();
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}
