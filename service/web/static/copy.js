// @ts-check
/** A button beside each field that is there to be copied; without script the field itself is selected and copied. */

for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[data-copy]"))) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = field.dataset.copy ?? "";
  button.setAttribute("aria-label", `${field.dataset.copy}: ${field.labels?.[0]?.textContent}`);
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  button.addEventListener("click", async () => {
    field.select();
    await navigator.clipboard.writeText(field.value).then(
      () => (told.textContent = field.dataset.copied ?? ""),
      () => field.focus(), // it is selected: the keys copy it
    );
  });
  field.addEventListener("focus", () => field.select());
  field.after(button, told);
}
