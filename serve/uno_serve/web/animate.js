// Cards that fly: from a player to the discards, from the pile to a player. Decoration only.
import { cardPicture } from "./cards.js";
import { animated } from "./settings.js";

const FLIGHT = 320;

const middle = (element) => {
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2];
};

function fly(name, from, to, delay) {
  const ghost = cardPicture(name, { class: "ghost" });
  document.body.append(ghost);
  const [x0, y0] = middle(from);
  const [x1, y1] = middle(to);
  const flight = ghost.animate(
    [
      { transform: `translate(${x0 - 36}px, ${y0 - 54}px) scale(0.7)`, opacity: 0.4 },
      { transform: `translate(${x1 - 36}px, ${y1 - 54}px) scale(1)`, opacity: 1 },
    ],
    { duration: FLIGHT, delay, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" },
  );
  const done = () => ghost.remove();
  flight.finished.then(done, done);
}

/** Nothing flies over what comes now. */
export function stopFlights() {
  for (const ghost of document.querySelectorAll(".ghost")) ghost.remove();
}

/**
 * Show new events as moving cards.
 * @param place where a seat is on the page
 */
export function animateEvents(events, place, pile, discard) {
  if (!animated() || document.hidden) return;
  events.slice(-4).forEach((event, index) => {
    const spot = event.seat === null || event.seat === undefined ? null : place(event.seat);
    if (!spot) return;
    const delay = index * 90;
    if (["play", "jump-in", "discard-all"].includes(event.type) && event.cards?.length) fly(event.cards[0], spot, discard, delay);
    else if (["draw", "take", "accept"].includes(event.type)) fly("back", pile, spot, delay);
    else if (event.type === "swap") {
      const other = place(event.other);
      if (other) {
        fly("back", spot, other, delay);
        fly("back", other, spot, delay);
      }
    }
  });
}
