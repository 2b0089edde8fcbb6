import {
  createContract,
  type CallContext,
  type Contract,
  type ExecuteContext,
  type ToolCall,
} from "@toolcontract/core";
import { countTokens } from "./count-tokens.ts";
import type { CallRecord, Scenario, Scene, TurnRecord } from "./scenario.ts";
import { argumentsText, createScriptedModel, type ModelTurn } from "./scripted-model.ts";
import type { Stage } from "./stage.ts";
import { createWatchedContract, type WatchedContract } from "./watched-contract.ts";
import { answerWithoutContract } from "./without-contract.ts";

/** Runs the scripted model against the real tools, through a contract, and records everything. */
export async function playScenario(scenario: Scenario, stage: Stage): Promise<Scene> {
  const { guarded, plain } = stage.workspace;
  const options = { ...scenario.options, workspaceRoot: guarded.path };
  const watched = createWatchedContract(options);
  const compact = createContract({
    ...options,
    format: { style: "compact" },
    logger: () => undefined,
  });
  const model = createScriptedModel(scenario.script);
  const turns: TurnRecord[] = [];
  for (let message = model.next([]); message; message = model.next(lastAnswers(turns))) {
    turns.push(await playTurn(message, turns.length + 1, { scenario, stage, watched, compact }));
  }
  return { ...watched, turns, metrics: watched.contract.metrics(), guarded, plain };
}

interface Playing {
  readonly scenario: Scenario;
  readonly stage: Stage;
  readonly watched: WatchedContract;
  /** The same contract in the compact style, only for the token counts. */
  readonly compact: Contract;
}

async function playTurn(message: ModelTurn, turn: number, playing: Playing): Promise<TurnRecord> {
  const { scenario, stage, watched, compact } = playing;
  const calls: readonly ToolCall[] = message.calls.map((scripted, index) => ({
    id: `call_${turn}_${index + 1}`,
    name: scripted.tool,
    arguments: argumentsText(scripted),
  }));
  const context: CallContext = {
    tools: stage.guarded.tools,
    conversationId: scenario.name,
    runId: "run-1",
    turnId: `turn-${turn}`,
    finishReason: message.finishReason ?? "tool_calls",
  };
  const execute = (args: unknown, { call }: ExecuteContext) =>
    // Every tool of the demo takes an object.
    stage.guarded.call(call.name, args as Readonly<Record<string, unknown>>);
  const handled = await watched.contract.handleTurn(calls, { ...context, execute });
  const shorter = await compact.handleTurn(calls, { ...context, execute: () => "" });

  const records: CallRecord[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = handled[index];
    if (outcome === undefined) throw new Error("The contract left a call without an answer.");
    // No tool of the demo throws.
    if (outcome.status === "failed") throw outcome.error;
    const repaired = watched.repaired.has(call.id);
    const compare = scenario.compareValid ?? (repaired || outcome.status !== "executed");
    records.push({
      call,
      handled: outcome,
      repaired,
      tokens: countTokens(outcome.result.content),
      compactTokens: countTokens(shorter[index]?.result.content ?? ""),
      without: compare ? await answerWithoutContract(call, stage.plain) : [],
    });
  }
  return { message, calls: records };
}

function lastAnswers(turns: readonly TurnRecord[]): readonly string[] {
  return (turns.at(-1)?.calls ?? []).map(({ handled }) => handled.result.content);
}
