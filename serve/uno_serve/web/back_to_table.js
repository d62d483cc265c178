// The way back to tables where this browser still holds a seat.
import { h, fillWith } from "./dom.js";
import { post } from "./api.js";
import { forgetSeat, seatAt, seatedAt } from "./settings.js";
import { t, variantWords } from "./ui.js";

const MOST = 8;

/** A place in the lobby that fills itself once the server has said which tables go on. */
export function backToTables(catalogue) {
  const place = h("section", { class: "back-to", "aria-label": t("backTo"), hidden: true });
  const ids = seatedAt().slice(-MOST);
  if (ids.length) {
    post("/v1/lookup", { tables: ids }).then(({ tables }) => {
      for (const id of ids) if (!tables.some((about) => about.table === id)) forgetSeat(id);
      const live = tables.filter((about) => ["waiting", "playing"].includes(about.status) && seatAt(about.table)?.token);
      place.hidden = !live.length;
      fillWith(place, live.map((about) => link(about, catalogue)));
    }).catch(() => {});
  }
  return place;
}

function link(about, catalogue) {
  const mine = seatAt(about.table)?.seat;
  const variant = catalogue.variants.find((each) => each.name === about.variant);
  const title = variant ? variantWords(variant) : about.variant;
  const names = about.seats.filter((seat) => seat.seat !== mine && seat.name).map((seat) => seat.name).join(", ");
  return h("a", { class: "button back", href: `#/table/${encodeURIComponent(about.table)}`, "data-table": about.table },
    h("strong", {}, t("backTo")), h("span", {}, [title, names].filter(Boolean).join(" · ")));
}
