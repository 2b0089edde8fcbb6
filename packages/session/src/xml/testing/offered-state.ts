import type { XmlState } from "../../shared/index.ts";
import { createXmlState } from "../state.ts";

/** The state of a run with the nonce `deadbeef` that has offered its first slots. */
export function offeredState({
  mode = "xml",
  slots = 20,
}: {
  readonly mode?: XmlState["mode"];
  readonly slots?: number;
} = {}): XmlState {
  const state = createXmlState({ nonce: "deadbeef", mode });
  state.offer(slots);
  return state;
}
