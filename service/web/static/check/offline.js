// @ts-check
/** The page as one file: in the language of the browser, or another one that is picked. */

import { start } from "./page.js";

const buttons = /** @type {HTMLButtonElement[]} */ ([...document.querySelectorAll("[data-language]")]);
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** @param {string} language */
function speak(language) {
  const template = document.getElementById(`body-${language}`);
  if (!(template instanceof HTMLTemplateElement)) return;
  document.documentElement.lang = language;
  main.replaceChildren(template.content.cloneNode(true));
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.language === language));
  const root = main.querySelector("[data-check]");
  if (root instanceof HTMLElement) start(root);
}

for (const button of buttons) {
  button.hidden = false;
  button.addEventListener("click", () => speak(button.dataset.language ?? "en"));
}
const wanted = navigator.languages.map((language) => language.slice(0, 2));
speak(wanted.find((language) => document.getElementById(`body-${language}`)) ?? "en");
