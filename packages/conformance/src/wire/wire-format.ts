import type { Json, WireForm } from "@toolcontract/wire";
import type { Scenario, SeenRequest } from "../shared/index.ts";

/** How the kit speaks one provider's format: what it writes and what it reads. */
export interface WireFormat {
  /** How replies are written. */
  readonly form: WireForm;
  /** Matches the path of a request for a reply, whatever is before it. */
  readonly path: RegExp;
  /** Whether an answer to a call can be marked as an error. */
  readonly hasErrorMark: boolean;
  /** What ends a stream after its last event. */
  readonly streamEnd?: string;
  /** Whether a request wants a stream. */
  isStream(body: Json, url: URL): boolean;
  /** Whether a request lets the model call a tool. */
  mayCall(body: Json): boolean;
  /** The conversation of a request. */
  read(body: Json): SeenRequest["history"];
  /** Whether the format can carry the calls of a scenario. */
  canPlay(scenario: Scenario, isStream: boolean): boolean;
}
