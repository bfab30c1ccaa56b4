// @ts-check
/** A page that waits for an analysis shows how far it is, and opens it when it is done. */

const EVERY = 2000;
const progress = document.querySelector("#progress");
const told = document.querySelector("#told");
const bar = document.querySelector("progress");

async function look() {
  if (!(progress instanceof HTMLElement) || !bar || !told) return;
  try {
    const answer = await fetch(progress.dataset.address ?? "", { headers: { Accept: "application/json" } });
    if (answer.ok) {
      const { status, done, total, text } = await answer.json();
      if (status !== "queued" && status !== "running") return location.reload();
      bar.max = total || 1;
      bar.value = done;
      if (told.textContent !== text) told.textContent = text;
    }
  } catch {
    // the server cannot be reached just now: the next look may find it
  }
  setTimeout(look, EVERY);
}

setTimeout(look, EVERY);
