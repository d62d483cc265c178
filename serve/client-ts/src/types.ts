/** Names for the types of the API; `schema.ts` is generated from its OpenAPI document. */

import type { components } from "./schema.js";

type Schemas = components["schemas"];

export type ActRequest = Schemas["ActRequest"];
export type ActResponse = Schemas["ActResponse"];
export type Position = Schemas["Position"];
export type BatchAnswer = Schemas["BatchResponse"]["answers"][number];
export type BotEntry = Schemas["BotEntry"];
export type VariantsResponse = Schemas["VariantsResponse"];
export type TableRequest = Schemas["TableRequest"];
export type TableCreated = Schemas["TableCreated"];
export type TableInfo = Schemas["TableInfo"];
export type Joined = Schemas["Joined"];
export type State = Schemas["State"];
export type LegalAction = Schemas["LegalAction"];
export type Replay = Schemas["Replay"];
export type ErrorBody = Schemas["ErrorBody"];

/** What a server sends on a stream. */
export type ServerMessage =
  | State
  | { type: "accepted"; move: number }
  | ({ type: "advice"; move: number } & ActResponse)
  | { type: "error"; error: ErrorBody; move?: number }
  | { type: "pong" }
  | { type: "bye"; reason: string };
