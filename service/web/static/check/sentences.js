// @ts-check
/** Sentences that remember what they were made of, so that a page can say them in its reader's language. */

/** @typedef {{text: string, about: Record<string, string | number | Sentence>}} Sentence */

/**
 * A sentence with `{named}` values. The text is written out where it is said: the catalogues are made from it.
 * @param {string} text
 * @param {Record<string, string | number | Sentence>} [about]
 * @returns {Sentence}
 */
export function say(text, about = {}) {
  return { text, about };
}

/**
 * A sentence in a language; values that others wrote are cut, and hold nothing that could steer a screen or a terminal.
 * @param {Sentence} sentence
 * @param {Map<string, string>} [translations] by English text; none for English
 * @returns {string}
 */
export function told(sentence, translations = new Map()) {
  const text = translations.get(sentence.text) ?? sentence.text;
  return text.replace(/\{([a-z]+)\}/g, (whole, name) => {
    const value = sentence.about[name];
    if (value === undefined) return whole;
    return typeof value === "object" ? told(value, translations) : plain(String(value));
  });
}

/**
 * Only what can be printed, and no more than a line of it.
 * @param {string} text
 */
export function plain(text) {
  return [...text.slice(0, 800)].slice(0, 400).join("").replace(/[^ -~]/gu, "?");
}
