import { type AccountingEntry, type SessionEvent, type ToolEntry } from "@toolcontract/session";
import { messageOf } from "@toolcontract/session/adapter";
import type { Output } from "./output.ts";
import { type RefusedCall, refusedLine } from "./refused-call.ts";
import type { Status } from "./status.ts";

/** What a person sees of a run while it goes on. */
export interface Progress {
  /** A call is about to run. */
  readonly began: (call: StartedCall) => void;
  /** Words of the model, a piece at a time. */
  readonly said: (piece: string) => void;
  /** The contract has refused a call. */
  readonly refused: (call: RefusedCall) => void;
  /** Anything that the session reports. */
  readonly on: (event: SessionEvent) => void;
  /** The run has ended, and nothing is held back. */
  readonly end: () => void;
}

/** A call as the framework starts it. */
interface StartedCall {
  readonly toolName: string;
  readonly input: unknown;
}

/** How much is shown. */
interface ProgressOptions {
  readonly level: "quiet" | "normal" | "verbose";
  readonly isStreamed: boolean;
}

const MAX_ARGUMENTS = 60;

/**
 * Creates the progress of a run. On a terminal a line is written for each call that has ended, and the model's words as they
 * come; in a pipe only with `--verbose` and `--stream`.
 */
export function createProgress(
  { stderr, secrets, emit }: Pick<Output, "stderr" | "secrets" | "emit">,
  status: Status,
  { level, isStreamed }: ProgressOptions,
): Progress {
  const isTerminal = stderr.isTTY === true;
  const showsCalls = level === "verbose" || (level === "normal" && isTerminal);
  const showsWords = isStreamed || (level === "normal" && isTerminal) || level === "verbose";
  /** The arguments of calls that run, by tool, in the order in which they began. */
  const running = new Map<string, string[]>();

  function finished(entry: ToolEntry): void {
    const [own = ""] = running.get(entry.command)?.splice(0, 1) ?? [];
    if (!showsCalls) return;
    status.line(
      secrets.hide(`${entry.command}(${own}) ${seconds(entry.latency)} ${outcome(entry)}`),
    );
  }

  const text = secrets.stream();
  /** Shows what of the model's words can be shown: no secret, and no beginning of one. */
  function show(words: string): void {
    if (words === "") return;
    emit({ type: "text", text: words });
    if (showsWords) status.words(words);
  }

  return {
    began({ toolName, input }) {
      status.show(toolName);
      emit({ type: "tool-call", tool: toolName, input });
      running.set(toolName, [...(running.get(toolName) ?? []), shortened(input)]);
    },
    said: (piece) => show(text.take(piece)),
    end: () => show(text.end()),
    refused(call) {
      emit(call);
      if (showsCalls) status.line(secrets.hide(refusedLine(call)));
    },
    on(event) {
      emit(event);
      switch (event.type) {
        case "llm-request":
          // The last words of the turn before may still be on their way.
          setImmediate(() => show(text.end()));
          status.show(`turn ${event.turn}: asking the model`);
          if (level === "verbose") status.line(`turn ${event.turn}: asking the model`);
          break;
        case "entry":
          status.add(event.entry);
          if (event.entry.type === "tool") finished(event.entry);
          else if (level === "verbose") status.line(secrets.hide(requestLine(event.entry)));
          break;
        case "tool-queued":
          if (level === "verbose") status.line(queueLine(event));
          break;
        default:
      }
    },
  };
}

function queueLine({
  tool,
  queue,
  running,
  waiting,
}: Extract<SessionEvent, { readonly type: "tool-queued" }>): string {
  return `${tool} waits in the queue ${queue} (${running} running, ${waiting} waiting)`;
}

function requestLine(entry: Exclude<AccountingEntry, ToolEntry>): string {
  const { provider, model, latency, tokens, costUsd, status, error } = entry;
  const took = `${tokens.inputTokens} + ${tokens.outputTokens} tokens`;
  const cost = costUsd === undefined ? "" : `, $${costUsd.toFixed(4)}`;
  const end = status === "ok" ? `${took}${cost}` : `failed: ${messageOf(error)}`;
  return `${provider}/${model} ${seconds(latency)} ${end}`;
}

/** The size of what the model reads, or why the call failed. */
function outcome({ charactersOut, status, error }: ToolEntry): string {
  return status === "ok" ? `${charactersOut} characters` : `failed: ${messageOf(error)}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Arguments on one short line, without secrets. */
function shortened(input: unknown): string {
  const text = messageOf(JSON.stringify(input) ?? "");
  return text.length <= MAX_ARGUMENTS ? text : `${text.slice(0, MAX_ARGUMENTS - 3)}...`;
}
