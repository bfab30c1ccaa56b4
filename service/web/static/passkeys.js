// @ts-check
/**
 * Passkeys: a form whose button asks the server for a challenge, opens the browser's dialogue, and sends what comes of
 * it as the form itself. Browsers that cannot never see the button.
 */

const able = "PublicKeyCredential" in window && "parseCreationOptionsFromJSON" in PublicKeyCredential;

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!(form instanceof HTMLFormElement) || !able || form.dataset.ready) continue;
  form.dataset.ready = "yes";
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void answer(form);
  });
}

/** @param {HTMLFormElement} form */
async function answer(form) {
  const fault = /** @type {HTMLElement} */ (form.querySelector("[data-away]"));
  fault.textContent = "";
  const options = await ask(form);
  if (options === null) {
    fault.textContent = fault.dataset.away ?? "";
    return;
  }
  try {
    const credential = form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("credential"));
    field.value = JSON.stringify(/** @type {PublicKeyCredential} */ (credential).toJSON());
  } catch (error) {
    const known = error instanceof DOMException && error.name === "InvalidStateError";
    fault.textContent = (known ? fault.dataset.known : fault.dataset.cancelled) ?? "";
    return;
  }
  form.submit();
}

/**
 * The server's challenge; null where none came.
 * @param {HTMLFormElement} form
 */
async function ask(form) {
  const csrf = /** @type {HTMLInputElement} */ (form.elements.namedItem("csrf")).value;
  try {
    const response = await fetch(`${form.action}/options`, { method: "POST", body: new URLSearchParams({ csrf }) });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
