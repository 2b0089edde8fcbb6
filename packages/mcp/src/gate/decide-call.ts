import type {
  Admission,
  CheckResult,
  InvalidArguments,
  ToolDefinition,
  ValidArguments,
  ValidationError,
} from "@toolcontract/core";
import { formatFindings } from "@toolcontract/explain";
import { type Message, readResponse, type ServerResponse } from "../wire/index.ts";
import { addNote, toResponse, withServerMeta } from "./answer.ts";
import { type CallInGate, toToolCall } from "./call.ts";
import type { Decision, Expected } from "./in-flight.ts";
import type { InvalidCall, Judgement, UnjudgedCall, ValidCall } from "./judge-call.ts";
import { FORWARD } from "./link.ts";
import type { GateServices } from "./options.ts";
import { mayBeUndeclared, serverVerdict, undeclaredFields } from "./soft/index.ts";

/** Decides what happens to a call that was judged, if the contract runs no tools: else `decideStaged` does. */
export function decideCall(
  call: CallInGate,
  judgement: Judgement,
  services: GateServices,
): Decision | Promise<Decision> {
  switch (judgement.kind) {
    case "valid":
      return decideValid(call, judgement, services);
    case "invalid":
      return decideInvalid(call, judgement, services);
    case "unjudged":
      return decideUnjudged(call, judgement, services);
  }
}

/** Forwards a valid call at once and counts it in the background, unless the contract may refuse it. */
function decideValid(
  call: CallInGate,
  valid: ValidCall,
  services: GateServices,
): Decision | Promise<Decision> {
  const { contract, settings } = services;
  const mayRefuse = contract.settings.onBlocked === "refuse" && settings.mode === "enforce";
  if (mayRefuse) return countFirst(call, valid, services);
  if (mayHaveNote(valid, services))
    return forwardCounted(call, valid, countCall(call, valid, services));
  countPlain(call, valid, services);
  return forwardCounted(call, valid, undefined, settings.mode);
}

/** Whether the contract remarks on a valid call: the count then says whether it did before. */
function mayHaveNote({ checked }: ValidCall, { contract, settings }: GateServices): boolean {
  const { reportAdvisories } = contract.settings;
  return reportAdvisories && settings.mode !== "audit" && checked.advisories.length > 0;
}

/** Nothing waits for this count, and what fails in it must not end the process. */
function countPlain(
  inGate: CallInGate,
  { tool, checked }: ValidCall,
  { countValid, conversations }: GateServices,
): void {
  const { turnId } = inGate.turn;
  const context = { ...conversations.contextOf(inGate, tool), tool, turnId };
  try {
    const counted = countValid(toToolCall(inGate.call), context, checked);
    if (counted instanceof Promise) counted.catch(() => undefined);
  } catch {
    // The call is valid all the same.
  }
}

async function countFirst(
  call: CallInGate,
  valid: ValidCall,
  services: GateServices,
): Promise<Decision> {
  const counted = await countCall(call, valid, services, call.flight.signal());
  if (counted.status !== "admitted") return refuse(call, counted, services);
  const noted = mayHaveNote(valid, services) ? Promise.resolve(counted) : undefined;
  return forwardCounted(call, valid, noted);
}

function forwardCounted(
  { turn, call }: CallInGate,
  { forward: ruling, tool }: ValidCall,
  counted?: Promise<Admission>,
  mode?: GateServices["settings"]["mode"],
): Decision {
  turn.decided("forwarded");
  if (counted === undefined) {
    if (mode === "audit" || !mayBeUndeclared(tool, call.arguments)) return { ruling };
    // Written now, since the arguments may be large and the tool slow.
    const note = noteOf(undeclaredFields(tool, call.arguments));
    const settle: Expected["settle"] = ({ response, cut, isOurs }) => {
      if (isOurs === true || !isFailure(response)) return undefined;
      return addNote(cut, readResponse(cut) ?? response, note);
    };
    return { ruling, expects: { settle } };
  }
  // Nothing awaits it if the server does not answer.
  const note = counted
    .then((admission) => (admission.status === "admitted" ? admission.note() : ""))
    .catch(() => "");
  const expects: Expected = {
    settle: async ({ cut, response, isOurs }) =>
      isOurs === true ? undefined : addNote(cut, readResponse(cut) ?? response, await note),
  };
  return { ruling, expects };
}

async function decideInvalid(
  call: CallInGate,
  invalid: InvalidCall,
  services: GateServices,
): Promise<Decision> {
  const { settings } = services;
  const soft = invalid.tool ? settings.soft : settings.onUnlisted;
  if (settings.mode === "assist" || (invalid.isSoft && soft !== "reject")) {
    call.turn.decided("forwarded");
    const unanswered = (): void => addUndecided(invalid, services);
    if (invalid.isSoft && soft === "forward") {
      unanswered();
      return { ruling: FORWARD };
    }
    const settle: Expected["settle"] = async (received) =>
      settleInvalid(received, call, invalid, services);
    return { ruling: FORWARD, expects: { settle, unanswered } };
  }
  const admission = await countCall(call, invalid, services, call.flight.signal());
  if (settings.mode === "audit" || admission.status === "admitted") {
    call.turn.decided("rejected");
    return { ruling: FORWARD };
  }
  return refuse(call, admission, services);
}

/** Counts an invalid call by the server's response to it; a rejection is rewritten in the contract's words. */
async function settleInvalid(
  { response, cut, isOurs = false }: Parameters<Expected["settle"]>[0],
  inGate: CallInGate,
  invalid: InvalidCall,
  services: GateServices,
): Promise<Message | undefined> {
  const { call } = inGate;
  const { tool, checked } = invalid;
  const faults = checked?.errors.map(({ fieldPath }) => fieldPath) ?? [];
  const verdict = serverVerdict(response, { name: call.name, faults, isSoft: invalid.isSoft });
  if (verdict.kind !== "rejected") {
    const isAccepted = verdict.kind === "accepted" && tool !== undefined;
    if (!isAccepted) addUndecided(invalid, services);
    else await countCall(inGate, { ...invalid, checked: accepted(call, checked) }, services);
    const isFailed = verdict.kind === "failed" && !isOurs && services.settings.mode !== "audit";
    return isFailed
      ? addNote(cut, readResponse(cut) ?? response, noteOf(checked?.errors ?? []))
      : undefined;
  }
  const answer = await countCall(inGate, invalid, services);
  if (answer.status === "admitted" || services.settings.mode === "audit") return undefined;
  if (answer.status === "blocked" && services.settings.onExhausted === "forward") return undefined;
  const isTask = call.isTask && response.kind === "error";
  return withServerMeta(toResponse({ ...call, isTask }, answer, verdict.extra), response);
}

/** Counts a call that was forwarded although it does not fit, and of which the server did not say that it does not. */
function addUndecided({ tool }: InvalidCall, { unvalidated }: GateServices): void {
  unvalidated.add(tool === undefined ? "unlisted" : "soft", "forwarded", tool?.name);
}

/** What the server may mean, which says so in words of its own. The call may have run, so nothing asks for another. */
function noteOf(errors: readonly ValidationError[]): string {
  return errors.length === 0 ? "" : `${FAULTS}\n${formatFindings(errors, { style: "compact" })}`;
}

function isFailure(response: ServerResponse): boolean {
  return response.kind === "error" || response.result["isError"] === true;
}

const FAULTS = "What does not fit the tool's schema, if that is why:";

function accepted(
  { arguments: input }: CallInGate["call"],
  checked: InvalidArguments | undefined,
): ValidArguments {
  const advisories = checked?.advisories ?? [];
  return { status: "valid", input, output: input, advisories, repairs: [] };
}

/** What a call is counted by. */
interface Counted {
  readonly tool: ToolDefinition | undefined;
  readonly listed?: readonly ToolDefinition[];
  readonly checked: CheckResult | undefined;
}

/** Counts a call by its final check result; an invalid one comes back rejected or blocked. */
export async function countCall(
  inGate: CallInGate,
  { tool, listed = [], checked }: Counted,
  { contract, conversations }: GateServices,
  signal?: AbortSignal,
): Promise<Admission> {
  const context = { ...conversations.contextOf(inGate, tool), ...(signal && { signal }) };
  const call = toToolCall(inGate.call);
  if (tool === undefined) return contract.admit(call, { ...context, tools: listed });
  return contract.admit(call, { ...context, tool, ...(checked && { checked }) });
}

/** Answers a call that is not forwarded. */
export function refuse(
  { call, turn }: CallInGate,
  answer: Admission,
  services: GateServices,
): Decision {
  if (answer.status === "admitted") return { ruling: FORWARD };
  turn.decided("rejected");
  const forwards =
    services.settings.onExhausted === "forward" && !services.contract.settings.runsTools;
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
async function decideUnjudged(
  call: CallInGate,
  unjudged: UnjudgedCall,
  services: GateServices,
): Promise<Decision> {
  const { failOpen, mode } = services.settings;
  if (!failOpen && mode === "enforce") return refuseUnjudged(call, unjudged, services);
  call.turn.decided("forwarded");
  services.unvalidated.add(unjudged.reason, "forwarded", brokenTool(unjudged));
  return { ruling: FORWARD };
}

/** Refuses a call that could not be validated. */
export async function refuseUnjudged(
  call: CallInGate,
  unjudged: UnjudgedCall,
  services: GateServices,
): Promise<Decision> {
  services.unvalidated.add(unjudged.reason, "refused", brokenTool(unjudged));
  const unread = { tool: UNREAD, checked: NO_SCHEMA };
  const admission = await countCall(call, unread, services, call.flight.signal());
  return refuse(call, admission, services);
}

function brokenTool({ reason, tool }: UnjudgedCall): string | undefined {
  return reason === "schema" ? tool?.name : undefined;
}
