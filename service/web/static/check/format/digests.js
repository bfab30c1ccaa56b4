// @ts-check
/** SHA-256 and HMAC by the browser (WebCrypto), for the purposes that the format names. */

import { canonical } from "./canonical.js";
import { bytesOf, hexOf, joined } from "./bytes.js";

/** Whether this browser lets a page compute digests: it does not on pages that come by http from elsewhere. */
export function canDigest() {
  return globalThis.crypto?.subtle !== undefined;
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
export async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * SHA-256 of a value for a purpose, in bytes.
 * @param {string} purpose
 * @param {unknown} value
 * @param {Uint8Array} [salt]
 */
export function digestBytes(purpose, value, salt = new Uint8Array()) {
  return sha256(joined(bytesOf(`wardroom-${purpose}-v1\n`), salt, canonical(value)));
}

/**
 * The same as hex.
 * @param {string} purpose
 * @param {unknown} value
 * @param {Uint8Array} [salt]
 */
export async function digest(purpose, value, salt) {
  return hexOf(await digestBytes(purpose, value, salt));
}

/**
 * A function that gives HMAC-SHA-256 with this key.
 * @param {Uint8Array<ArrayBuffer>} key not empty
 * @returns {Promise<(message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>>}
 */
export async function hmacWith(key) {
  const kept = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", kept, message));
}
