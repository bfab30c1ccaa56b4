// @ts-check
/** The archive (format.md, section 2): split by the sizes it gives, and made again from its files. */

import { bytesOf, joined } from "./bytes.js";

export const NAMES = [
  "manifest.json", "signature.json", "README.txt", "events.ndjson", "rules.json", "draws.json", "notices.json",
  "checkpoints.json", "keys.json",
];
const LOCAL = 30; // bytes of a local header without the name
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/**
 * The files, whatever the bytes are.
 * @param {Uint8Array<ArrayBuffer>} raw
 * @returns {Map<string, Uint8Array<ArrayBuffer>>}
 */
export function unpack(raw) {
  const files = new Map();
  let end = 0;
  for (const name of NAMES) {
    const body = end + LOCAL + name.length;
    const size = raw.subarray(end + 18, end + 22).reduceRight((total, byte) => total * 256 + byte, 0);
    end = body + size;
    files.set(name, raw.subarray(body, end));
  }
  return files;
}

/**
 * The one archive of these files.
 * @param {Map<string, Uint8Array>} files
 */
export function pack(files) {
  const locals = [];
  const entries = [];
  let offset = 0;
  for (const [name, body] of files) {
    const sum = sumOf(body);
    const common = [[20, 2], [0, 2], [0, 2], [0, 2], [0x21, 2], [sum, 4], [body.length, 4], [body.length, 4]];
    const named = [...common, [name.length, 2], [0, 2]];
    const local = joined(numbers([[0x04034b50, 4], ...named]), bytesOf(name), body);
    const after = [[0, 2], [0, 2], [0, 2], [0x01800000, 4], [offset, 4]];
    entries.push(joined(numbers([[0x02014b50, 4], [0x0314, 2], ...named, ...after]), bytesOf(name)));
    locals.push(local);
    offset += local.length;
  }
  const directory = joined(...entries);
  const end = [[0x06054b50, 4], [0, 2], [0, 2], [9, 2], [9, 2], [directory.length, 4], [offset, 4], [0, 2]];
  return joined(...locals, directory, numbers(end));
}

/**
 * The part of an archive of these files in which a byte lies: a name, or "the end".
 * @param {Map<string, Uint8Array>} files
 * @param {number} place
 */
export function partAt(files, place) {
  let end = 0;
  for (const [name, body] of files) {
    end += LOCAL + name.length + body.length;
    if (place < end) return name;
  }
  return "the end";
}

/**
 * Little-endian numbers, each with how many bytes it takes.
 * @param {number[][]} fields
 */
function numbers(fields) {
  return Uint8Array.from(fields.flatMap(([value, size]) => Array.from({ length: size }, (_, n) => Math.floor(value / 256 ** n) & 255)));
}

/** @param {Uint8Array} bytes */
function sumOf(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 255];
  return (sum ^ 0xffffffff) >>> 0;
}
