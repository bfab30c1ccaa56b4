// @ts-check
/** The page of a game, made quicker: the same forms, sent without a new page; the board under finger and keys; news. */

import { watchBoard } from "./game/board.js";
import { isOpen, watchDraft } from "./game/draft.js";
import { watchNews } from "./game/news.js";

const narrow = matchMedia("(max-width: 1199px)"); // there the card of what was decided lies over the question
const reveal = () => document.getElementById("reveal");
let shown = reveal()?.dataset.version;
let dismissed = "";
document.addEventListener("parts-shown", () => {
  const card = reveal();
  if (!card || card.hidden) return;
  const { version } = card.dataset;
  card.hidden = version === dismissed;
  if (version === shown) card.classList.remove("fresh");
  const opens = location.hash === "#reveal" || (version !== shown && !isOpen()); // it covers no draft that somebody writes
  if (narrow.matches && opens) setTimeout(() => location.replace("#reveal"));
  shown = version;
});
for (const press of ["pointerdown", "keydown"])
  document.addEventListener(press, () => {
    if (reveal()?.getClientRects().length) reveal()?.classList.remove("fresh"); // any press skips the motion
  });
document.addEventListener("click", (event) => {
  const card = reveal();
  if (!card || narrow.matches || !(/** @type {Element} */ (event.target).closest?.("#reveal .next"))) return;
  dismissed = card.dataset.version ?? "";
  card.hidden = true;
});

watchDraft();
watchBoard();
watchNews();

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a[href="#why"], a[href="#note"]');
  const part = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  (part?.closest("details") ?? part?.querySelector("details"))?.setAttribute("open", "");
});
