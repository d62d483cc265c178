// The live connection to a table. It comes back by itself and asks only for events not yet known.
const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;
const FINAL = new Set([1000, 4403, 4404, 4410]); // left, wrong token, no such table, closed

export class Stream {
  /**
   * @param table id of the table
   * @param token the seat's secret, or null for a spectator
   * @param on {state, error, away, back, bye}: what to do with each kind of news
   */
  constructor(table, token, on) {
    this.table = table;
    this.token = token;
    this.on = on;
    this.known = 0;
    this.game = null;
    this.wait = FIRST_WAIT;
    this.ended = false;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/v1/tables/${this.table}/stream`);
    this.socket = socket;
    socket.onopen = () => {
      const hello = { type: "hello", events_from: this.known };
      if (this.token) hello.token = this.token;
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    socket.onclose = (event) => this.closed(event);
  }

  hear(message) {
    if (message.type === "state") {
      if (this.wait !== FIRST_WAIT) this.on.back?.();
      this.wait = FIRST_WAIT;
      // A new game at the table counts its events from 0 again.
      const fresh = message.game !== this.game;
      this.game = message.game;
      this.known = message.events_from + message.events.length;
      this.on.state(message, fresh);
    } else if (message.type === "error") {
      this.on.error?.(message.error);
    } else if (message.type === "reaction") {
      this.on.reaction?.(message);
    } else if (message.type === "bye") {
      this.reason = message.reason;
    }
  }

  closed(event) {
    if (this.ended) return;
    if (FINAL.has(event.code)) {
      this.ended = true;
      this.on.bye?.(event.code);
      return;
    }
    this.on.away?.();
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.7);
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  act(action, move) {
    return this.send({ type: "act", action, move });
  }

  end() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
