// @ts-check
/** Mends what keeps keyboards and screen readers from the markup of the vendored renderer, each time it has drawn. */

/** Selector, attribute, its value; null takes the attribute away. @type {[string, string, string | null][]} */
const MENDS = [
  [".references-rendered", "id", "content"], // where the skip link leads
  [".references-rendered", "tabindex", "-1"],
  ["button:is(.code-copy, .scalar-code-copy):not([aria-label])", "aria-label", "Copy"],
  ["button.property-default-value:not([aria-label])", "aria-label", "Copy the default"],
  ["button[role=search]", "aria-label", "Search"],
  ["button[role=search]", "role", null],
  ["button.client-libraries__select", "aria-label", "More languages"],
  ["button[aria-selected]:not([role])", "aria-selected", null], // a state of tabs and options alone
  ["aside[role=navigation]", "role", null],
  [".scalar-card[role=region]", "role", "group"], // several have the same name
  ["ul.endpoints:not([tabindex])", "tabindex", "0"], // scrolls
];

function mend() {
  for (const [selector, attribute, value] of MENDS) {
    for (const found of document.querySelectorAll(selector)) {
      if (value === null) found.removeAttribute(attribute);
      else if (found.getAttribute(attribute) !== value) found.setAttribute(attribute, value);
    }
  }
}

new MutationObserver(mend).observe(document.body, { attributeFilter: ["aria-selected", "role"], childList: true, subtree: true });
