// @ts-check
/** The archive, and the manifest that lists its files (format.md, sections 2 and 3). */

import { NAMES, pack, partAt } from "../format/archive.js";
import { bytesOf, hexOf, isSame, textOf } from "../format/bytes.js";
import { fieldOf, Fault, readJson } from "../format/canonical.js";
import { sha256 } from "../format/digests.js";
import { FILES, fits, ROWS } from "../format/forms.js";
import { distrust } from "../format/signatures.js";
import { say } from "../sentences.js";
import { listIn, unlike } from "./state.js";

/** @typedef {import("./state.js").Bundle} Bundle */
/** @typedef {import("./state.js").Findings} Findings */

const MISFIT = say("a field is missing, too much or of another form");
const LISTED = NAMES.slice(2);

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* archiveFaults({ raw, files }) {
  const right = pack(files);
  if (isSame(right, raw)) return;
  let place = 0;
  while (place < right.length && place < raw.length && raw[place] === right[place]) place += 1;
  yield say("{part}: byte {place} does not agree with the rest", { part: partAt(files, place), place });
}

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
export async function* manifestFaults(bundle) {
  for (const [file, form] of Object.entries(FILES)) {
    try {
      const doc = readJson(/** @type {Uint8Array} */ (bundle.files.get(file)), "\n");
      bundle.docs.set(file, doc);
      if (!fits(doc, form)) yield say("{file}: {fault}", { file, fault: MISFIT });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      yield say("{file}: {fault}", { file, fault: error.sentence });
      continue;
    }
    if (!Object.hasOwn(ROWS, file)) continue;
    for (const [place, row] of listIn(fieldOf(bundle.doc(file), file.replace(".json", ""))).entries())
      if (!fits(row, ROWS[file])) yield say("{file}: entry {place}: {fault}", { file, place, fault: MISFIT });
  }
  if (!isText(bundle.files.get("README.txt"))) yield say("README.txt is no UTF-8 text");
  bundle.keys = keysIn(bundle);
  yield* digestFaults(bundle);
  yield await distrust(bundle.keys, bundle.doc("signature.json"), "bundle", /** @type {Uint8Array} */ (bundle.files.get("manifest.json")));
}

/**
 * @param {Bundle} bundle
 * @returns {Findings}
 */
async function* digestFaults(bundle) {
  /** @type {Record<string, unknown>} */
  const right = {};
  for (const name of LISTED) {
    const bytes = /** @type {Uint8Array<ArrayBuffer>} */ (bundle.files.get(name));
    right[name] = { bytes: bytes.length, sha256: hexOf(await sha256(bytes)) };
  }
  const listed = fieldOf(bundle.doc("manifest.json"), "files");
  yield* unlike(listed, right, (file) => say("{file} is not as it must be", { file }));
  if (Object.keys(listed).length !== LISTED.length) yield say("files lists another");
}

/** @param {Uint8Array | undefined} bytes */
function isText(bytes) {
  try {
    return isSame(bytesOf(textOf(bytes ?? new Uint8Array())), bytes ?? new Uint8Array());
  } catch {
    return false;
  }
}

/** @param {Bundle} bundle */
function keysIn(bundle) {
  const keys = new Map();
  for (const key of listIn(fieldOf(bundle.doc("keys.json"), "keys"))) {
    const id = fieldOf(key, "id");
    if (typeof id === "object" && id !== null) throw new Fault(say("the id of a key is of another form"));
    keys.set(id, fieldOf(key, "public"));
  }
  return keys;
}
