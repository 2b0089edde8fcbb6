import { holdPlace, TIMEOUT, toolFailed } from "@toolcontract/session/tools";
import { type ToolLimiter, truncateResult } from "../limits/index.ts";
import { holdsExactNumbers, type Message, type RequestId } from "../wire/index.ts";
import { toFailedResponse } from "./answer.ts";
import type { ToolCallRequest } from "./call.ts";
import { DROP, type Link, type Ruling } from "./link.ts";
import type { GateServices } from "./options.ts";

/** What the gate keeps of a forwarded call with limits. */
export interface Limited {
  /** Stops its clock and gives its place back. */
  end(): void;
  /** Cuts its result; undefined if it fits. */
  cut(message: Message, result: Message): Message | undefined;
}

/** The calls of one link with limits. */
export interface LimitState {
  /** Calls that wait for a place, or are decided on. */
  readonly held: Map<RequestId, AbortController>;
  readonly limited: Map<RequestId, Limited>;
}

/** What limits of a call need. */
export interface Limiting {
  readonly call: ToolCallRequest;
  readonly link: Link;
  readonly state: LimitState;
  readonly services: GateServices;
  readonly limiter: ToolLimiter;
  /** Called when the call's time is over, with the answer that stands for the server's; gives the client's. */
  readonly abandon: (answer: Message) => Message | Promise<Message>;
}

/** The most forwarded calls of one link whose limits are kept. */
const MAX_LIMITED = 10_000;
/** A longer timer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Lets a forwarded call wait for its place in its queue, then starts its clock. */
export function limitCall(
  ruling: Ruling | Promise<Ruling>,
  limiting: Limiting,
): Ruling | Promise<Ruling> {
  const admit = (decided: Ruling): Ruling | Promise<Ruling> => {
    if (decided.kind !== "forward") return decided;
    const queue = limiting.limiter.queueOf(limiting.call.name);
    return queue === undefined ? start(decided, limiting) : startInQueue(decided, queue, limiting);
  };
  return ruling instanceof Promise ? ruling.then(admit) : admit(ruling);
}

async function startInQueue(ruling: Ruling, queue: string, limiting: Limiting): Promise<Ruling> {
  const { call, state, limiter } = limiting;
  const controller = new AbortController();
  const { signal } = controller;
  state.held.set(call.id, controller);
  try {
    const { release } = await holdPlace(limiter.queues, queue, signal);
    if (!signal.aborted) return start(ruling, limiting, release);
    release();
    return DROP;
  } catch (thrown) {
    // The client cancelled the call while it waited.
    if (signal.aborted) return DROP;
    throw thrown;
  } finally {
    if (state.held.get(call.id) === controller) state.held.delete(call.id);
  }
}

function start(ruling: Ruling, limiting: Limiting, leave?: () => void): Ruling {
  const { call, link, state, services, limiter } = limiting;
  const timeout = limiter.timeoutOf(call.name);
  const maxBytes = limiter.maxBytesOf(call.name);
  if (ruling.kind !== "forward" || (timeout ?? maxBytes ?? leave) === undefined) return ruling;
  const [oldest] = state.limited.keys();
  if (state.limited.size >= MAX_LIMITED && oldest !== undefined) endLimited(oldest, state);
  // Names that only a model knows do not reach the log.
  const tool = services.lists.of(link).find(call.name)?.name ?? "(unknown)";
  const deadline = timeout === undefined ? undefined : startDeadline(timeout, tool, limiting);
  const end = (): void => {
    deadline?.stop();
    leave?.();
  };
  const cut = (message: Message, result: Message): Message | undefined =>
    maxBytes === undefined
      ? undefined
      : cutTo(maxBytes, { message, result, tool, services, limiter });
  state.limited.set(call.id, { end, cut });
  const isOver = (): boolean => deadline?.isOver() ?? false;
  return { ...ruling, limited: { end, isOver, ...(deadline && { givenUp: deadline.givenUp }) } };
}

interface Deadline {
  readonly givenUp: Promise<Message>;
  isOver(): boolean;
  stop(): void;
}

/** Starts a call's clock. When it ends, the server gets the cancel, and the client its answer. */
function startDeadline(
  milliseconds: number,
  tool: string,
  { call, link, state, services, limiter, abandon }: Limiting,
): Deadline {
  const { contract, unvalidated } = services;
  const answer = toFailedResponse(call, { message: toolFailed(TIMEOUT) });
  const report = (thrown: unknown): void => unvalidated.report("gate", thrown);
  // Runs at once up to what it waits for: from now on a response is late.
  const settle = async (): Promise<Message> => abandon(answer);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const givenUp = new Promise<Message>((resolve) => {
    const giveUp = (): void => {
      isOver = true;
      endLimited(call.id, state);
      const settled = settle().catch((thrown: unknown) => {
        report(thrown);
        return answer;
      });
      resolve(settled);
      limiter.count("timedOut");
      const fields = { tool_name: tool, limit_ms: milliseconds };
      contract.settings.log({ level: "warn", package: "mcp", ...fields }, "Tool call timed out");
      try {
        link.notify?.(cancelOf(call), call.message);
      } catch (thrown) {
        report(thrown);
      }
    };
    timer = setTimeout(giveUp, Math.min(milliseconds, LONGEST_MS));
  });
  return { givenUp, isOver: () => isOver, stop: () => clearTimeout(timer) };
}

function cancelOf({ id }: ToolCallRequest): Message {
  const params = { requestId: id, reason: TIMEOUT };
  return { jsonrpc: "2.0", method: "notifications/cancelled", params };
}

interface Cutting {
  readonly message: Message;
  readonly result: Message;
  readonly tool: string;
  readonly services: GateServices;
  readonly limiter: ToolLimiter;
}

function cutTo(
  limit: number,
  { message, result, tool, services, limiter }: Cutting,
): Message | undefined {
  const cut = truncateResult(result, limit);
  if (cut === undefined) return undefined;
  limiter.count("truncated");
  const { log } = services.contract.settings;
  const fields = { tool_name: tool, bytes: cut.size, limit };
  log({ level: "warn", package: "mcp", ...fields }, "Tool result truncated");
  const { structuredContent, ...rest } = cut.result;
  // Written anew, a large integer would be another one.
  const isExact = structuredContent === undefined || holdsExactNumbers(structuredContent);
  if (isExact && !cut.isUnstructured) return { ...message, result: cut.result };
  // Clients refuse a success without the structure that the tool declares.
  return { ...message, result: { ...rest, isError: true } };
}

/** Ends the limits of a call, if it has any. */
export function endLimited(id: RequestId, { limited }: LimitState): Limited | undefined {
  const entry = limited.get(id);
  limited.delete(id);
  entry?.end();
  return entry;
}
