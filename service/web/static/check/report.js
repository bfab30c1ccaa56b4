// @ts-check
/** The report as a text to keep: what was checked, line by line, in the words of the other verifier. */

import { lineText } from "./bundle.js";
import { hexOf } from "./format/bytes.js";
import { sha256 } from "./format/digests.js";
import { plain } from "./sentences.js";

/**
 * @param {import("./bundle.js").Report} report
 * @param {Date} now
 * @returns {Promise<string>}
 */
export async function reportText({ bundle, lines, isSound }, now) {
  const game = bundle.events.get(1)?.game;
  const about = [
    "Wardroom: a bundle checked in a browser by docs/audit/format.md",
    `checked    ${now.toISOString()}`,
    `bundle     ${bundle.raw.length} bytes, SHA-256 ${hexOf(await sha256(bundle.raw))}`,
    `game       ${plain(typeof game === "string" ? game : "unknown")}, ${bundle.events.size} events`,
    "",
  ];
  return [...about, ...lines.map(lineText), isSound ? "It holds." : "It is BROKEN.", ""].join("\n");
}

/**
 * The keys of a bundle as a file to note them by, as /.well-known/wardroom-keys has them.
 * @param {import("./parts/state.js").Bundle} bundle
 */
export function keysText(bundle) {
  return `${JSON.stringify(bundle.docs.get("keys.json") ?? { keys: [] }, null, 2)}\n`;
}
