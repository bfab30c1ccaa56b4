// @ts-check
/** The live region: each change is said once, also when it is said in the same words as the one before. */

const region = document.createElement("p");
region.className = "unseen";
region.id = "live";
region.setAttribute("role", "status");
document.body.append(region);

/**
 * Say this to whoever hears the page. Sealed amounts never come here: the server leaves them out of what it gives us.
 * @param {string | null | undefined} text
 */
export function say(text) {
  const told = (text ?? "").trim();
  if (told) region.textContent = told === region.textContent ? `${told}\u00a0` : told;
}

/**
 * Show and say that the server cannot be reached, in the words of the page. Only a script can find that out.
 * @param {HTMLElement} page
 */
export function unreachable(page) {
  const note = document.getElementById("offline") ?? document.createElement("p");
  Object.assign(note, { id: "offline", className: "note bad", textContent: page.dataset.offline ?? "" });
  (document.getElementById("draft") ?? page).prepend(note);
  say(note.textContent);
}
