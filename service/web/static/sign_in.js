// @ts-check
/** Whoever signs up here has the time zone of their device, until they choose another one. */

const field = document.querySelector("input[name=timezone]");
if (field instanceof HTMLInputElement) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
