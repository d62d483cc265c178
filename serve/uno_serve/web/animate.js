// Cards that fly: from a player to the discards, from the pile to a player. Decoration only.
import { cardPicture } from "./cards.js";
import { animated } from "./settings.js";

const FLIGHT = 360;
const GAP = 110;
const MOST = 5;
const LAID = new Set(["play", "jump-in"]);

const center = (box) => [box.left + box.width / 2, box.top + box.height / 2];

/** One card in the air; resolves when it has arrived, or was taken away. */
function fly(name, from, to, delay, width) {
  const ghost = cardPicture(name, { class: "ghost" });
  ghost.style.width = `${width}px`;
  ghost.style.height = `${1.5 * width}px`;
  document.body.append(ghost);
  const [x0, y0] = center(from);
  const [x1, y1] = center(to);
  const at = (x, y, scale) => `translate(${x - width / 2}px, ${y - 0.75 * width}px) scale(${scale})`;
  const small = Math.min(1, Math.max(0.35, from.width / width));
  const flight = ghost.animate(
    [{ transform: at(x0, y0, small) }, { transform: at(x1, y1, Math.min(1, Math.max(0.35, to.width / width))) }],
    { duration: FLIGHT, delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" },
  );
  const done = () => ghost.remove();
  return flight.finished.then(done, done);
}

/** Nothing flies over what comes now. */
export function stopFlights() {
  for (const ghost of document.querySelectorAll(".ghost")) ghost.remove();
}

/** Whether the last card laid will be seen to fly. */
export const willFly = (events) => animated() && !document.hidden && events.some((event) => LAID.has(event.type) && event.cards?.length);

/**
 * Show new events as moving cards.
 * @param place where a seat's cards are: a box on the page
 * @param middle {pile, discard}: boxes
 * @returns resolves when the last card laid has arrived
 */
export function animateEvents(events, place, middle) {
  if (!animated() || document.hidden) return Promise.resolve();
  let landed = Promise.resolve();
  const { pile, discard } = middle;
  const moving = events.filter((event) => ["play", "jump-in", "discard-all", "draw", "swap", "give"].includes(event.type)).slice(-MOST);
  moving.forEach((event, index) => {
    const spot = place(event.seat, event);
    if (!spot) return;
    const delay = index * GAP;
    if (LAID.has(event.type) && event.cards?.length) landed = fly(event.cards[0], spot, discard, delay, discard.width);
    else if (event.type === "discard-all" && event.cards?.length) fly(event.cards[0], spot, discard, delay, discard.width);
    else if (event.type === "draw") {
      for (let n = 0; n < Math.min(event.count ?? 1, MOST); n += 1) fly("back", pile, spot, delay + n * GAP, pile.width);
    } else {
      const other = place(event.type === "give" ? event.to : event.other, {});
      if (!other) return;
      fly("back", spot, other, delay, pile.width);
      if (event.type === "swap") fly("back", other, spot, delay, pile.width);
    }
  });
  return landed;
}
