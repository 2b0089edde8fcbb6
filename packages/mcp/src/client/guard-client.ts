import { ToolContractError } from "@toolcontract/core";
import {
  checkMembers,
  isFunction,
  isObject,
  isRecord,
  isString,
  viewOf,
} from "@toolcontract/core/adapter";
import {
  failureReason,
  type SessionEvent,
  type ToolEntry,
  TIMEOUT,
  toolEntry,
  ToolFailed,
  toolFailed,
  type TraceIds,
  withTimeout,
} from "@toolcontract/session/tools";
import {
  type CallClock,
  createToolLimiter,
  resultTexts,
  TOOL_LIMITS,
  type ToolLimits,
  truncateResult,
} from "../limits/index.ts";
import { clocksOf } from "./clocks-of.ts";

/** The part of a client that is guarded: that of `@modelcontextprotocol/sdk` 1.x and `@modelcontextprotocol/client` 2.x. */
export interface ToolClient {
  /** Calls a tool; the options of the request are the last argument. */
  callTool(params: never, ...rest: never[]): Promise<unknown>;
}

/**
 * The limits of a client's tool calls, and the callbacks that report them.
 *
 * @example
 * ```ts
 * const options: GuardClientOptions = { server: "files", onEntry: (entry) => console.log(entry) };
 * ```
 * @see packages/mcp/README.md
 */
export interface GuardClientOptions extends ToolLimits {
  /** The name of the MCP server, for accounting. */
  readonly server: string;
  /** Called with the accounting entry of every call that ran; an error that it throws changes nothing. */
  readonly onEntry?: (entry: ToolEntry) => void;
  /** Called with `tool-timeout` and `tool-truncated`; an error that it throws changes nothing. */
  readonly onEvent?: (event: SessionEvent) => void;
  /** The ids of the run, for its entries. */
  readonly trace?: TraceIds;
  /**
   * Milliseconds since 1970.
   *
   * @default Date.now
   */
  readonly clock?: () => number;
}

const OWN = {
  server: { ...isString, wants: "the name of the MCP server", isRequired: true },
  trace: isObject,
  onEntry: isFunction,
  onEvent: isFunction,
  clock: isFunction,
};

/** The longest time limit that the SDK can have. */
const LONGEST_MS = 2 ** 31 - 1;

const guardedClients = new WeakSet<object>();

/**
 * Limits the tool calls of an MCP client; everything else of it is untouched. Returns a client of the same type, for any
 * host.
 *
 * @remarks A call over its time is answered with the error result `(tool failed: timeout)`, and the server gets the cancel.
 * Its clock stands while the server asks the client's person or model, and its progress starts it anew, up to ten times the limit.
 * A function for a limit that throws, or returns no number that the limit can have, sets none for that call.
 * What the SDK rejects with is passed on. `client.request` is not guarded, nor are calls that run as tasks.
 *
 * @throws ToolContractError if an option is unknown, has the wrong type, or names a queue that is not defined.
 * @example
 * ```ts
 * const guarded = guardClient(client, { server: "shop", toolTimeout: 30_000 });
 * ```
 * @see packages/mcp/README.md
 */
export function guardClient<C extends ToolClient>(client: C, options: GuardClientOptions): C {
  const where = "guardClient";
  checkClient(client);
  checkMembers(where, options ?? {}, { ...TOOL_LIMITS, ...OWN });
  const callTool = guardedCalls(client, options);
  const guard = viewOf(client, { callTool });
  guardedClients.add(guard);
  return guard;
}

function checkClient(client: ToolClient): void {
  if (!isRecord(client) || typeof client["callTool"] !== "function") {
    throw new ToolContractError(
      "guardClient: pass a client of @modelcontextprotocol/sdk or @modelcontextprotocol/client.",
    );
  }
  if (guardedClients.has(client)) {
    throw new ToolContractError(
      "guardClient: this client is already guarded; pass all options at once.",
    );
  }
}

type CallToolMethod = (params: ToolParams, ...rest: unknown[]) => Promise<unknown>;
type ToolParams = { readonly name: string; readonly arguments?: unknown };

function guardedCalls(client: ToolClient, options: GuardClientOptions): CallToolMethod {
  const limits = createToolLimiter(options, "guardClient");
  const { server, trace, onEntry, onEvent, clock = Date.now } = options;
  const emit = (event: SessionEvent): void => quietly(() => onEvent?.(event));
  const send = client.callTool.bind(client) as CallToolMethod;

  async function run(params: ToolParams, rest: readonly unknown[]): Promise<unknown> {
    const { name: tool } = params;
    const startedAt = clock();
    const record = (result: unknown, error: string | undefined): void => {
      const entry = toolEntry({
        tool,
        mcpServer: server,
        input: params.arguments ?? {},
        output: resultTexts(result).join(""),
        error: error === undefined ? undefined : failureReason(error),
        startedAt,
        endedAt: clock(),
        trace,
      });
      quietly(() => onEntry?.(entry));
    };
    const milliseconds = limits.timeoutOf(tool);
    const deadline = milliseconds === undefined ? undefined : startDeadline(client, milliseconds);
    try {
      const call = (signal: AbortSignal): Promise<unknown> =>
        send(params, ...withOptions(client, rest, signal, deadline));
      const whole = await withTimeout(call, { signal: deadline?.signal });
      const limit = limits.maxBytesOf(tool);
      const cut = limit === undefined ? undefined : truncateResult(whole, limit);
      if (cut && limit !== undefined) {
        emit({ type: "tool-truncated", tool, bytes: cut.size, limit });
      }
      const result = cut?.result ?? whole;
      record(
        result,
        isRecord(result) && result["isError"] === true ? resultTexts(result).join(" ") : undefined,
      );
      return result;
    } catch (thrown) {
      if (!(thrown instanceof ToolFailed) || milliseconds === undefined) {
        record(undefined, failureReason(thrown));
        throw thrown;
      }
      emit({ type: "tool-timeout", tool, limit: milliseconds });
      const result = { isError: true, content: [{ type: "text", text: thrown.message }] };
      record(result, "timeout");
      return result;
    } finally {
      deadline?.clock.stop();
    }
  }

  return async (params, ...rest) => {
    const queue = limits.queueOf(params.name);
    if (queue === undefined) return run(params, rest);
    const { signal } = requestOptions(client, rest).options;
    return limits.queues.run(queue, async () => run(params, rest), signal);
  };
}

interface ClientRequestOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly onprogress?: (progress: never) => void;
}

/** The limit of time of a call, which stands while a person or the host's model is asked. */
interface Deadline {
  readonly signal: AbortSignal;
  readonly clock: CallClock;
}

function startDeadline(client: ToolClient, milliseconds: number): Deadline {
  const over = new AbortController();
  const onTime = (): void => over.abort(new ToolFailed(toolFailed(TIMEOUT)));
  return { signal: over.signal, clock: clocksOf(client).start({ milliseconds, onTime }) };
}

/** Version 1 takes a result schema before the options of the request. */
function requestOptions(
  client: ToolClient,
  rest: readonly unknown[],
): { readonly at: number; readonly options: ClientRequestOptions } {
  const at = "getProtocolEra" in client ? 0 : 1;
  return { at, options: rest[at] ?? {} };
}

function withOptions(
  client: ToolClient,
  rest: readonly unknown[],
  limit: AbortSignal,
  deadline: Deadline | undefined,
): readonly unknown[] {
  const { at, options } = requestOptions(client, rest);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  const args = [...rest];
  // The SDK has a limit of its own, 60 s by default, which must not come first unless the caller has set it.
  const timeout = deadline && { timeout: LONGEST_MS };
  args[at] = { ...timeout, ...options, ...withProgress(options, deadline?.clock), signal };
  return args;
}

/** The server reports progress only to a caller who wants to hear of it. */
function withProgress(
  { onprogress }: ClientRequestOptions,
  clock: CallClock | undefined,
): ClientRequestOptions {
  if (onprogress === undefined || clock === undefined) return {};
  return {
    onprogress(progress) {
      clock.progressed();
      onprogress(progress);
    },
  };
}

/** Runs a callback of the host, whose failure is its own. */
function quietly(run: () => void): void {
  try {
    run();
  } catch {
    // Said in the options: an error changes nothing.
  }
}
