import type {
  Admission,
  CheckResult,
  InvalidArguments,
  ToolDefinition,
  ValidArguments,
} from "@toolcontract/core";
import { mayBeCalled } from "@toolcontract/core/adapter";
import { holdsExactNumbers } from "../wire/index.ts";
import { toResponse } from "./answer.ts";
import { type CallInGate, countCall, toToolCall, type ValidatedCall } from "./call.ts";
import { FORWARD, type Ruling } from "./link.ts";
import type { GateServices } from "./options.ts";
import type { Pending } from "./settle-response.ts";
import type { ToolList } from "./tool-list.ts";
import { stageCall, type StagedDecision } from "./staged-call.ts";
import { isSoft } from "./validation.ts";

/** A ruling, and what the gate needs to see of the server's response. */
export interface Decision extends StagedDecision {
  readonly pending?: Pending;
}

/** What is known about a call when the decision begins. */
export interface Deciding extends CallInGate {
  readonly list: ToolList;
  readonly tool: ToolDefinition | undefined;
  /** The check against the listed schema, if the tool is listed. */
  readonly checked: CheckResult | PromiseLike<CheckResult> | undefined;
  readonly signal: AbortSignal;
}

/** A valid call of a listed tool. */
export interface ValidCall extends CallInGate {
  readonly tool: ToolDefinition;
  readonly checked: ValidArguments;
}

/** Decides on a call. If it looks invalid and the tool list may be outdated, requests the list first. */
export async function decideCall(deciding: Deciding, services: GateServices): Promise<Decision> {
  const { call, link, turn, signal } = deciding;
  let { list, tool } = deciding;
  let checked = await deciding.checked;
  const isCertain = list.isFresh() && (tool !== undefined || list.all() !== undefined);
  if (checked?.status !== "valid" && !isCertain) {
    const isKnown = await services.lists.refresh(link, call.message);
    signal.throwIfAborted();
    list = services.lists.of(link);
    const listed = list.find(call.name);
    // A page that arrived is good for its tools, even if a later page failed.
    if (!isKnown && !(listed && list.isFresh())) {
      return decideWithoutSchema(deciding, "tool-list", services);
    }
    if (listed !== tool) checked = listed && (await services.check(listed, call.arguments, signal));
    tool = listed;
  }
  signal.throwIfAborted();
  if (tool && services.unvalidated.hasBrokenSchema(tool.name)) {
    return decideWithoutSchema({ ...deciding, tool }, "schema", services);
  }
  if (tool && checked?.status === "valid") {
    return decideValid({ call, link, turn, tool, checked }, services, signal);
  }
  const invalid = checked?.status === "invalid" ? checked : undefined;
  const listed = tool ? [] : (list.all() ?? []);
  return decideInvalid({ call, link, turn, tool, listed, checked: invalid }, services, signal);
}

/** Whether a valid call must wait for the contract, which may refuse it: its tool is blocked, or a stage judges it. */
export function mayRefuseValid(services: GateServices): boolean {
  const { contract, settings } = services;
  const isRefused = contract.settings.onBlocked === "refuse" && settings.mode === "enforce";
  return isRefused || runsTools(services);
}

/** Whether every call runs inside the contract; a call that nothing is known against then too. */
function runsTools({ contract }: Pick<GateServices, "contract">): boolean {
  return contract.settings.runsTools;
}

/** Forwards a valid call at once and counts it in the background. */
export function forwardValid(call: ValidCall, services: GateServices): Decision {
  const counted = countValid(call, services);
  // Without a note nothing awaits this promise; its rejection must not end the process.
  counted.catch(() => undefined);
  return forwardCounted(call, counted, services);
}

async function decideValid(
  call: ValidCall,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision> {
  if (runsTools(services)) return stageCall(call, forwardUnwrapped(call), services, signal);
  if (!mayRefuseValid(services)) return forwardValid(call, services);
  const counted = await countValid(call, services, signal);
  if (counted.status !== "admitted") return refuse(call, counted, services);
  return forwardCounted(call, Promise.resolve(counted), services);
}

async function countValid(
  call: ValidCall,
  { contract, conversations }: GateServices,
  signal?: AbortSignal,
): Promise<Admission> {
  const { tool, checked } = call;
  const context = { ...conversations.contextOf(call), tool, checked, ...(signal && { signal }) };
  return contract.admit(toToolCall(call.call), context);
}

function forwardCounted(
  call: ValidCall,
  counted: Promise<Admission>,
  services: GateServices,
): Decision {
  const { contract, settings } = services;
  call.turn.decided("forwarded");
  const reportsAdvisories = contract.settings.reportAdvisories && settings.mode !== "audit";
  const ruling = settings.mode === "enforce" ? forwardUnwrapped(call) : FORWARD;
  if (!reportsAdvisories || call.checked.advisories.length === 0) return { ruling };
  // Nothing awaits it if the server does not answer.
  const note = counted
    .then((admission) => (admission.status === "admitted" ? admission.note() : ""))
    .catch(() => "");
  return { ruling, pending: { kind: "noted", note } };
}

/** Replaces arguments only if JSON strings in them were unwrapped, and only if no number would change. */
function forwardUnwrapped({ call: { message }, checked }: ValidCall): Ruling {
  if (checked.repairs.length === 0) return FORWARD;
  const params = { ...(message["params"] as object), arguments: checked.input };
  if (!holdsExactNumbers(params)) return FORWARD;
  return { kind: "forward", message: { ...message, params } };
}

async function decideInvalid(
  call: ValidatedCall,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision> {
  const { mode, soft: onSoft, onUnlisted } = services.settings;
  // A stage must see every call that reaches the server, and it can only judge valid ones.
  if (runsTools(services)) {
    // Servers may accept a name that they do not list, but a stage must be able to guard it.
    const mayRun = call.tool === undefined && mayBeCalled(call.call.name, services.contract);
    if (mayRun) return stageUnknown(call, services, signal);
    return refuse(call, await countCall(call, call.checked, services, signal), services);
  }
  const soft = call.tool ? onSoft : onUnlisted;
  const softCall = await isSoftCall(call, services);
  signal.throwIfAborted();
  if (mode === "assist" || (softCall && soft !== "reject")) {
    call.turn.decided("forwarded");
    if (call.tool === undefined) services.unvalidated.add("unlisted", "forwarded");
    const isWatched = !softCall || soft !== "forward";
    const pending = { kind: "invalid", call, isSoft: softCall } as const;
    return { ruling: FORWARD, ...(isWatched && { pending }) };
  }
  const admission = await countCall(call, call.checked, services, signal);
  if (mode === "audit" || admission.status === "admitted") {
    call.turn.decided("rejected");
    return { ruling: FORWARD };
  }
  return refuse(call, admission, services);
}

async function isSoftCall(
  { call, tool, checked }: ValidatedCall,
  { check }: GateServices,
): Promise<boolean> {
  // Servers may accept names that they do not list.
  if (tool === undefined) return true;
  if (checked === undefined) return false;
  return isSoft(checked, tool, call.arguments, check);
}

function refuse({ call, turn }: CallInGate, answer: Admission, services: GateServices): Decision {
  if (answer.status === "admitted") return { ruling: FORWARD };
  turn.decided("rejected");
  const forwards = services.settings.onExhausted === "forward" && !runsTools(services);
  if (answer.status === "blocked" && forwards) return { ruling: FORWARD };
  return { ruling: { kind: "answer", message: toResponse(call, answer) } };
}

/** Stands for any tool while the list is unknown, so that names a model invents do not reach the logs. */
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

/** Nothing is known against the call, so it is forwarded unless the user set `failOpen: false`. */
async function decideWithoutSchema(
  { call, turn, link, tool, signal }: Deciding,
  reason: "tool-list" | "schema",
  services: GateServices,
): Promise<Decision> {
  const { failOpen, mode } = services.settings;
  if (failOpen && runsTools(services)) return stageUnknown({ call, turn, link }, services, signal);
  if (failOpen || mode !== "enforce") {
    turn.decided("forwarded");
    services.unvalidated.add(reason, "forwarded", reason === "schema" ? tool?.name : undefined);
    return { ruling: FORWARD };
  }
  services.unvalidated.add(reason, "refused", reason === "schema" ? tool?.name : undefined);
  const unread = { call, turn, link, tool: UNREAD, listed: [], checked: NO_SCHEMA };
  const admission = await countCall(unread, NO_SCHEMA, services, signal);
  return refuse(unread, admission, services);
}

/** A call whose arguments cannot be validated is judged by the stage alone. */
async function stageUnknown(
  { call, turn, link }: CallInGate,
  services: GateServices,
  signal: AbortSignal,
): Promise<Decision> {
  return stageCall({ call, turn, link, tool: { name: call.name } }, FORWARD, services, signal);
}
