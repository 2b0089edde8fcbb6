import {
  type Contract,
  type ContractLogger,
  type Handled,
  type MessageStyle,
  type ToolDefinition,
  createContract,
} from "@toolcontract/core";
import {
  applyHints,
  type Change,
  type Correction,
  placeholdersIn,
} from "@toolcontract/corrections";
import type { Span } from "../json/index.ts";
import { type PlaygroundOptions, fitOptions } from "../state/index.ts";
import { contractOptions } from "./contract-options.ts";
import { cutText, writeValue } from "./cut-text.ts";
import { describeDegraded, describeRepair, isUnchecked } from "./describe.ts";

/** A call of a tool. */
interface SentCall {
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly text: string;
  /** Where the answer holds them. */
  readonly written?: Span;
  /** Calls of one turn of the model have the same. */
  readonly turnId: string;
  /** Whether it is in the last answer. */
  readonly isNewest: boolean;
  /** Which of the calls of its answer it is, if there are several. */
  readonly place?: { readonly number: number; readonly of: number };
}

/** The outcome of one call. */
export interface Turn {
  /** Which of the calls of its answer it is, and the tool that it calls, if there are several. */
  readonly place?: { readonly number: number; readonly of: number; readonly name: string };
  /** The arguments as they were sent, cut. */
  readonly sent: string;
  /** Where they are in what was typed, if they are in one piece. */
  readonly written?: Span;
  /**
   * `"escalated"`: the call used the last attempt; `"blocked"`: none was left for it; `"unfinished"`: it would run, but
   * the model has not filled in all placeholders.
   */
  readonly status: "ran" | "rejected" | "escalated" | "blocked" | "unfinished";
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What the model reads, in the style of the options. */
  readonly message: string;
  /** What it reads in either style. */
  readonly styles: Readonly<Record<MessageStyle, string>>;
  /** What was changed to read the arguments, in words. */
  readonly repairs: readonly string[];
  /** What was not checked of the call, in words. */
  readonly unchecked: readonly string[];
  /** The names of the values that the model has to fill in. */
  readonly placeholders: readonly string[];
  /** What the hints of the turn before changed, if this call is what they made of that one; only in the last turn. */
  readonly changes?: readonly Change[];
  /** The arguments that the tool ran with, as JSON, cut. */
  readonly ranWith?: string;
  /** What a person reads once the attempts are used up. */
  readonly escalation?: string;
  /** The lines of the log, each as JSON. */
  readonly log?: string;
  /** The arguments after the hints of the message were applied, or the refused calls with theirs; only in the last turn. */
  readonly corrected?: string;
}

/** Sends the calls through a contract in each style; returns their outcomes, and what is not enforced of the tools. */
export async function sendAll(
  calls: readonly SentCall[],
  tools: readonly ToolDefinition[],
  given: PlaygroundOptions,
): Promise<{ readonly turns: readonly Turn[]; readonly degraded: readonly string[] }> {
  const options = fitOptions(given);
  const shown = watchedContract(options);
  const style = options.style === "standard" ? "compact" : "standard";
  const other = createContract(contractOptions({ ...options, style }, false));
  const turns: Turn[] = [];
  const again: NextCall[] = [];
  let correction: Correction | undefined;
  for (const [index, call] of calls.entries()) {
    const { name, text, place, written } = call;
    const { handled, ranWith } = await send(shown.contract, tools, call, index);
    const message = handled.result.content;
    const { result } = (await send(other, tools, call, index)).handled;
    const placeholders = placeholdersIn(text);
    const status = statusOf(handled, placeholders);
    const isCorrected = correction?.text === text && tools.some((tool) => tool.name === name);
    const changes = isCorrected ? correction?.changes : undefined;
    // Only the last calls are shown with what changed them, and with what would change them.
    correction = index < calls.length - 2 && !call.isNewest ? undefined : applyHints(text, message);
    if (call.isNewest && isRefused(status)) again.push({ name, text, correction });
    turns.push({
      ...(place !== undefined && { place: { ...place, name } }),
      sent: cutText(text),
      ...(written !== undefined && { written }),
      status,
      attempt: handled.attempt,
      maxAttempts: options.maxAttempts,
      message,
      styles: bothStyles(message, result.content, options.style),
      ...shown.seen(),
      unchecked: shown.degraded.length === 0 ? [] : await uncheckedOf(call, tools, options),
      placeholders,
      ...(changes !== undefined && place === undefined && { changes }),
      ...(ranWith !== undefined && status === "ran" && { ranWith }),
      ...(handled.status === "blocked" && { escalation: handled.escalation.summary }),
    });
  }
  const last = turns.at(-1);
  const corrected = nextAnswer(again, last?.place !== undefined);
  if (last !== undefined && corrected !== undefined) turns.splice(-1, 1, { ...last, corrected });
  return { turns, degraded: shown.degraded };
}

function isRefused(status: Turn["status"]): boolean {
  return status !== "ran" && status !== "unfinished";
}

/** A call that was refused, with what its hints make of it. */
interface NextCall {
  readonly name: string;
  readonly text: string;
  readonly correction: Correction | undefined;
}

/** What a model sends next that follows the hints: arguments, or an answer with each call that was refused. */
function nextAnswer(calls: readonly NextCall[], isAnswer: boolean): string | undefined {
  if (calls.every(({ correction }) => correction === undefined)) return undefined;
  if (!isAnswer) return calls[0]?.correction?.text;
  const sent = calls.map(({ name, text, correction }) => {
    const [, renamed = name] =
      correction?.changes
        .map(({ place, hint }) => (place === TOOL ? hint : undefined))
        .find((hint) => hint !== undefined)
        ?.match(/"(.*)"/) ?? [];
    return {
      type: "function",
      function: { name: renamed, arguments: correction?.text ?? text },
    };
  });
  return JSON.stringify(sent, null, 2);
}

/** Where a hint on the tool's name belongs. */
const TOOL = "(tool)";

/** What nothing has checked of a call: a contract reports it once, so this asks another. */
async function uncheckedOf(
  { name, text }: SentCall,
  tools: readonly ToolDefinition[],
  options: PlaygroundOptions,
): Promise<readonly string[]> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return [];
  const unchecked: string[] = [];
  const contract = createContract(contractOptions(options, false));
  contract.on("contract-degraded", (event) => {
    if (isUnchecked(event)) unchecked.push(describeDegraded(event));
  });
  await contract.checkAsync(tool, text);
  return unchecked;
}

function bothStyles(shown: string, other: string, style: MessageStyle): Turn["styles"] {
  return style === "standard"
    ? { standard: shown, compact: other }
    : { standard: other, compact: shown };
}

/** A contract with what it reports beside its answers. */
interface WatchedContract {
  readonly contract: Contract;
  /** What is not enforced, in words. */
  readonly degraded: readonly string[];
  /** The repairs and the log since it was last asked. */
  readonly seen: () => Pick<Turn, "repairs" | "log">;
}

function watchedContract(options: PlaygroundOptions): WatchedContract {
  const degraded: string[] = [];
  const repairs: string[] = [];
  const lines: string[] = [];
  const logger: ContractLogger = ({ level, ...fields }, message) =>
    lines.push(JSON.stringify({ level, message, ...fields }));
  const contract = createContract(contractOptions(options, logger));
  contract.on("call-repaired", (event) => repairs.push(...event.repairs.map(describeRepair)));
  contract.on("contract-degraded", (event) => degraded.push(describeDegraded(event)));
  const seen = (): Pick<Turn, "repairs" | "log"> => {
    const log = lines.splice(0).join("\n");
    return { repairs: repairs.splice(0), ...(log !== "" && { log }) };
  };
  return { contract, degraded, seen };
}

const TOOL_ANSWER = "(what the tool returns)";

async function send(
  contract: Contract,
  tools: readonly ToolDefinition[],
  { name, text, turnId }: SentCall,
  index: number,
) {
  let ranWith: string | undefined;
  const call = { id: `call_${index + 1}`, name, arguments: text };
  const handled = await contract.handle(call, {
    tools,
    conversationId: "playground",
    turnId,
    execute: (args) => {
      ranWith = writeValue(args);
      return TOOL_ANSWER;
    },
  });
  return { handled, ranWith };
}

function statusOf(handled: Handled, placeholders: readonly string[]): Turn["status"] {
  if (handled.status === "executed") return placeholders.length === 0 ? "ran" : "unfinished";
  if (handled.status === "rejected") return "rejected";
  // Nothing asks a person here: that takes guardrails.
  return handled.status === "blocked" && handled.settled ? "blocked" : "escalated";
}
