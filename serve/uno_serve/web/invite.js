// Invitations: the link and its QR code for others, and the way in for those invited.
import { h, fillWith, toast } from "./dom.js";
import { getOnce, post } from "./api.js";
import { rulesButton } from "./rules_page.js";
import { change, settings } from "./settings.js";
import { t } from "./ui.js";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * The link to send, and whether other devices can open it.
 * Under a name of its own the server is known to others; on this machine it says where they find it.
 */
export async function invitation(id) {
  const path = `/#/table/${encodeURIComponent(id)}`;
  if (!LOOPBACK.has(location.hostname)) return { link: location.origin + path, reach: "network" };
  const { addresses, loopback_only: alone } = await getOnce("/v1/reach").catch(() => ({ addresses: [], loopback_only: true }));
  if (alone || !addresses.length) return { link: location.origin + path, reach: "loopback" };
  return { link: addresses[0] + path, reach: "network" };
}

/** The link, a button to copy it, its QR code, and what it is good for. */
export function inviteBox(id) {
  const link = h("input", { readonly: true, value: "", "aria-label": t("invite"), onclick: (event) => event.target.select() });
  const code = h("div", { class: "qr" });
  const reach = h("p", { class: "reach hint", role: "status" });
  const copy = async () => {
    link.select();
    await navigator.clipboard?.writeText(link.value).catch(() => {});
    toast(t("copied"));
  };
  const share = navigator.share && h("button", { type: "button", onclick: () => navigator.share({ url: link.value }).catch(() => {}) }, t("shareLink"));
  invitation(id).then((found) => {
    link.value = found.link;
    reach.textContent = found.reach === "loopback" ? t("reachLoopback") : t("reachNetwork");
    reach.dataset.reach = found.reach;
    fillWith(code, found.reach === "loopback" ? null
      : h("img", { src: `/v1/qr?text=${encodeURIComponent(found.link)}`, alt: t("qrAlt"), width: "180", height: "180" }));
  });
  return h("section", { class: "panel invite", role: "region", "aria-label": t("invite") },
    h("h2", {}, t("inviteTitle")), code,
    h("div", { class: "invite-link" }, h("p", { class: "row" }, link, h("button", { type: "button", id: "copy-link", onclick: copy }, t("copy")), share), reach));
}

/** What somebody with the link sees: sit down or watch. `enter` gets the seat, or null to watch. */
export function showInvitation(screen, id, about, enter) {
  const name = h("input", { id: "join-name", maxlength: 24, value: settings.name, autocomplete: "nickname", required: true });
  const join = async (event) => {
    event.preventDefault();
    change({ name: name.value.trim() || settings.name });
    try {
      const { seat, token } = await post(`/v1/tables/${id}/join`, { name: settings.name });
      enter({ seat, token, host: null });
    } catch (error) {
      toast(error.code === "no_open_seat" ? t("full") : t("error", { why: error.message }), "problem");
      if (error.code === "no_open_seat") enter(null);
    }
  };
  const host = about.seats.find((seat) => seat.host)?.name;
  const others = about.seats.map((seat) => seat.name).filter(Boolean).join(", ");
  fillWith(screen, h("form", { class: "panel box join", onsubmit: join },
    h("h1", {}, host ? t("joinHost", { host }) : t("joinTitle")),
    h("p", { class: "join-rules" }, t(`v_${about.variant}`), " ",
      rulesButton(() => ({ rules: about.rules, players: about.num_players, match: about.episode === "match" }))),
    others && h("p", { class: "hint" }, t("atTable", { names: others })),
    h("p", { class: "row" }, h("label", { for: "join-name" }, t("yourName")), name),
    h("p", { class: "row" }, h("button", { class: "primary", type: "submit" }, t("join")),
      h("button", { type: "button", class: "quiet", onclick: () => enter(null) }, t("spectate")))));
}
