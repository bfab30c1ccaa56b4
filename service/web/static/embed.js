// @ts-check
/** A board in the frame of another page: while it is looked at, it asks whether the game has moved on, and then shows it. */

const PAUSE = 30_000; // ms between two questions
let seen = "";

async function look() {
  if (document.visibilityState !== "visible") return;
  try {
    const response = await fetch(location.href, { cache: "no-cache", credentials: "omit" });
    const tag = response.ok ? (response.headers.get("ETag") ?? "") : seen;
    if (seen && tag !== seen) location.reload();
    seen = tag;
  } catch {
    // it cannot be reached just now: it is asked again
  }
}

look();
setInterval(look, PAUSE);
