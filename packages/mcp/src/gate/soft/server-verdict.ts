import type { ServerResponse } from "../../wire/index.ts";
import { readUpstreamRejection, type RejectedCall } from "./upstream-rejection.ts";

/** An invalid call that was still forwarded. */
export interface ForwardedCall extends RejectedCall {
  /** Whether some servers accept such arguments. */
  readonly isSoft: boolean;
}

/** What a server made of an invalid call. */
export type ServerVerdict =
  | { readonly kind: "accepted" }
  /** The call failed, but not for its arguments. */
  | { readonly kind: "failed" }
  /** `extra` is the server's own content, if it says more than that the arguments are wrong. */
  | { readonly kind: "rejected"; readonly extra: readonly unknown[] };

/**
 * Reads from the server's response whether it accepts the arguments.
 *
 * @remarks A soft call that failed for another reason did run: asking for corrected arguments would make the model run it
 * twice.
 */
export function serverVerdict(response: ServerResponse, call: ForwardedCall): ServerVerdict {
  const rejection = readUpstreamRejection(response, call);
  if (rejection !== undefined && (!call.isSoft || rejection.extra.length === 0)) {
    return { kind: "rejected", extra: rejection.extra };
  }
  const isAccepted = response.kind === "result" && response.result["isError"] !== true;
  return { kind: isAccepted ? "accepted" : "failed" };
}
