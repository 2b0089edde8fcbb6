import type {
  Blocked,
  Executed,
  Rejected,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { holdsExactNumbers } from "./exact-numbers.ts";
import type { GateServices } from "./gate-services.ts";
import { type CallInGate, contextOf, toToolCall } from "./judged-call.ts";
import type { Ruling } from "./link.ts";
import type { Pending } from "./link-state.ts";

/** The ruling that changes nothing. */
export const FORWARD: Ruling = Object.freeze({ kind: "forward" });

/** A valid call of a listed tool. */
export interface ValidCall extends CallInGate {
  readonly tool: ToolDefinition;
  readonly checked: ValidArguments;
}

/** A ruling, and what the gate wants to see of the server's answer. */
export interface Decision {
  readonly ruling: Ruling;
  readonly pending?: Pending;
}

/** Lets a valid call go on at once; it is counted beside. */
export function forwardValid(call: ValidCall, services: GateServices): Decision {
  const handled = countValid(call, services);
  // Nobody may be waiting for it.
  handled.catch(() => undefined);
  return toDecision(call, handled, services);
}

/** Lets a valid call go on only with the contract's word, which may be that its tool is blocked. */
export async function admitValid(
  call: ValidCall,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision | Rejected | Blocked> {
  const handled = await countValid(call, services, signal);
  if (handled.status !== "executed") return handled;
  return toDecision(call, Promise.resolve(handled), services);
}

type Counted = Promise<Executed | Rejected | Blocked>;

async function countValid(
  call: ValidCall,
  { contract, runs }: GateServices,
  signal?: AbortSignal,
): Counted {
  const { tool, checked } = call;
  const context = { ...contextOf(call, runs), tool, checked, ...(signal && { signal }) };
  // The tool runs elsewhere; what is wanted of the result is the note that follows its answer.
  return contract.handle(toToolCall(call.call), { ...context, execute: () => "" });
}

function toDecision(call: ValidCall, handled: Counted, services: GateServices): Decision {
  const { contract, settings } = services;
  call.turn.decided("forwarded");
  const isNoted = contract.settings.reportAdvisories && settings.mode !== "audit";
  const ruling = settings.mode === "enforce" ? rulingOn(call) : FORWARD;
  if (!isNoted || call.checked.advisories.length === 0) return { ruling };
  const note = handled.then(
    ({ result }) => result.content.trim(),
    () => "",
  );
  return { ruling, pending: { kind: "noted", note } };
}

/** Only what the user wants unwrapped is ever changed, and never a number beside it. */
function rulingOn({ call: { message }, checked }: ValidCall): Ruling {
  if (checked.repairs.length === 0) return FORWARD;
  const params = { ...(message["params"] as object), arguments: checked.input };
  if (!holdsExactNumbers(params)) return FORWARD;
  return { kind: "forward", message: { ...message, params } };
}
