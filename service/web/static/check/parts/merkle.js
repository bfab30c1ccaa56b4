// @ts-check
/** The tree of the house log (log.md, section 2): proofs by RFC 9162, sections 2.1.3.2 and 2.1.4.2. */

import { fromHex, hexOf, joined } from "../format/bytes.js";
import { canonical } from "../format/canonical.js";
import { sha256 } from "../format/digests.js";
import { fits, isNumber, LOG_ENTRY } from "../format/forms.js";

/** @typedef {Uint8Array<ArrayBuffer>} Hash */
/** @typedef {{root: string, size: number}} Tree */

/**
 * Whether the list of one head is the beginning of that of another.
 * @param {Tree} old
 * @param {Tree} now
 * @param {string[]} proof
 */
export async function hasGrown(old, now, proof) {
  if (old.size === now.size) return old.root === now.root && !proof.length;
  const path = proof.map(fromHex);
  let number = BigInt(old.size);
  if ((number & (number - 1n)) === 0n) path.unshift(fromHex(old.root));
  number -= 1n;
  let last = BigInt(now.size) - 1n;
  for (; number & 1n; last >>= 1n) number >>= 1n;
  const roots = path.length && old.size < now.size ? await climb(number, last, path, true) : null;
  return roots !== null && hexOf(roots[0]) === old.root && hexOf(roots[1]) === now.root;
}

/**
 * Whether an entry stands at its place in the list of a head.
 * @param {any} row with `entry`, `inclusion`, `place`
 * @param {Tree} head
 */
export async function isIncluded(row, head) {
  if (!fits(row?.entry, LOG_ENTRY) || !isNumber(row.place) || row.place >= head.size) return false;
  const leaf = await sha256(joined(Uint8Array.of(0), canonical(row.entry)));
  const roots = await climb(BigInt(row.place), BigInt(head.size) - 1n, [leaf, ...row.inclusion.map(fromHex)], false);
  return roots !== null && hexOf(roots[1]) === head.root;
}

/**
 * From a leaf to the root: the roots of the list up to it and of the whole; null where the path does not fit.
 * @param {bigint} number
 * @param {bigint} last
 * @param {Hash[]} path
 * @param {boolean} both
 * @returns {Promise<[Hash, Hash] | null>}
 */
async function climb(number, last, path, both) {
  let [before] = path;
  let after = before;
  for (const step of path.slice(1)) {
    if (last === 0n) return null;
    if (number & 1n || number === last) {
      [before, after] = [await node(step, before), await node(step, after)];
      for (; number && !(number & 1n); last >>= 1n) number >>= 1n;
    } else {
      after = await node(after, step);
      if (!both) before = await node(before, step);
    }
    [number, last] = [number >> 1n, last >> 1n];
  }
  return last === 0n ? [before, after] : null;
}

/**
 * @param {Hash} left
 * @param {Hash} right
 */
function node(left, right) {
  return sha256(joined(Uint8Array.of(1), left, right));
}
