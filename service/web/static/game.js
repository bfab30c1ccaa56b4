// @ts-check
/** The page of a game, made quicker: the same forms, sent without a new page; the board under finger and keys; news. */

import { watchBoard } from "./game/board.js";
import { watchDraft } from "./game/draft.js";
import { watchNews } from "./game/news.js";

watchDraft();
watchBoard();
watchNews();

document.addEventListener("click", (event) => {
  const link = /** @type {Element} */ (event.target).closest?.('a[href="#why"], a[href="#note"]');
  const part = link && document.getElementById(link.getAttribute("href")?.slice(1) ?? "");
  (part?.closest("details") ?? part?.querySelector("details"))?.setAttribute("open", "");
});
