// @ts-check
/** The clock (format.md, section 4): nothing expired early, no due was moved earlier, each gives the time of a move. */

import { fieldOf, Fault, isAlike, isObject } from "../format/canonical.js";
import { isTime } from "../format/forms.js";
import { say } from "../sentences.js";
import { listIn, numberIn } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */
/** @typedef {import("../sentences.js").Sentence} Sentence */
/** @typedef {{due: string | null, latest: string, isNew: boolean, isLate: boolean}} Question the due told last, the latest of all, whether none was told, whether the clock stood for the seat */
/** @typedef {Map<string, Question>} Asked */

const MOVED = "table.deadline-moved";
const REWOUND = "table.rewound";
const TAKEN = ["table.seat-taken-over", "table.seat-taken-by-bot", "table.seat-vacated"];
const ANSWERS = [...TAKEN, "table.turn-expired", "table.caretaker-acted", "table.orders-followed"];
const MOVES = ["table.clock-paused", "table.clock-resumed", MOVED, REWOUND];
const TERMS = { per_move: "P3D", bank: "PT0S", grace: "PT10M", quiet_hours: false, weekends: "count", leave_days: 0 };
const LENGTH = /^P(?!$)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/;
const UNITS = [604800n, 86400n, 3600n, 60n, 1n];
const SECOND = 1000000n;
const DAY = 86400n * SECOND;
export const HELD = say("No turn expired before its due and grace; no due was moved earlier; each gives the move and the bank.");
const UNTOLD = say("no event tells a due");
const PERSONAL = say("nights, weekends and leave of a person are not in the record: a due has bounds alone");

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* clockFaults(bundle) {
  if (![...bundle.events.values()].some(({ data }) => Object.hasOwn(data, "due"))) {
    yield { state: "unchecked", sentence: UNTOLD };
    return;
  }
  const clock = new Clock(fieldOf(bundle.event(1).data, "clock"));
  let holds = true;
  for (const request of requestsIn([...bundle.events.values()]))
    for (const [n, fault] of clock.follow(request)) {
      yield say("event {n}: {fault}", { n, fault });
      holds = false;
    }
  if (clock.isPlain) return;
  if (holds) yield { state: "verified", sentence: HELD };
  yield { state: "unchecked", sentence: PERSONAL };
}

/**
 * Group the events that follow one another and have one cause.
 * @param {any[]} events
 */
function requestsIn(events) {
  /** @type {any[][]} */
  const requests = [];
  for (const event of events)
    if (requests.at(-1)?.[0].cause === event.cause) requests.at(-1)?.push(event);
    else requests.push([event]);
  return requests;
}

/** The clock of a table as the events before tell it: the last question of each seat, and who has answered since. */
class Clock {
  /** @param {unknown} terms */
  constructor(terms) {
    if (!isObject(terms)) throw new Fault(say("“{name}” is of another form", { name: "clock" }));
    /** @type {Record<string, any>} */
    this.terms = { ...TERMS, ...terms };
    this.seats = 0;
    this.stands = false;
    /** @type {Map<string, number>} */
    this.banks = new Map();
    /** @type {Asked} */
    this.asked = new Map();
    /** @type {Asked} */
    this.late = new Map();
    /** @type {Set<string>} */
    this.answered = new Set();
    /** @type {Map<unknown, [Asked, Set<string>]>} Both as they were after each event. */
    this.stood = new Map();
    const { quiet_hours, weekends, leave_days } = this.terms;
    this.isPlain = isAlike([quiet_hours, weekends, leave_days], [false, "count", 0]);
  }

  /**
   * Follow the events of one request and yield what is wrong. Only the last one may have a due.
   * @param {any[]} request
   * @returns {Generator<[number, Sentence]>}
   */
  *follow(request) {
    const last = /** @type {any} */ (request.at(-1));
    const kinds = request.map(({ type }) => type);
    this.late = new Map();
    for (const event of request) {
      const isEarly = Object.hasOwn(event.data, "due") && event !== last;
      const fault = this.event(event, kinds) ?? (isEarly ? say("its due comes early") : null);
      if (fault) yield [event.version, fault];
    }
    const isTold = Object.hasOwn(last.data, "due");
    const isAlone = request.length === 1 && isTold && isAlike(last.actor, { clock: true });
    if (kinds.includes(MOVED) && !isAlone)
      yield [last.version, say("a deadline moved, not by the clock, not alone, or without a due")];
    if (isTold) yield* this.dues(last, request, kinds);
    for (const [seat, question] of this.late)
      if (!Object.hasOwn(last.data.due ?? {}, seat)) {
        this.asked.set(seat, question);
        this.answered.add(seat);
      }
    this.keep(last.version);
  }

  /**
   * @param {any} last
   * @param {any[]} request
   * @param {string[]} kinds
   * @returns {Generator<[number, Sentence]>}
   */
  *dues(last, request, kinds) {
    if (!isObject(last.data.due)) throw new Fault(say("“{name}” is of another form", { name: "due" }));
    const dues = Object.entries(last.data.due);
    if (!dues.length) yield [last.version, say("its due is empty")];
    for (const [seat, due] of dues) {
      const fault = this.due(seat, due, request, kinds);
      if (fault) yield [last.version, fault];
    }
  }

  /**
   * Follow one event. Returns the fault of a turn that expires before its due and grace.
   * @param {any} event
   * @param {string[]} kinds
   */
  event({ data, type, at, actor, version }, kinds) {
    const fault = type === "table.turn-expired" ? this.expiry(String(fieldOf(data, "seat")), at) : null;
    if (type === "table.game-started") this.seats = listIn(fieldOf(data, "seats")).length;
    if (type === "table.bank-changed") this.banks.set(String(fieldOf(data, "seat")), fieldOf(data, "left"));
    this.stands = type === "table.clock-paused" || (this.stands && type !== "table.clock-resumed");
    if (type === REWOUND) this.goBack(fieldOf(data, "to"));
    else if (ANSWERS.includes(type)) this.answered.add(String(fieldOf(data, "seat")));
    else if (!type.startsWith("table.") && !kinds.includes(REWOUND) && Object.hasOwn(actor, "seat"))
      this.answered.add(String(actor.seat));
    if (this.stands) for (const question of this.asked.values()) question.due = null;
    this.keep(version);
    return fault;
  }

  /**
   * @param {string} seat
   * @param {string} at
   */
  expiry(seat, at) {
    const due = this.asked.get(seat)?.due;
    const isLate = due && micros(at) >= micros(due) + lengthOf(this.terms.grace);
    return isLate ? null : say("a turn expired before its due and grace, or without a due");
  }

  /** @param {unknown} to */
  goBack(to) {
    const stood = this.stood.get(to);
    if (!stood) throw new Fault(say("event {n} is not here, or cannot be read", { n: String(to) }));
    this.late = new Map([...this.asked].filter(([, question]) => question.isLate));
    [this.asked, this.answered] = [new Map(stood[0]), new Set(stood[1])];
  }

  /** @param {unknown} version */
  keep(version) {
    this.stood.set(version, [new Map(this.asked), new Set(this.answered)]);
  }

  /**
   * Keep a due of a seat as told. Returns what is wrong with it, if anything.
   * @param {string} seat
   * @param {any} due
   * @param {any[]} request
   * @param {string[]} kinds
   */
  due(seat, due, request, kinds) {
    const isSeat = /^(0|[1-9]\d*)$/.test(seat) && Number(seat) < this.seats;
    if (!isSeat || !(due === null || isTime(due))) return say("its due is of another form");
    const isOfTable = kinds.every((kind) => kind.startsWith("table.") && ![...TAKEN, REWOUND].includes(kind));
    const known = isOfTable || !this.answered.has(seat) ? this.asked.get(seat) : undefined;
    const isLate = kinds.includes("table.clock-resumed") && this.answered.has(seat);
    const question = known ?? { due: null, latest: "", isNew: true, isLate };
    this.asked.set(seat, question);
    const fault = this.dueFault(seat, due, question, request, kinds);
    question.due = due;
    if ((due ?? "") > question.latest) question.latest = due;
    question.isNew = question.isNew && !due && !kinds.includes(REWOUND);
    this.answered.delete(seat);
    return fault;
  }

  /**
   * Return what is wrong with a due, by what was told of the same question before.
   * @param {string} seat
   * @param {string | null} due
   * @param {Question} question
   * @param {any[]} request
   * @param {string[]} kinds
   */
  dueFault(seat, due, question, request, kinds) {
    const given = request.filter(({ type }) => type === "table.time-extended").map(({ data }) => data);
    const own = given.filter((data) => (data.seat ?? null) === null || data.seat === Number(seat));
    const more = own.reduce((sum, data) => sum + BigInt(numberIn(fieldOf(data, "seconds"))) * SECOND, 0n);
    if ((due === null) !== this.stands)
      return say("the due of seat {seat} is null though its clock runs, or a time though it stands", { seat });
    if (due === null) return null;
    if (due < question.latest) return say("the due of seat {seat} is earlier than one told before", { seat });
    if (question.isNew && !kinds.includes(REWOUND)) {
      const [least, most] = this.bounds(seat, question.isLate);
      const time = micros(due) - micros(request.at(-1).at);
      return least <= time && time <= most + more ? null : say("the due of seat {seat} is not the time of a move and its bank", { seat });
    }
    const isExact = question.due && this.isPlain && given.length && !kinds.some((kind) => MOVES.includes(kind));
    if (!isExact || micros(due) === micros(question.due ?? "") + more) return null;
    return say("the due of seat {seat} is not moved by the time given", { seat });
  }

  /**
   * Return the least and the most microseconds from a question to its first due.
   * @param {string} seat
   * @param {boolean} isLate
   */
  bounds(seat, isLate) {
    const left = this.banks.get(seat);
    const bank = left === undefined ? lengthOf(this.terms.bank) : BigInt(numberIn(left)) * SECOND;
    const whole = lengthOf(this.terms.per_move) + bank;
    const least = isLate ? whole - bank : whole;
    if (this.isPlain) return [least, whole];
    const nights = least < DAY ? least / 2n : DAY / 2n;
    const most = 2n * (whole + (BigInt(numberIn(this.terms.leave_days)) + 7n) * DAY);
    return [this.terms.quiet_hours ? least - nights : least, most];
  }
}

/**
 * Return a time as microseconds since 1970.
 * @param {string} time
 */
function micros(time) {
  return BigInt(Date.parse(`${time.slice(0, 23)}Z`)) * 1000n + BigInt(time.slice(23, 26));
}

/**
 * Return a duration in microseconds. Throws a Fault if it is not one.
 * @param {unknown} duration
 */
function lengthOf(duration) {
  const numbers = typeof duration === "string" ? LENGTH.exec(duration) : null;
  if (!numbers) throw new Fault(say("a duration is of another form"));
  return UNITS.reduce((sum, unit, place) => sum + BigInt(numbers[place + 1] ?? 0) * unit, 0n) * SECOND;
}
