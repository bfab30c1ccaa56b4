// @ts-check
/** The one place where text becomes markup, or the address of a script: pages and the worker of our own server. */

/** @typedef {{createHTML(text: string): string, createScriptURL(address: string): string}} Policy */

const WORKER = "/sw.js";

/** @type {Policy | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("wardroom", {
  createHTML: (/** @type {string} */ text) => text,
  createScriptURL: () => WORKER,
});

/**
 * A page of ours as a document; nothing in it is run or loaded.
 * @param {string} text
 * @returns {Document}
 */
export function read(text) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
}

/** The address of the worker, which is the only script that is ever named at run time. */
export function worker() {
  return policy ? policy.createScriptURL(WORKER) : WORKER;
}
