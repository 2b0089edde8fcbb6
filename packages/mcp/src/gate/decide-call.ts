import type {
  Blocked,
  CheckResult,
  Executed,
  InvalidArguments,
  Rejected,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { toResponse } from "./answer.ts";
import type { GateServices } from "./options.ts";
import { type CallInGate, type ValidatedCall, contextOf, countCall, toToolCall } from "./call.ts";
import type { ToolList } from "./tool-list.ts";
import { classify } from "./validation.ts";
import { holdsExactNumbers } from "../wire/index.ts";
import type { Ruling } from "./link.ts";
import type { Pending } from "./settle-response.ts";

/** Stands for any tool while nobody knows which there are: names that a model invents come to no log. */
const UNREAD: ToolDefinition = { name: "(unknown)" };
const NO_SCHEMA: InvalidArguments = {
  status: "invalid",
  errors: [
    {
      errorCode: "VAL-016",
      fieldPath: "",
      message: "The tool's schema could not be read, so the call was not made",
      severity: "error",
    },
  ],
  totalErrors: 1,
  atLeast: false,
  advisories: [],
  repairs: [],
};

/** What is known of a call when its decision begins. */
export interface Deciding extends CallInGate {
  readonly list: ToolList;
  readonly tool: ToolDefinition | undefined;
  /** What the list's own schema says, where the tool is listed. */
  readonly checked: CheckResult | PromiseLike<CheckResult> | undefined;
  readonly signal: AbortSignal;
}

/** Decides on a call, asking for the tools first where nothing certain is known against it. */
export async function decideCall(deciding: Deciding, services: GateServices): Promise<Decision> {
  const { call, link, signal } = deciding;
  let { list, tool } = deciding;
  let checked = await deciding.checked;
  const isCertain = list.isFresh() && (tool !== undefined || list.all() !== undefined);
  if (checked?.status !== "valid" && !isCertain) {
    const isKnown = await services.lists.refresh(link, call.message);
    signal.throwIfAborted();
    list = services.lists.of(link);
    const listed = list.find(call.name);
    // A page that came tells of its tools, also where a later one did not come.
    if (!isKnown && !(listed && list.isFresh())) return withoutSchema(deciding, services);
    if (listed !== tool) checked = listed && (await services.check(listed, call.arguments, signal));
    tool = listed;
  }
  signal.throwIfAborted();
  const { turn } = deciding;
  if (tool && checked?.status === "valid") {
    return decideValid({ call, link, turn, tool, checked }, services, signal);
  }
  const invalid = checked?.status === "invalid" ? checked : undefined;
  const listed = tool ? [] : (list.all() ?? []);
  return decideInvalid({ call, link, turn, tool, listed, checked: invalid }, services, signal);
}

/** Tells whether a valid call must wait for the contract's word. */
export function mayRefuseValid({ contract, settings }: GateServices): boolean {
  return contract.settings.onBlocked === "refuse" && settings.mode === "enforce";
}

async function decideValid(
  call: ValidCall,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision> {
  if (!mayRefuseValid(services)) return forwardValid(call, services);
  const decision = await admitValid(call, services, signal);
  return "ruling" in decision ? decision : refuse(call, decision, services);
}

async function decideInvalid(
  judged: ValidatedCall,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision> {
  const { mode, soft: onSoft, onUnlisted } = services.settings;
  const soft = judged.tool ? onSoft : onUnlisted;
  const isSoft = await isSoftCall(judged, services);
  signal.throwIfAborted();
  if (mode === "assist" || (isSoft && soft !== "reject")) {
    judged.turn.decided("forwarded");
    const isSeen = !isSoft || soft !== "forward";
    const pending = { kind: "invalid", judged, isSoft } as const;
    return { ruling: FORWARD, ...(isSeen && { pending }) };
  }
  const admission = await countCall(judged, judged.checked, services, signal);
  if (mode === "audit" || admission.status === "admitted") {
    judged.turn.decided("rejected");
    return { ruling: FORWARD };
  }
  return refuse(judged, admission, services);
}

async function isSoftCall(
  { call, tool, checked }: ValidatedCall,
  { check }: GateServices,
): Promise<boolean> {
  // Servers may take names that they do not list.
  if (tool === undefined) return true;
  if (checked === undefined) return false;
  return (await classify(checked, tool, call.arguments, check)).kind === "soft";
}

function refuse(
  { call, turn }: CallInGate,
  answer: Rejected | Blocked,
  { settings }: GateServices,
): Decision {
  turn.decided("rejected");
  if (answer.status === "blocked" && settings.onExhausted === "forward") return { ruling: FORWARD };
  return { ruling: { kind: "answer", message: toResponse(call, answer) } };
}

/** Nothing is known against the call, which is no reason to refuse it unless the user says so. */
async function withoutSchema(
  { call, turn, link, signal }: Deciding,
  services: GateServices,
): Promise<Decision> {
  const { failOpen, mode } = services.settings;
  if (failOpen || mode !== "enforce") {
    turn.decided("forwarded");
    return { ruling: FORWARD };
  }
  const judged = { call, turn, link, tool: UNREAD, listed: [], checked: NO_SCHEMA };
  const admission = await countCall(judged, NO_SCHEMA, services, signal);
  return admission.status === "admitted"
    ? { ruling: FORWARD }
    : refuse(judged, admission, services);
}

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
async function admitValid(
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
