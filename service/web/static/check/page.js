// @ts-check
/** The page that checks a game: what is given to it, how far it is, and what came of it. */

import { checkBundle } from "./bundle.js";
import { canDigest } from "./format/digests.js";
import { readFile, readText } from "./kept.js";
import { addressOf, line, logLines } from "./log.js";
import { keysText, reportText } from "./report.js";
import { say, told } from "./sentences.js";
import { showReport } from "./shown.js";

/** @typedef {import("./kept.js").Given} Given */
/** @typedef {import("./sentences.js").Sentence} Sentence */

const SLICE = 40; // ms of work between two moments for the page

/**
 * Let a page be used.
 * @param {HTMLElement} root
 */
export function start(root) {
  new CheckPage(root);
}

class CheckPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Map<string, string>} */
    this.words = new Map(Object.entries(JSON.parse(root.dataset.texts || "{}")));
    /** @type {Given[]} */
    this.given = [];
    this.reading = Promise.resolve(); // ends when all that was chosen so far is read
    /** @type {AbortController | null} */
    this.running = null;
    this.form = /** @type {HTMLFormElement} */ (this.part("form"));
    this.form.hidden = !canDigest();
    if (canDigest()) this.listen();
    else this.refuse(say("On a page that comes by http from another computer, this browser computes no digests for anybody: nothing was checked. Open this page by https, or download it and open the file."));
  }

  listen() {
    const { root } = this;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.check();
    });
    root.addEventListener("change", (event) => void this.take(event.target));
    root.addEventListener("click", (event) => this.press(/** @type {Element} */ (event.target)));
    root.addEventListener("dragover", (event) => this.hover(event, true));
    root.addEventListener("dragleave", (event) => this.hover(event, false));
    root.addEventListener("drop", (event) => {
      this.hover(event, false);
      void this.add([...(event.dataTransfer?.files ?? [])]);
    });
    this.list();
  }

  /**
   * @param {string} name
   * @returns {HTMLElement}
   */
  part(name) {
    return /** @type {HTMLElement} */ (this.root.querySelector(`[data-part="${name}"]`));
  }

  /** @param {Sentence} sentence */
  word(sentence) {
    return told(sentence, this.words);
  }

  /**
   * Say once to whoever hears the page.
   * @param {Sentence} sentence
   */
  announce(sentence) {
    this.part("status").textContent = this.word(sentence);
  }

  /** @param {Sentence} sentence */
  refuse(sentence) {
    const fault = this.part("fault");
    fault.textContent = this.word(sentence);
    fault.hidden = false;
    fault.focus();
  }

  /** @param {EventTarget | null} target */
  async take(target) {
    if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
    await this.add([...(target.files ?? [])]);
    target.value = "";
  }

  /**
   * Files that were chosen or dropped, whatever they are: one choice after the other.
   * @param {File[]} files
   */
  add(files) {
    this.reading = this.reading.then(() => this.read(files)).catch(() => {
      this.list();
      this.refuse(say("A file could not be read. Choose it again."));
    });
    return this.reading;
  }

  /** @param {File[]} files */
  async read(files) {
    for (const file of files) {
      const given = readFile(file.name, new Uint8Array(await file.arrayBuffer()));
      if (given.bundle || given.keys) this.given = this.given.filter((other) => !(given.bundle ? other.bundle : other.keys));
      this.given = [...this.given.filter((other) => other.name !== given.name || other.bundle || other.keys), given];
    }
    this.list();
    const last = this.given.at(-1);
    if (files.length && last) this.announce(say("{name}: {what}", { name: last.name, what: whatIs(last) }));
  }

  /** Show what was given. */
  list() {
    const rows = this.given.map((given, place) => this.row(given, place));
    this.part("given").replaceChildren(...rows);
    const isChosen = this.given.some(({ bundle }) => bundle);
    const source = this.part("source");
    if (source) source.hidden = isChosen;
    this.part("fault").hidden = true;
  }

  /**
   * @param {Given} given
   * @param {number} place
   */
  row(given, place) {
    const row = document.createElement("li");
    const text = document.createElement("div");
    const name = document.createElement("bdi");
    name.textContent = given.name;
    text.append(name, `: ${this.word(whatIs(given))}`);
    if (given.fault) text.className = "fault";
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.remove = String(place);
    button.textContent = this.word(say("Remove"));
    button.setAttribute("aria-label", this.word(say("Remove {name}", { name: given.name })));
    row.append(text, button);
    return row;
  }

  /** @param {Element} target */
  press(target) {
    const button = target.closest?.("button");
    if (!(button instanceof HTMLButtonElement)) return;
    if (button.dataset.remove) {
      this.given.splice(Number(button.dataset.remove), 1);
      this.list();
      this.part("files").focus();
    }
    if (button.dataset.act === "cancel") this.running?.abort();
    if (button.dataset.act === "copy") void this.copy();
    if (button.dataset.act === "report" && this.text) save("wardroom-check.txt", this.text, "text/plain");
    if (button.dataset.act === "bundle" && this.report) save(bundleName(this.report.bundle), this.report.bundle.raw, "application/zip");
    if (button.dataset.act === "keys" && this.report) save("wardroom-keys.json", keysText(this.report.bundle), "application/json");
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.text ?? "");
      this.announce(say("The report is copied."));
    } catch {
      this.announce(say("This browser does not let a page copy: download the report instead."));
    }
  }

  /**
   * @param {DragEvent} event
   * @param {boolean} isOver
   */
  hover(event, isOver) {
    event.preventDefault();
    this.part("drop").classList.toggle("over", isOver);
  }

  /** Check what was given, with what is typed. */
  async check() {
    await this.reading;
    if (this.running) return;
    const typed = /** @type {HTMLTextAreaElement} */ (this.part("typed"));
    const all = [...this.given, ...readText(typed.value)];
    const fault = all.find((given) => given.fault);
    if (fault?.fault) {
      typed.setAttribute("aria-invalid", String(!this.given.includes(fault)));
      return this.refuse(say("{name}: {what}", { name: fault.name, what: fault.fault }));
    }
    typed.removeAttribute("aria-invalid");
    this.part("fault").hidden = true;
    this.running = new AbortController();
    this.part("result").hidden = true;
    this.part("progress").hidden = false;
    this.announce(say("Checking …"));
    try {
      await this.run(all, this.running.signal);
    } catch (error) {
      this.refuse(isSentence(error) ? error : say("The check was given up."));
    } finally {
      this.running = null;
      this.part("progress").hidden = true;
    }
  }

  /**
   * @param {Given[]} all
   * @param {AbortSignal} signal
   */
  async run(all, signal) {
    const bar = /** @type {HTMLProgressElement} */ (this.root.querySelector("progress"));
    const bundle = all.find((given) => given.bundle)?.bundle ?? (await this.download(signal));
    const kept = all.flatMap(({ name, tellings }) => tellings.map((telling) => ({ name, telling })));
    const noted = all.find(({ keys }) => keys)?.keys ?? null;
    let since = performance.now();
    const report = await checkBundle(bundle, kept, noted, async (done, total) => {
      if (performance.now() - since < SLICE) return;
      bar.max = total;
      bar.value = done;
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      since = performance.now();
    });
    report.lines.push(...(await this.logged(all, report, signal)));
    report.isSound = report.lines.every(({ state }) => state !== "broken");
    this.report = report;
    this.text = await reportText(report, new Date());
    this.part("status").textContent = "";
    showReport(this.part("result"), report, kept, this.text, (sentence) => this.word(sentence));
  }

  /**
   * Lines about the house log, where a mail told of its head: by its answer, given or downloaded.
   * @param {Given[]} all
   * @param {import("./bundle.js").Report} report
   * @param {AbortSignal} signal
   */
  async logged(all, { bundle }, signal) {
    const heads = all.flatMap((given) => given.heads);
    const logs = all.flatMap((given) => (given.log ? [given.log] : []));
    const lines = [];
    for (const head of logs.length ? [] : heads) lines.push(...(await this.askLog(head, bundle, signal)));
    for (const log of logs) lines.push(...(await logLines(log, heads, bundle)));
    return lines;
  }

  /**
   * @param {import("./kept.js").LogHead} head
   * @param {import("./parts/state.js").Bundle} bundle
   * @param {AbortSignal} signal
   */
  async askLog(head, bundle, signal) {
    if (!this.root.dataset.bundle) return [];
    const answer = await fetch(addressOf(head, bundle), { signal }).catch(() => null);
    signal.throwIfAborted();
    if (answer?.ok) return logLines(await answer.json(), [head], bundle);
    const sentence = answer?.status === 404
      ? say("the host says that its log never had {n} entries, of which your mail tells", { n: head.size })
      : say("the log of the host could not be downloaded");
    return [line(answer?.status === 404 ? "broken" : "unchecked", sentence)];
  }

  /**
   * The bundle from the service this page came from.
   * @param {AbortSignal} signal
   */
  async download(signal) {
    const address = this.root.dataset.bundle;
    if (!address) throw say("Choose the bundle of a game first: a file that ends in .zip.");
    let answer;
    try {
      answer = await fetch(address, { signal });
    } catch {
      signal.throwIfAborted();
      throw say("The bundle could not be downloaded: are you online? A bundle from your disk can be checked all the same.");
    }
    if (answer.ok && answer.headers.get("Content-Type") === "application/zip") return new Uint8Array(await answer.arrayBuffer());
    if (answer.status === 429) throw say("The service is busy making a bundle: try again in a minute.");
    if (answer.status === 503) throw say("The service cannot give out this game's bundle just now. Ask the host why, and keep your mails.");
    throw say("The service did not give out the bundle. Sign in again, or choose a bundle from your disk.");
  }
}

/**
 * What was found in something given.
 * @param {Given} given
 * @returns {Sentence}
 */
function whatIs({ fault, bundle, keys, log, tellings }) {
  if (fault) return fault;
  if (bundle) return say("a bundle");
  if (keys) return say("keys of a host: {n}", { n: keys.size });
  if (log) return say("an answer of the house log");
  if (!tellings.length) return say("it tells of the house log");
  return say("it tells of event {n}", { n: tellings.map(({ version }) => version).join(", ") });
}

/**
 * @param {unknown} error
 * @returns {error is Sentence}
 */
function isSentence(error) {
  return typeof error === "object" && error !== null && "about" in error && !(error instanceof Error);
}

/**
 * The name that the service gives to a bundle.
 * @param {import("./parts/state.js").Bundle} bundle
 */
function bundleName({ events }) {
  const game = String(events.get(1)?.game ?? "game").replace(/[^0-9a-z]/gi, "");
  return `wardroom-${game}-${events.size}.zip`;
}

/**
 * @param {string} name
 * @param {string | Uint8Array<ArrayBuffer>} text
 * @param {string} type
 */
function save(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
