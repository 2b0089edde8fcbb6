import type { JudgedCall } from "./judged-call.ts";
import { createRecentMap, type RecentMap } from "@toolcontract/core/adapter";
import type { RequestId } from "./request-id.ts";

const MAX_PENDING = 10_000;

/** A request of the client's whose answer the gate wants to see. */
export type Pending =
  /** A page of tools, asked for when the list was in the given state. */
  | { readonly kind: "list"; readonly cursor: string | undefined; readonly state: number }
  /** A call that the contract found invalid and the server may take nevertheless. */
  | { readonly kind: "invalid"; readonly judged: JudgedCall; readonly isSoft: boolean }
  /** A valid call with warnings that the model is to read. */
  | { readonly kind: "noted"; readonly note: Promise<string> };

/** What the gate remembers of one way between a client and the server. */
export interface LinkState {
  /** The calls whose ruling is not made yet. */
  readonly held: Map<RequestId, AbortController>;
  readonly pending: RecentMap<RequestId, Pending>;
}

/** Starts with nothing under way. */
export function createLinkState(): LinkState {
  return { held: new Map(), pending: createRecentMap(MAX_PENDING) };
}
