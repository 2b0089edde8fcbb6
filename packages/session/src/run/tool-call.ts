import { messageOf } from "../attempts/index.ts";
import { toolEntry, type ToolFacts } from "../accounting/index.ts";
import {
  CONTEXT_EXCEEDED,
  LAST_TURN,
  TIMEOUT,
  ToolFailed,
  toolFailed,
  tooManyCalls,
} from "../shared/index.ts";
import { failureReason, iterateWithTimeout, truncateTexts, withTimeout } from "../tools/index.ts";
import { force, type RunState } from "./state.ts";

/** A call as a framework is about to run it. */
export interface CallToRun {
  readonly id: string;
  readonly name: string;
  /** The arguments. */
  readonly input: unknown;
  /** Set for calls that the model made in XML. */
  readonly source?: "xml" | undefined;
}

/** What the model reads of a result. */
export interface ShownResult {
  /** The text parts, in their order. */
  readonly texts: readonly string[];
  /** True if the stub of a limit replaced the whole result. */
  readonly isDropped: boolean;
}

/**
 * The limits around one call. `refusal`, `shown` and `failed` stand outside of the call contract, which answers calls
 * that must not run; `run` and `iterate` stand inside of it, so that such a call takes no place in a queue.
 */
export interface ToolCallLimits {
  /** What the model reads instead, if the call must not run; the call is in no lane and not counted. */
  refusal(): string | undefined;
  /** Waits for a place in the tool's queue and runs it there, within its time. Throws ToolFailed if a limit ends it. */
  run<T>(start: (signal: AbortSignal) => PromiseLike<T> | T, signal?: AbortSignal): Promise<T>;
  /** The same for a tool that yields its results; the last one counts. */
  iterate<T>(
    start: (signal: AbortSignal) => AsyncIterable<T>,
    signal?: AbortSignal,
  ): AsyncIterable<T>;
  /**
   * Cuts the texts of a result to size, and replaces them if they do not fit into the context; `error` is set for a
   * result with which the tool says that it failed.
   */
  shown(texts: readonly string[], error?: string): ShownResult;
  /** What the model reads of a tool that threw: `(tool failed: <reason>)`, or the contract's own text. */
  failed(thrown: unknown, contractText?: string): string;
}

/** Creates the limits of one call. */
export function limitCall(state: RunState, { id, name, input, source }: CallToRun): ToolCallLimits {
  const { limits, guard } = state;
  const queue = Object.hasOwn(limits.queueOf, name)
    ? (limits.queueOf[name] ?? "default")
    : "default";
  let started: number | undefined;
  let ended: number | undefined;
  let isNoted = false;

  function refusal(): string | undefined {
    const known = state.calls.get(id);
    if (known?.isExcess) return toolFailed(tooManyCalls(limits.maxToolCallsPerTurn));
    if (guard.isExceeded) return toolFailed(CONTEXT_EXCEEDED);
    const { forced, turns } = state;
    if (!forced || (known?.turn ?? turns) < forced.fromTurn) return undefined;
    return toolFailed(forced.reason === "context" ? CONTEXT_EXCEEDED : LAST_TURN);
  }

  /** A limit may have been reached while the call waited. */
  function begin(): number | undefined {
    const refused = refusal();
    if (refused !== undefined) throw new ToolFailed(refused);
    started = limits.clock();
    return limits.toolTimeout(name);
  }

  function end(): void {
    ended = limits.clock();
  }

  function note(output: string, more: Pick<ToolFacts, "error" | "dropped"> = {}): void {
    if (started === undefined || isNoted) return;
    isNoted = true;
    state.accounting.push(
      toolEntry({
        tool: name,
        mcpServer: limits.given.serverOf?.(name),
        input,
        output,
        startedAt: started,
        endedAt: ended ?? limits.clock(),
        trace: state.trace,
        source,
        ...more,
      }),
    );
  }

  /** Admits what the model is to read; the stub if it does not fit. */
  function admit(texts: readonly string[], error: string | undefined): ShownResult {
    const estimatedTokens = tokensOf(texts);
    const exceeded = guard.admit(estimatedTokens);
    if (!exceeded) {
      note(texts.join(""), error === undefined ? {} : { error: messageOf(error) });
      return { texts, isDropped: false };
    }
    const stub = toolFailed(CONTEXT_EXCEEDED);
    const replacementTokens = limits.estimateTokens(stub);
    guard.add(replacementTokens);
    limits.onEvent({ type: "context-exceeded", guard: "tool_preflight", tool: name, ...exceeded });
    force(state, "context", state.turns + 1);
    note(stub, { error: CONTEXT_EXCEEDED, dropped: { estimatedTokens, replacementTokens } });
    return { texts: [stub], isDropped: true };
  }

  function tokensOf(texts: readonly string[]): number {
    return texts.reduce((sum, text) => sum + limits.estimateTokens(text), 0);
  }

  return {
    refusal,
    run: async (start, signal) =>
      limits.queues.run(
        queue,
        async () => {
          const milliseconds = begin();
          try {
            return await withTimeout(start, { milliseconds, ...(signal && { signal }) });
          } finally {
            end();
          }
        },
        signal,
      ),
    async *iterate(start, signal) {
      // The place is held until the last result, and given back if nobody asks for it.
      const place = holdPlace(limits.queues, queue, signal);
      await place.taken;
      try {
        const milliseconds = begin();
        yield* iterateWithTimeout(start, { milliseconds, ...(signal && { signal }) });
      } finally {
        end();
        place.release();
      }
    },
    shown(given, error) {
      const limit = limits.toolResponseMaxBytes;
      if (limit === undefined || limits.truncateExempt.includes(name)) return admit(given, error);
      const { texts, size, isTruncated } = truncateTexts(given, limit);
      if (isTruncated) limits.onEvent({ type: "tool-truncated", tool: name, bytes: size, limit });
      return admit(texts, error);
    },
    failed(thrown, contractText) {
      const text =
        contractText ??
        (thrown instanceof ToolFailed ? thrown.message : toolFailed(failureReason(thrown)));
      if (text === toolFailed(TIMEOUT)) {
        limits.onEvent({ type: "tool-timeout", tool: name, limit: limits.toolTimeout(name) ?? 0 });
      }
      guard.add(limits.estimateTokens(text));
      note(text, { error: thrown instanceof ToolFailed ? reasonIn(text) : messageOf(thrown) });
      return text;
    },
  };
}

/** Takes a place in a queue that a function cannot be run in, because a consumer pulls its results. */
function holdPlace(
  queues: RunState["limits"]["queues"],
  queue: string,
  signal: AbortSignal | undefined,
): { readonly taken: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const taken = new Promise<void>((resolve, reject) => {
    queues
      .run(
        queue,
        async () => {
          resolve();
          await released;
        },
        signal,
      )
      .catch(reject);
  });
  return { taken, release };
}

function reasonIn(text: string): string {
  return text.slice("(tool failed: ".length, -1);
}
