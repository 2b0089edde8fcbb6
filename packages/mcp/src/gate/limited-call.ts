import { holdSlot, TIMEOUT, toolFailed } from "@toolcontract/session/tools";
import { type CallClock, type ToolLimiter, truncateResult } from "../limits/index.ts";
import {
  exactMessage,
  holdsExactNumbers,
  type Message,
  metaOf,
  readResponse,
} from "../wire/index.ts";
import { toFailedResponse } from "./answer.ts";
import type { ToolCallRequest } from "./call.ts";
import type { Flights, InFlight } from "./in-flight.ts";
import { DROP, type Link, type Ruling } from "./link.ts";
import { thrownByLost } from "./lost-call.ts";
import { TIMED_OUT } from "./operations.ts";
import type { GateServices } from "./options.ts";

/** A call to put under its limits. */
export interface CallToLimit {
  readonly call: ToolCallRequest;
  readonly link: Link;
  readonly flight: InFlight;
  readonly flights: Flights;
}

/** What limits of a call need. */
interface Limiting extends CallToLimit {
  readonly services: GateServices;
  readonly limiter: ToolLimiter;
}

/** Makes a forwarded call wait for its slot in the queue, then starts its clock. */
export function limitCall(
  ruling: Ruling,
  call: CallToLimit,
  services: GateServices,
): Ruling | Promise<Ruling> {
  const { limiter } = services;
  if (limiter === undefined || ruling.kind !== "forward") return ruling;
  const limiting = { ...call, services, limiter };
  const queue = limiter.queueOf(call.call.name);
  return queue === undefined
    ? startLimits(ruling, limiting)
    : startInQueue(ruling, queue, limiting);
}

async function startInQueue(ruling: Ruling, queue: string, limiting: Limiting): Promise<Ruling> {
  const { flight, limiter } = limiting;
  const { release } = await holdSlot(limiter.queues, queue, flight.signal());
  if (!flight.isAborted()) return startLimits(ruling, limiting, release);
  release();
  return DROP;
}

function startLimits(ruling: Ruling, limiting: Limiting, leave?: () => void): Ruling {
  const { call, link, flight, flights, services, limiter } = limiting;
  const timeout = limiter.timeoutOf(call.name);
  const maxBytes = limiter.maxBytesOf(call.name);
  if (ruling.kind !== "forward" || (timeout ?? maxBytes ?? leave) === undefined) return ruling;
  // Names that only a model knows do not reach the log.
  const tool = services.lists.of(link).find(call.name)?.name ?? "(unknown)";
  const deadline = timeout === undefined ? undefined : startDeadline(timeout, tool, limiting);
  flight.limits = {
    end() {
      deadline?.stop();
      leave?.();
    },
    cut: (message, result, text) =>
      maxBytes === undefined
        ? undefined
        : cutTo(maxBytes, { message, result, text, tool, services, limiter }),
  };
  const limited = {
    end: () => flights.endLimits(flight),
    isOver: () => flight.isOver,
    ...(deadline && { givenUp: deadline.givenUp }),
  };
  return { ...ruling, limited };
}

interface Deadline {
  readonly givenUp: Promise<Message>;
  stop(): void;
}

/** Starts a call's clock. When its time is over, the server gets the cancel, and the client its answer. */
function startDeadline(
  milliseconds: number,
  tool: string,
  { call, link, flight, flights, services, limiter }: Limiting,
): Deadline {
  const { contract, unvalidated } = services;
  const failed = toFailedResponse(call, { message: toolFailed(TIMEOUT) });
  const report = (thrown: unknown): void => unvalidated.report("gate", thrown);
  // Runs synchronously up to its first await, so any later response counts as late.
  const giveUp = async (): Promise<Message> => {
    try {
      return await answerInstead(failed, flight, flights);
    } catch (thrown) {
      report(thrown);
      return failed;
    }
  };
  let clock: CallClock | undefined;
  const givenUp = new Promise<Message>((resolve) => {
    const token = metaOf(call.message)?.["progressToken"];
    const onTime = (): void => {
      resolve(giveUp());
      limiter.count("timedOut");
      const fields = { tool_name: tool, limit_ms: milliseconds };
      contract.settings.log({ level: "warn", package: "mcp", ...fields }, "Tool call timed out");
      try {
        link.notify?.(cancelOf(call), call.message);
      } catch (thrown) {
        report(thrown);
      }
    };
    clock = flights.clocks().start({ token, milliseconds, onTime });
  });
  return { givenUp, stop: () => clock?.stop() };
}

/** Settles a call with an answer that stands for the server's, whose own is dropped from now on. */
async function answerInstead(
  answer: Message,
  flight: InFlight,
  flights: Flights,
): Promise<Message> {
  const { expects, measure } = flight;
  flight.isOver = true;
  flight.expects = undefined;
  flight.measure = undefined;
  flights.endLimits(flight);
  const response = readResponse(answer);
  const settled = expects?.fail
    ? expects.fail(thrownByLost({ kind: "unanswered", how: "time" }))
    : response && expects?.settle({ message: answer, response, cut: answer, isOurs: true });
  const shown = (await settled) ?? answer;
  measure?.(TIMED_OUT);
  return shown;
}

function cancelOf({ id }: ToolCallRequest): Message {
  const params = { requestId: id, reason: TIMEOUT };
  return { jsonrpc: "2.0", method: "notifications/cancelled", params };
}

interface Cutting {
  readonly message: Message;
  readonly result: Message;
  /** Gives the text of the message. */
  readonly text: (() => string) | undefined;
  readonly tool: string;
  readonly services: GateServices;
  readonly limiter: ToolLimiter;
}

function cutTo(
  limit: number,
  { message, result, text, tool, services, limiter }: Cutting,
): Message | undefined {
  let cut = truncateResult(result, limit);
  if (cut === undefined) return undefined;
  limiter.count("truncated");
  const { log } = services.contract.settings;
  const fields = { tool_name: tool, bytes: cut.size, limit };
  log({ level: "warn", package: "mcp", ...fields }, "Tool result truncated");
  if (text !== undefined && !holdsExactNumbers(cut.result)) {
    // Written anew, a large integer would be another one.
    const exact = exactMessage(text())?.["result"];
    cut = truncateResult(exact, limit) ?? cut;
  }
  const { structuredContent, ...rest } = cut.result;
  const isExact = structuredContent === undefined || holdsExactNumbers(structuredContent);
  if (isExact && !cut.isUnstructured) return { ...message, result: cut.result };
  // Clients refuse a success without the structure that the tool declares.
  return { ...message, result: { ...rest, isError: true } };
}
