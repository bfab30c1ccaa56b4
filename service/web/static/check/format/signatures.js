// @ts-check
/** Signatures by Ed25519 (RFC 8032): the browser's own where it has them, else by the curve. */

import { say } from "../sentences.js";
import { bytesOf, fromHex, joined } from "./bytes.js";
import { fieldOf, Fault } from "./canonical.js";
import { isSigned, publicPoint } from "./curve.js";

/** @typedef {Map<unknown, unknown>} Keys public keys in hex, by id */

/** @type {Map<string, ReturnType<typeof publicPoint>>} */
const points = new Map();
/** @type {Map<string, boolean>} */
const remembered = new Map();

/** How signatures are checked: found out once. */
export const way = { isOwn: /** @type {boolean | undefined} */ (undefined) };

/**
 * Why the signature in `signed` is not one of `keys`; null if it is. Throws a Fault where nothing can be said: the key
 * is not listed, or is none.
 * @param {Keys} keys
 * @param {unknown} signed with `key` and `signature`
 * @param {string} purpose
 * @param {Uint8Array} message
 */
export async function distrust(keys, signed, purpose, message) {
  const id = fieldOf(signed, "key");
  if (!keys.has(id)) throw new Fault(say("key {id} is not listed", { id: String(id) }));
  const key = fromHex(keys.get(id));
  const hex = fieldOf(signed, "signature");
  const signature = fromHex(hex);
  const point = pointOf(key);
  if (point === null) throw new Fault(say("key {id} is no public key", { id: String(id) }));
  const whole = joined(bytesOf(`wardroom-${purpose}-v1\n`), message);
  const holds = signature.length === 64 && hex === hex.toLowerCase() && (await verify(key, point, signature, whole));
  return holds ? null : say("the signature by key {id} does not hold", { id: String(id) });
}

/**
 * @param {Uint8Array} key
 */
function pointOf(key) {
  const name = key.join();
  const known = points.get(name);
  if (known !== undefined) return known;
  const found = publicPoint(key);
  points.set(name, found);
  return found;
}

/**
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {import("./curve.js").Point} point
 * @param {Uint8Array<ArrayBuffer>} signature
 * @param {Uint8Array<ArrayBuffer>} message
 */
async function verify(key, point, signature, message) {
  const hashed = new Uint8Array(await crypto.subtle.digest("SHA-512", joined(signature.subarray(0, 32), key, message)));
  const name = `${hashed.join()} ${signature.join()}`; // of the key and the message, too
  let holds = remembered.get(name);
  if (holds === undefined) {
    holds = (await byBrowser(key, signature, message)) ?? isSigned(point, signature, hashed);
    remembered.set(name, holds);
  }
  return holds;
}

/**
 * Whether it holds by the browser; null where the browser does not know these signatures.
 * @param {Uint8Array<ArrayBuffer>} key
 * @param {Uint8Array<ArrayBuffer>} signature
 * @param {Uint8Array<ArrayBuffer>} message
 */
async function byBrowser(key, signature, message) {
  if (way.isOwn === false) return null;
  let kept;
  try {
    kept = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    way.isOwn = true;
  } catch {
    way.isOwn ??= false;
    return null;
  }
  return crypto.subtle.verify("Ed25519", kept, signature, message);
}
