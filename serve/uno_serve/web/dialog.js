// Dialogs of the page's own: a box over everything that the keyboard and screen readers can follow.
import { h } from "./dom.js";
import { t } from "./ui.js";

/** Show a box; returns what closes it. `onclose` is called once, however it was closed. */
export function openDialog({ title, content, className = "", onclose = null }) {
  const close = h("button", { type: "button", class: "quiet close", "aria-label": t("close"), onclick: () => dialog.close() }, "✕");
  const heading = h("h2", { id: "dialog-title" }, title);
  const dialog = h("dialog", { class: `dialog ${className}`, "aria-labelledby": "dialog-title" },
    h("div", { class: "dialog-head" }, heading, close),
    h("div", { class: "dialog-body", tabindex: "0" }, content));
  const before = document.activeElement;
  // A click beside the box closes it, as people expect.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before?.isConnected) before.focus({ preventScroll: true });
    onclose?.();
  });
  // The event of a closed box comes a moment later: two boxes would have the same title id.
  for (const closed of document.querySelectorAll("dialog.dialog:not([open])")) closed.remove();
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector(".dialog-body").focus({ preventScroll: true });
  return () => dialog.close();
}

/**
 * Ask a question; resolves to the value of the chosen answer, or null.
 * @param answers [{value, text, primary}]
 */
export function ask(title, text, answers) {
  return new Promise((resolve) => {
    let chosen = null;
    const buttons = answers.map(({ value, text: label, primary }) => h("button", {
      type: "button", class: primary ? "primary" : "", "data-answer": value, onclick: () => { chosen = value; close(); },
    }, label));
    const close = openDialog({
      title, className: "question", onclose: () => resolve(chosen),
      content: [h("p", {}, text), h("p", { class: "row answers" }, buttons)],
    });
  });
}
