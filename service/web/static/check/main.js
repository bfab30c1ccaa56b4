// @ts-check
import { start } from "./page.js";

const root = document.querySelector("[data-check]");
if (root instanceof HTMLElement) start(root);
