export { Seat, UnoClient, type Agent, type ClientOptions } from "./client.js";
export { ServerError } from "./errors.js";
export { Stream } from "./stream.js";
export * from "./types.js";
