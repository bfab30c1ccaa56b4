// @ts-check
/**
 * Calls on this device: a button asks the browser for leave and for an address, which the form then takes to the server.
 * Browsers that cannot never see it. The device is ended here as well when it is ended there.
 */

const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
const form = document.querySelector("form[data-key]");

for (const part of document.querySelectorAll(able ? "form[data-key]" : "[data-unable]"))
  if (part instanceof HTMLElement) part.hidden = false;

if (form instanceof HTMLFormElement && able)
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void enter(form);
  });

for (const end of document.querySelectorAll("form[data-end-here]"))
  if (end instanceof HTMLFormElement && able)
    end.addEventListener("submit", (event) => {
      event.preventDefault();
      void forget().finally(() => end.submit());
    });

/** @param {HTMLFormElement} form */
async function enter(form) {
  const fault = /** @type {HTMLElement} */ (form.querySelector("[data-denied]"));
  fault.textContent = "";
  if ((await Notification.requestPermission()) !== "granted") {
    fault.textContent = fault.dataset.denied ?? "";
    return;
  }
  try {
    const given = (await subscribe(form.dataset.key ?? "")).toJSON();
    const fields = { endpoint: given.endpoint, p256dh: given.keys?.p256dh, auth: given.keys?.auth };
    for (const [name, value] of Object.entries(fields))
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value ?? "";
  } catch {
    fault.textContent = fault.dataset.away ?? "";
    return;
  }
  form.submit();
}

/**
 * An address under the key that the server has now; one under an earlier key is given up.
 * @param {string} key
 */
async function subscribe(key) {
  const registration = await navigator.serviceWorker.ready;
  const old = await registration.pushManager.getSubscription();
  if (old && text(old.options.applicationServerKey) !== key) await old.unsubscribe();
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function forget() {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}

/** @param {ArrayBuffer | null} key */
function text(key) {
  const signs = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export {};
