// @ts-check
/** The page of a replay: its links without a new page, a slider, keys, and play; every step has an address of its own. */

import { watchControls } from "./replay/controls.js";

const root = document.getElementById("replay");
if (root) watchControls(root);
