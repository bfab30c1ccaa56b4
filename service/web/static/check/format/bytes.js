// @ts-check
/** Bytes, and their two forms as text: UTF-8 and hex. */

const READER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WRITER = new TextEncoder();

/**
 * @param {string} text
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(text) {
  return WRITER.encode(text);
}

/**
 * The text of UTF-8 bytes, a mark of byte order included. Throws where they are none.
 * @param {Uint8Array} bytes
 */
export function textOf(bytes) {
  return READER.decode(bytes);
}

/**
 * @param {...Uint8Array} parts
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
export function isSame(one, other) {
  return one.length === other.length && one.every((byte, place) => byte === other[place]);
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Throws where it is no hex.
 * @param {unknown} hex
 */
export function fromHex(hex) {
  if (typeof hex !== "string" || hex.length % 2 || /[^0-9a-f]/i.test(hex)) throw new TypeError("this is no hex");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/**
 * The parts between line feeds.
 * @param {Uint8Array} bytes
 */
export function linesOf(bytes) {
  const lines = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  return [...lines, bytes.subarray(from)];
}
