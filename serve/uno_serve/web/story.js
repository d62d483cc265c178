// The story on the felt: bubbles at the plates, cards that fly, sounds.
import { animateEvents } from "./animate.js";
import { sayEvents } from "./bubbles.js";
import { soundEvents } from "./sound.js";

const FROM_HAND = new Set(["play", "jump-in", "give"]);

export class Story {
  /** @param table {seats, center, hand, me}: where things happen */
  constructor({ seats, center, hand, me }) {
    Object.assign(this, { seats, center, hand, me });
  }

  /** Where cards of one's own start from; to be asked before the table is drawn without them. */
  spots(events, me) {
    const own = events.filter((event) => event.seat === me && event.cards?.length && FROM_HAND.has(event.type));
    return new Map(own.map((event) => [event, this.hand.spotOf(event.cards[0]).getBoundingClientRect()]));
  }

  /**
   * Tell events that have just been drawn.
   * @param spots where own cards were before; `flies` whether a card was laid that is seen to fly
   */
  tell(events, names, spots, flies) {
    const { me } = names;
    const box = (seat, event) => spots.get(event) ?? (seat === me ? this.hand.list : this.seats.plateOf(seat))?.getBoundingClientRect();
    sayEvents(events, names, (seat) => (seat === me ? this.me : this.seats.plateOf(seat)));
    soundEvents(events, me);
    const middle = { pile: this.center.pile.getBoundingClientRect(), discard: this.center.discard.getBoundingClientRect() };
    const { landing } = this.center;
    const landed = animateEvents(events, box, middle);
    // A card laid before may still be in the air: only who laid one waits for it.
    if (flies) landed.then(() => this.center.land(landing));
  }
}
