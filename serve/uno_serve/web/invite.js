// Open seats: the invitation for others, and the way in for those invited.
import { h, fillWith, toast } from "./dom.js";
import { post } from "./api.js";
import { change, settings } from "./settings.js";
import { t } from "./ui.js";

/** What the host sees while seats are open. */
export function inviteBox(open) {
  const link = h("input", { readonly: true, value: location.href, "aria-label": t("invite"), onclick: (event) => event.target.select() });
  const copy = async () => {
    link.select();
    await navigator.clipboard?.writeText(location.href).catch(() => {});
    toast(t("copied"));
  };
  return h("section", { class: "panel box invite", role: "region", "aria-label": t("invite") },
    h("h2", {}, t("waiting", { n: open })), h("p", {}, t("inviteHint")),
    h("p", { class: "row" }, link, h("button", { type: "button", onclick: copy }, t("copy"))));
}

/** What somebody with the link sees: sit down or watch. `enter` gets the seat, or null to watch. */
export function showInvitation(screen, id, about, enter) {
  const name = h("input", { id: "join-name", maxlength: 24, value: settings.name, autocomplete: "nickname" });
  const join = async (event) => {
    event.preventDefault();
    change({ name: name.value.trim() });
    try {
      const { seat, token } = await post(`/v1/tables/${id}/join`, { name: settings.name || t("you") });
      enter({ seat, token, host: null });
    } catch (error) {
      toast(error.code === "no_open_seat" ? t("full") : t("error", { why: error.message }), "problem");
      if (error.code === "no_open_seat") enter(null);
    }
  };
  fillWith(screen, h("form", { class: "panel box join", onsubmit: join },
    h("h1", {}, t("joinTitle")),
    h("p", {}, about.seats.map((seat) => seat.name).filter(Boolean).join(", ")),
    h("p", { class: "row" }, h("label", { for: "join-name" }, t("yourName")), name),
    h("p", { class: "row" }, h("button", { class: "primary", type: "submit" }, t("join")),
      h("button", { type: "button", class: "quiet", onclick: () => enter(null) }, t("spectate")))));
}
