import type {
  Admitted,
  Asked,
  CallTool,
  CheckResult,
  Handled,
  ToolDefinition,
} from "@toolcontract/core";
import { mayBeCalled, refusedWith } from "@toolcontract/core/adapter";
import {
  holdsSentNumbers,
  isRecord,
  type Message,
  UpstreamError,
  INTERNAL_ERROR,
} from "../wire/index.ts";
import { addNote, toFailedResponse, toResponse, withServerMeta } from "./answer.ts";
import { type CarriedQuestion, askClient, readCarried } from "./ask-person.ts";
import { type CallInGate, idempotencyKeyOf, toToolCall } from "./call.ts";
import { countCall, refuse, refuseUnjudged } from "./decide-call.ts";
import type { Decision, Expected } from "./in-flight.ts";
import type { Judgement } from "./judge-call.ts";
import { FORWARD, type Ruling } from "./link.ts";
import { errorOf } from "./lost-call.ts";
import type { GateServices } from "./options.ts";

/**
 * Decides what happens to a call that was judged, if the contract runs the tools: a stage must see every call that reaches the
 * server, and it can only judge valid ones.
 */
export async function decideStaged(
  call: CallInGate,
  judgement: Judgement,
  services: GateServices,
): Promise<Decision> {
  const { contract, settings } = services;
  const { name } = call.call;
  switch (judgement.kind) {
    case "valid":
      return stageCall({ ...call, ...judgement }, judgement.forward, services);
    case "invalid":
      // Servers may accept a name that they do not list, but a stage must be able to guard it.
      if (judgement.tool === undefined && mayBeCalled(name, contract)) break;
      return refuse(
        call,
        await countCall(call, judgement, services, call.flight.signal()),
        services,
      );
    case "unjudged":
      if (!settings.failOpen) return refuseUnjudged(call, judgement, services);
  }
  // Its arguments cannot be validated, so the stage alone judges it.
  return stageCall({ ...call, tool: { name } }, FORWARD, services);
}

/** A call whose arguments nothing is known against; without a schema, `checked` is absent. */
interface CallToStage extends CallInGate {
  readonly tool: ToolDefinition;
  readonly checked?: CheckResult;
}

/** What a stage would judge, and a person agree to, is not what the server would get. */
const ROUNDED = refusedWith({
  errorCode: "VAL-003",
  message: "A number in the arguments cannot be kept exactly",
  expectedValue: "integers from -9007199254740991 to 9007199254740991",
});

/**
 * Runs a call inside the contract, whose stage may refuse it before or after it ran: the run is the request to the
 * server and its response.
 *
 * @param forward - The ruling with which the call goes to the server.
 */
async function stageCall(
  staged: CallToStage,
  forward: Ruling,
  services: GateServices,
): Promise<Decision> {
  const { contract } = services;
  if (!holdsSentNumbers(staged.call.message) && contract.settings.judges(staged.tool.name)) {
    const admission = await countCall(staged, { ...staged, checked: ROUNDED }, services);
    if (admission.status !== "admitted") return refuse(staged, admission, services);
  }
  const carried = readCarried(staged.call.message);
  const ruling = carried ? withoutQuestion(forward, carried.message) : forward;
  const staging = await stageOnce(staged, ruling, services);
  if (!("request" in staging)) return staging;
  const asking = await askClient(staging.request, staged, services, carried);
  if (asking === undefined) return answered(staged, staging);
  if ("question" in asking) {
    staged.turn.decided("forwarded");
    return { ruling: { kind: "answer", message: asking.question } };
  }
  const granted = await stageOnce(staged, ruling, services, [asking.grant]);
  // A grant that is not good for the call is the mistake of whoever gave it, and nobody is asked twice.
  return "request" in granted ? answered(staged, granted) : granted;
}

/** The server gets the call without the gate's question, which only the gate can read. */
function withoutQuestion(
  forward: Ruling,
  { params, ...message }: CarriedQuestion["message"],
): Ruling {
  if (forward.kind !== "forward") return forward;
  const repaired = forward.message?.["params"] as Message | undefined;
  const args = repaired && { arguments: repaired["arguments"] };
  return { ...forward, message: { ...message, params: { ...params, ...args } } };
}

async function stageOnce(
  staged: CallToStage,
  forward: Ruling,
  { contract, conversations }: GateServices,
  grants: readonly string[] = [],
): Promise<Decision | Asked> {
  const { call, turn, tool, checked, flight } = staged;
  const signal = flight.signal();
  const idempotencyKey = idempotencyKeyOf(staged);
  const ending = new AbortController();
  signal.addEventListener("abort", () => ending.abort(signal.reason), { once: true });
  const response = deferred<Message>();
  const started = deferred<undefined>();
  try {
    const admission = await contract.admit(toToolCall(call), {
      ...conversations.contextOf(staged, tool),
      tool,
      ...(checked && { checked }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      // The client's own request: it cannot be sent twice under one id.
      runsOnce: true,
      callTool: callerFor(staged),
      signal: ending.signal,
      grants,
    });
    if (admission.status === "ask") return admission;
    if (admission.status !== "admitted") return answered(staged, admission);
    const handled = admission.settle(async () => {
      started.resolve(undefined);
      return response.promise;
    });
    // Awaited again once the server has answered.
    handled.catch(() => undefined);
    const early = await Promise.race([started.promise, handled]);
    if (early?.status === "ask") return early;
    if (early !== undefined) return answered(staged, early);
    turn.decided("forwarded");
    const abort = (): void => {
      ending.abort();
      response.reject(ending.signal.reason);
    };
    const forwarded = { ...staged, admission, handled, response };
    const expects = {
      settle: settlerOf(forwarded),
      fail: failerOf(forwarded),
      abort,
      mustBeRead: true,
    };
    return { ruling: forward, expects };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    // The call came again, and this is what it failed with.
    const known = errorOf(thrown);
    if (known) {
      turn.decided("forwarded");
      return { ruling: answerWith(known, staged) };
    }
    // A stage that fails must not let the call through.
    contract.settings.degraded("stage", thrown);
    turn.decided("rejected");
    const message = "The call could not be checked and was not made.";
    return { ruling: answerWith({ code: INTERNAL_ERROR, message }, staged) };
  }
}

function answerWith(error: Message, { call: { id } }: CallToStage): Ruling {
  return { kind: "answer", message: { jsonrpc: "2.0", id, error } };
}

/** What a call that a stage makes may take. */
const CALL_TIMEOUT_MS = 60_000;

/** Creates the function with which a stage calls another tool of the server, unseen by the client. */
function callerFor({ call, link }: CallToStage): CallTool {
  return async (name, args) => {
    if (link.callTool === undefined) throw new Error("This connection makes no calls of its own");
    const late = deferred<never>();
    const timer = setTimeout(() => {
      late.reject(new Error("The server did not answer in time"));
    }, CALL_TIMEOUT_MS);
    const answer = link.callTool({ name, arguments: args }, call.message);
    return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
  };
}

/** The answer to a call that is not forwarded: the contract's, or a value of the stage's own. */
function answered({ call, turn }: CallToStage, handled: Handled): Decision {
  if (handled.status !== "executed") {
    turn.decided("rejected");
    return { ruling: { kind: "answer", message: toResponse(call, handled) } };
  }
  turn.decided("forwarded");
  if (handled.failure) {
    return { ruling: { kind: "answer", message: toFailedResponse(call, handled.failure) } };
  }
  const result = isRecord(handled.output) ? handled.output : { content: [] };
  return { ruling: { kind: "answer", message: { jsonrpc: "2.0", id: call.id, result } } };
}

interface Forwarded extends CallToStage {
  readonly admission: Admitted;
  readonly handled: Promise<Handled<Message>>;
  readonly response: Deferred<Message>;
}

function settlerOf(forwarded: Forwarded): Expected["settle"] {
  const { admission, response } = forwarded;
  return async ({ message, response: answer }) => {
    if (answer.kind === "result") response.resolve(answer.result);
    else response.reject(new UpstreamError(answer.error));
    const end = await endOf(forwarded);
    // The stage passes the failure on: the client gets the server's own error.
    if (end === undefined) return undefined;
    if ("answer" in end) return withServerMeta(end.answer, answer);
    const { output } = end;
    const isChanged = answer.kind === "error" || output !== answer.result;
    const shown = isChanged && isRecord(output) ? toResult(message, output) : undefined;
    const noted = addNote(
      shown ?? message,
      { ...answer, kind: "result", result: output },
      admission.note(),
    );
    return noted ?? shown;
  };
}

/** The end of a call that gets no response. */
function failerOf(forwarded: Forwarded): NonNullable<Expected["fail"]> {
  const { call, response } = forwarded;
  return async (thrown) => {
    response.reject(thrown);
    const end = await endOf(forwarded);
    if (end === undefined || "answer" in end) return end?.answer;
    return isRecord(end.output) ? toResult(call.message, end.output) : undefined;
  };
}

/** What a forwarded call came to: the contract's answer, or what its tool returned; undefined if the stage passes a failure on. */
async function endOf({
  call,
  turn,
  handled,
}: Forwarded): Promise<{ readonly answer: Message } | { readonly output: Message } | undefined> {
  let settled: Handled<Message>;
  try {
    settled = await handled;
  } catch {
    return undefined;
  }
  if (settled.status === "blocked") turn.end();
  if (settled.status !== "executed") return { answer: toResponse(call, settled) };
  const { output, failure } = settled;
  return failure ? { answer: toFailedResponse(call, failure) } : { output };
}

function toResult({ jsonrpc, id }: Message, result: Message): Message {
  return { jsonrpc, id, result };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Nobody may be waiting when it is rejected.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
