// @ts-check
/** What stands beside the history: notices, checkpoints, keys (format.md, sections 7 to 9). */

import { fromHex, hexOf } from "../format/bytes.js";
import { canonical, fieldOf, Fault, part } from "../format/canonical.js";
import { sha256 } from "../format/digests.js";
import { distrust } from "../format/signatures.js";
import { say } from "../sentences.js";
import { headOf, isAscending, isNothing, listIn, numberIn, signedPart, unlike } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* noticeFaults(bundle) {
  const notices = listIn(fieldOf(bundle.doc("notices.json"), "notices"));
  const seats = fieldOf(bundle.event(1).data, "seats");
  const places = notices.map((row) => ["queued", "version", "seat", "kind"].map((name) => fieldOf(row, name)));
  if (places.some((place, n) => n > 0 && isBefore(place, places[n - 1]))) yield say("they are out of order");
  for (const row of notices) {
    const { version, sent, state, seat, queued } = part(row, "version sent state seat queued");
    const reader = fieldOf(bundle.doc("manifest.json"), "reader");
    const at = bundle.events.get(version)?.at ?? "";
    const right = {
      version: bundle.events.has(version),
      sent: (sent !== null) === ["sent", "bounced"].includes(state),
      seat: bundle.over() ? numberIn(seat) < numberIn(seats) : seat === reader,
      time: at <= textIn(queued) && queued <= textIn(sent || queued),
    };
    for (const [name, isRight] of Object.entries(right))
      if (!isRight) yield say("event {n}: a notice of it has a {name} that cannot be", { n: String(version), name });
  }
}

/**
 * Whether a row of values comes before another, by the first that differs. Throws a Fault for values of two kinds.
 * @param {any[]} one
 * @param {any[]} other
 */
function isBefore(one, other) {
  const place = one.findIndex((value, n) => value !== other[n]);
  if (place < 0) return false;
  if (typeof one[place] !== typeof other[place] || typeof one[place] === "object") throw new Fault(say("a field is of another form"));
  return one[place] < other[place];
}

/** @param {unknown} value */
function textIn(value) {
  if (typeof value !== "string") throw new Fault(say("a time is of another form"));
  return value;
}

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* checkpointFaults(bundle) {
  const points = listIn(fieldOf(bundle.doc("checkpoints.json"), "checkpoints"));
  const numbers = points.map((point) => fieldOf(point, "version"));
  for (const point of points) {
    const n = String(point.version);
    const right = signedPart(await headOf(bundle.event(point.version)));
    yield* unlike(point, right, (name) => say("checkpoint of event {n}: {name} is not as it must be", { n, name }));
    const fault = await distrust(bundle.listed(), point, "checkpoint", canonical(signedPart(point)));
    yield fault && say("checkpoint of event {n}: {fault}", { n, fault });
  }
  const last = bundle.last();
  if (!isAscending(numbers) || numbers.at(-1) !== last) yield say("out of order, or none is of the last event");
}

/**
 * Each key has its id, and is known or endorsed by one before it that is.
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* keyFaults(bundle) {
  const { trusted, noted } = bundle;
  const listed = new Set();
  let since = "";
  for (const key of listIn(fieldOf(bundle.doc("keys.json"), "keys"))) {
    const by = fieldOf(key, "endorsement");
    const own = hexOf(await sha256(fromHex(fieldOf(key, "public")))).slice(0, 16);
    const isLoose = isNothing(by);
    const fault = !isLoose ? await distrust(trusted, by, "key", canonical(part(key, "id public since"))) : null;
    const isKnown = !isLoose || noted === null || noted.get(own) === key.public;
    const isGood = !fault && own === fieldOf(key, "id") && isKnown;
    if (isGood) trusted.set(own, key.public);
    const id = String(key.id);
    if (listed.has(own) || textIn(fieldOf(key, "since")) < since)
      yield say("key {id}: it is listed twice, or is older than the one before it", { id });
    listed.add(own);
    since = key.since;
    if (!isGood) yield say("key {id}: {fault}", { id, fault: fault ?? say("none that you know vouches for it") });
  }
}
