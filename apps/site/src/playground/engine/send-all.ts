import {
  type Contract,
  type ContractLogger,
  type Handled,
  type MessageStyle,
  type ToolDefinition,
  createContract,
} from "@toolcontract/core";
import { correctArguments } from "@toolcontract/corrections";
import { type PlaygroundOptions, fitOptions } from "../state/index.ts";
import { contractOptions } from "./contract-options.ts";
import { cutText, writeValue } from "./cut-text.ts";
import { describeDegraded, describeRepair } from "./describe.ts";

/** The outcome of one call. */
export interface Turn {
  /** The arguments as they were sent, cut. */
  readonly sent: string;
  /** `"escalated"`: the call used the last attempt; `"blocked"`: none was left for it. */
  readonly status: "ran" | "rejected" | "escalated" | "blocked";
  readonly attempt: number;
  readonly maxAttempts: number;
  /** What the model reads, in the style of the options. */
  readonly message: string;
  /** What it reads in either style. */
  readonly styles: Readonly<Record<MessageStyle, string>>;
  /** What was changed to read the arguments, in words. */
  readonly repairs: readonly string[];
  /** The arguments that the tool ran with, as JSON, cut. */
  readonly ranWith?: string;
  /** What a person reads once the attempts are used up. */
  readonly escalation?: string;
  /** The lines of the log, each as JSON. */
  readonly log?: string;
  /** What a model that follows the message sends next; only in the last turn. */
  readonly corrected?: string;
}

/** Sends the calls through a contract in each style; returns their outcomes, and what is not enforced of the tool. */
export async function sendAll(
  calls: readonly string[],
  tool: ToolDefinition,
  given: PlaygroundOptions,
): Promise<{ readonly turns: readonly Turn[]; readonly degraded: readonly string[] }> {
  const options = fitOptions(given);
  const shown = watchedContract(options);
  const style = options.style === "standard" ? "compact" : "standard";
  const other = createContract(contractOptions({ ...options, style }, false));
  const turns: Turn[] = [];
  for (const [index, text] of calls.entries()) {
    const { handled, ranWith } = await send(shown.contract, tool, text, index);
    const message = handled.result.content;
    const { result } = (await send(other, tool, text, index)).handled;
    const isLast = index === calls.length - 1;
    const corrected = isLast ? correctArguments(text, message) : undefined;
    turns.push({
      sent: cutText(text),
      status: statusOf(handled),
      attempt: handled.attempt,
      maxAttempts: options.maxAttempts,
      message,
      styles: bothStyles(message, result.content, options.style),
      ...shown.seen(),
      ...(ranWith !== undefined && { ranWith }),
      ...(handled.status === "blocked" && { escalation: handled.escalation.summary }),
      ...(corrected !== undefined && { corrected }),
    });
  }
  return { turns, degraded: shown.degraded };
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

async function send(contract: Contract, tool: ToolDefinition, text: string, index: number) {
  let ranWith: string | undefined;
  const call = { id: `call_${index + 1}`, name: tool.name, arguments: text };
  const handled = await contract.handle(call, {
    tool,
    conversationId: "playground",
    turnId: String(index + 1),
    execute: (args) => {
      ranWith = writeValue(args);
      return TOOL_ANSWER;
    },
  });
  return { handled, ranWith };
}

function statusOf(handled: Handled): Turn["status"] {
  if (handled.status === "executed") return "ran";
  if (handled.status === "rejected") return "rejected";
  return handled.settled ? "blocked" : "escalated";
}
