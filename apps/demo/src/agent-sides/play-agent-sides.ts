import { type Contract, createContract } from "@toolcontract/core";
import { countTokens } from "../count-tokens.ts";
import { recordAnswers } from "../langchain/recorded-contract.ts";
import type { CallRecord, Scenario, Scene } from "../scenario.ts";
import { argumentsText, type ModelTurn } from "../scripted-model.ts";
import { createWatchedContract } from "../watched-contract.ts";
import type { Workspace } from "../workspace.ts";
import { callId } from "./recorded-turns.ts";

/** What happened in one run of an agent. */
interface AgentSide {
  readonly turns: readonly ModelTurn[];
  /** What the model read, by the id of the call. */
  readonly answers: ReadonlyMap<string, string>;
  /** What the tool ran with. */
  readonly reached: readonly unknown[];
  /** The ids of the calls that ran. */
  readonly ran: ReadonlySet<string>;
  readonly said: unknown;
  readonly thrown?: Error;
}

/** What happened on both sides. */
export interface AgentsScene extends Scene {
  readonly withContract: AgentSide;
  readonly withoutContract: AgentSide;
}

/** Runs an agent of a framework on a script, inside the contract if there is one. */
export type RunSide = (script: Scenario["script"], contract?: Contract) => Promise<AgentSide>;

/** Runs the script in the framework three times: with the contract, with its compact style, and without it. */
export async function playAgentSides(
  { script }: Pick<Scenario, "script">,
  { guarded, plain }: Workspace,
  runSide: RunSide,
): Promise<AgentsScene> {
  const watched = createWatchedContract({ workspaceRoot: guarded.path });
  const { contract, handled } = recordAnswers(watched.contract);
  const compact = recordAnswers(createContract({ format: { style: "compact" }, logger: false }));
  const side = await runSide(script, contract);
  await runSide(script, compact.contract);
  const without = await runSide(script);
  const turns = side.turns.map((message, turn) => ({
    message,
    calls: message.calls.map((scripted, index): CallRecord => {
      const id = callId(turn, index);
      const answer = handled.get(id);
      if (answer === undefined) throw new Error(`The contract did not answer ${id}.`);
      const text = without.answers.get(id);
      return {
        call: { id, name: scripted.tool, arguments: argumentsText(scripted) },
        handled: answer,
        repaired: watched.repaired.has(id),
        tokens: countTokens(answer.result.content),
        compactTokens: countTokens(compact.handled.get(id)?.result.content ?? ""),
        without:
          text === undefined
            ? []
            : [{ loop: "plain", text, tokens: countTokens(text), ran: without.ran.has(id) }],
      };
    }),
  }));
  const metrics = watched.contract.metrics();
  return {
    ...watched,
    turns,
    metrics,
    guarded,
    plain,
    withContract: side,
    withoutContract: without,
  };
}
