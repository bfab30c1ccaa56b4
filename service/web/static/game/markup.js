// @ts-check
/** The one place where text becomes markup: pages that our own server has rendered. */

/** @typedef {{createHTML(text: string): string}} Policy */

/** @type {Policy | undefined} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("wardroom", {
  createHTML: (/** @type {string} */ text) => text,
});

/**
 * A page of ours as a document; nothing in it is run or loaded.
 * @param {string} text
 * @returns {Document}
 */
export function read(text) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html");
}
