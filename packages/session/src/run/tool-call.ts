import { readThrown } from "@toolcontract/core/adapter";
import { messageOf } from "../requests/index.ts";
import { toolEntry, type ToolFacts } from "../accounting/index.ts";
import {
  CONTEXT_EXCEEDED,
  LAST_TURN,
  noProgress,
  type Queues,
  type RanEffect,
  TIMEOUT,
  ToolFailed,
  toolFailed,
  tooManyCalls,
} from "../shared/index.ts";
import {
  failureReason,
  iterateInQueue,
  iterateWithTimeout,
  truncateTexts,
  type Within,
  withTimeout,
} from "../tools/index.ts";
import { force, type RunState } from "./state.ts";

/** A call as a framework is about to run it. */
export interface CallToRun {
  readonly id: string;
  readonly name: string;
  /** The arguments. */
  readonly input: unknown;
}

/** What the model reads of a result. */
export interface ShownResult {
  /** The text parts, in their order. */
  readonly texts: readonly string[];
  /** True if the stub of a limit replaced the whole result. */
  readonly isDropped: boolean;
}

/**
 * The limits around one call, in this order:
 *
 * 1. `refusal`: the call is one too many, or nothing may run anymore. It is answered, and neither validated nor counted.
 * 2. The call contract, which answers invalid calls itself, so that they take no place in a queue.
 * 3. `run` or `iterate`: a place in the queue, `refusal` again, then the tool within its time.
 * 4. `shown`: the result is cut to size, then admitted into the context or replaced. `failed`: what the tool threw.
 *
 * Step 4 writes the accounting entry, for calls that began step 3.
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
export function limitToolCall(state: RunState, { id, name, input }: CallToRun): ToolCallLimits {
  const { limits, guard } = state;
  /** Set for a call that the model made in XML. */
  const xml = state.xml?.owns(id) ? state.xml : undefined;
  const queue = Object.hasOwn(limits.queueOf, name)
    ? (limits.queueOf[name] ?? "default")
    : "default";
  let started: number | undefined;
  let ended: number | undefined;
  let isNoted = false;
  /** What ended the tool, also if a contract around it turned that into an answer. */
  let threw: string | undefined;
  let wasGivenUp = false;
  let settled: ReturnType<RunState["effects"]["begun"]> = () => undefined;
  let place: number | undefined;

  /** Whether this call is one too many; of calls with one id, each asks for itself. */
  function isExcess(known: ReturnType<typeof state.calls.get>): boolean {
    if (!known) return false;
    if (place === undefined) {
      place = known.asked;
      known.asked += 1;
    }
    return known.excess[place] ?? known.excess.at(-1) ?? false;
  }

  function refusal(): string | undefined {
    const known = state.calls.get(id);
    if (isExcess(known)) return toolFailed(tooManyCalls(limits.maxToolCallsPerTurn));
    if (guard.isExceeded) return toolFailed(CONTEXT_EXCEEDED);
    const { forced, turns } = state;
    if (!forced || (known?.turn ?? turns) < forced.fromTurn) return undefined;
    return toolFailed(forced.reason === "context" ? CONTEXT_EXCEEDED : LAST_TURN);
  }

  /** The time that the call has. A limit may have been reached while it waited. */
  function begin(): number | undefined {
    const refused = refusal();
    if (refused !== undefined) throw new ToolFailed(refused);
    const milliseconds = askedLimit(state, limits.toolTimeout, name);
    started = limits.clock();
    settled = state.effects.begun(name, id);
    state.running.add(giveUp);
    return milliseconds;
  }

  function end(): void {
    ended = limits.clock();
    if (started !== undefined) xml?.durations.set(id, ended - started);
  }

  /** The queues of the session, and an event if the call has to wait for its place. */
  const queues: Queues = {
    ...limits.queues,
    async run(into, start, signal) {
      const before = limits.queues.depth(into).waiting;
      const running = limits.queues.run(into, start, signal);
      const depth = limits.queues.depth(into);
      if (depth.waiting > before) {
        limits.onEvent({ type: "tool-queued", tool: name, queue: into, ...depth });
      }
      return running;
    },
  };

  function noteTimeout(thrown: unknown, limit: number | undefined): void {
    if (limit === undefined || !(thrown instanceof ToolFailed)) return;
    if (thrown.message !== toolFailed(TIMEOUT)) return;
    wasGivenUp = true;
    limits.onEvent({ type: "tool-timeout", tool: name, limit });
  }

  /** A tool that was given up may have done its work; what one says of its own failure is known. */
  function outcomeOf(failure: string | undefined): RanEffect["outcome"] {
    if (wasGivenUp) return "unknown";
    return failure === undefined ? "done" : "failed";
  }

  function giveUp(thrown: unknown): void {
    wasGivenUp = true;
    note("", { error: messageOf(thrown) });
  }

  function note(output: string, more: Pick<ToolFacts, "error" | "dropped"> = {}): void {
    if (started === undefined || isNoted) return;
    isNoted = true;
    state.running.delete(giveUp);
    settled(outcomeOf(more.dropped ? threw : more.error));
    watchProgress(output, more.error !== undefined && more.dropped === undefined);
    const entry = toolEntry({
      tool: name,
      mcpServer: serverOfTool(state, name),
      input,
      output,
      startedAt: started,
      endedAt: ended ?? limits.clock(),
      trace: state.trace,
      source: xml && "xml",
      ...more,
    });
    state.accounting.push(entry);
    limits.onEvent({ type: "entry", turn: state.turns, entry });
  }

  /** The same call with the same result, again and again: the model is told once, and then has one last turn. */
  function watchProgress(result: string, isFailed: boolean): void {
    const { turns: turn } = state;
    const stuck = state.progress.note({ turn, tool: name, input, result, isFailed });
    if (!stuck) return;
    const { times, wasTold } = stuck;
    limits.onEvent({ type: "no-progress", tool: name, times, isLast: wasTold });
    if (wasTold) force(state, "no_progress", turn + 1);
    else state.notices.push(noProgress(name, times));
  }

  /** Admits what the model is to read; the stub if it does not fit. */
  function admit(texts: readonly string[], error: string | undefined): ShownResult {
    const estimatedTokens = tokensOf(texts);
    const exceeded = guard.admit(estimatedTokens);
    if (!exceeded) {
      const failure = error === undefined ? threw : messageOf(error);
      note(texts.join(""), failure === undefined ? {} : { error: failure });
      return { texts, isDropped: false };
    }
    const stub = toolFailed(CONTEXT_EXCEEDED);
    const replacementTokens = tokensOf([stub]);
    guard.add(replacementTokens);
    limits.onEvent({ type: "context-exceeded", guard: "tool_preflight", tool: name, ...exceeded });
    force(state, "context", state.turns + 1);
    note(stub, { error: CONTEXT_EXCEEDED, dropped: { estimatedTokens, replacementTokens } });
    return { texts: [stub], isDropped: true };
  }

  /** In XML, a result is shown with its call. */
  function tokensOf(given: readonly string[]): number {
    if (!state.isCounting) return 0;
    const texts = xml
      ? [xml.renderResult({ id, name, response: given.join("\n"), request: input })]
      : given;
    return texts.reduce((sum, text) => sum + limits.estimateTokens(text), 0);
  }

  /** Yields what a tool yields in its place of a queue, within its time. */
  async function* timed<T>(
    start: (signal: AbortSignal) => AsyncIterable<T>,
    signal: AbortSignal | undefined,
    within: Within,
  ): AsyncGenerator<T, void, undefined> {
    let milliseconds: number | undefined;
    try {
      milliseconds = begin();
      const limit = { milliseconds, ...(signal && { signal }) };
      yield* iterateWithTimeout((own) => within(() => start(own)), limit);
    } catch (thrown) {
      threw = messageOf(thrown);
      noteTimeout(thrown, milliseconds);
      throw thrown;
    } finally {
      end();
    }
  }

  return {
    refusal,
    run: async (start, signal) =>
      queues.run(
        queue,
        async () => {
          const milliseconds = begin();
          try {
            return await withTimeout(start, { milliseconds, ...(signal && { signal }) });
          } catch (thrown) {
            threw = messageOf(thrown);
            noteTimeout(thrown, milliseconds);
            throw thrown;
          } finally {
            end();
          }
        },
        signal,
      ),
    iterate: (start, signal) =>
      iterateInQueue(queues, queue, (within) => timed(start, signal, within), signal),
    shown(given, error) {
      const limit = limits.truncateExempt.includes(name)
        ? undefined
        : askedLimit(state, limits.toolResponseMaxBytes, name);
      if (limit === undefined) return admit(given, error);
      const { texts, size, isTruncated } = truncateTexts(given, limit, limits.keep);
      if (isTruncated) limits.onEvent({ type: "tool-truncated", tool: name, bytes: size, limit });
      return admit(texts, error);
    },
    failed(thrown, contractText) {
      const reason = reasonOfToolFailure(thrown);
      const text = contractText ?? toolFailed(reason);
      const isOwn = contractText === undefined && thrown instanceof ToolFailed;
      guard.add(tokensOf([text]));
      note(text, { error: isOwn ? reason : messageOf(thrown) });
      return text;
    },
  };
}

/** The limit of a tool; a function that returns no valid limit is misuse, which ends the run. */
function askedLimit(
  state: RunState,
  ask: (tool: string) => number | undefined,
  tool: string,
): number | undefined {
  try {
    return ask(tool);
  } catch (thrown) {
    state.misuse ??= thrown;
    throw thrown;
  }
}

/** A function that fails must not lose a result. */
function serverOfTool({ limits }: RunState, tool: string): string | undefined {
  try {
    return limits.given.serverOf?.(tool);
  } catch {
    return undefined;
  }
}

/** Why a tool failed. A limit, this one's or that of a session inside the tool, has said so in the whole text. */
function reasonOfToolFailure(thrown: unknown): string {
  // Before it is cleaned: what hides a secret, or cuts a long reason, may take the end with it.
  const [, said] = /^\(tool failed: (.+)\)$/su.exec(readThrown(thrown).trim()) ?? [];
  return failureReason(said ?? thrown);
}
