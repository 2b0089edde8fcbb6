import { type Contract, createContract } from "@toolcontract/core";
import { createWatchedContract } from "../watched-contract.ts";
import type { Folder, Workspace } from "../workspace.ts";
import type { AgentRun, AgentScenario, AgentScene } from "./agent-scenario.ts";
import { recordTurns } from "./record-turns.ts";
import { recordAnswers } from "./recorded-contract.ts";
import { runAgent } from "./run-agent.ts";
import { openToolbox } from "./toolbox.ts";

/** Runs the script in the real LangChain three times: with the contract, with its compact style, and without it. */
export async function playAgentScenario(
  scenario: AgentScenario,
  { guarded, plain }: Workspace,
): Promise<AgentScene> {
  const options = { ...scenario.options, workspaceRoot: guarded.path };
  const watched = createWatchedContract(options);
  const { contract, handled } = recordAnswers(watched.contract);
  const format = { style: "compact" } as const;
  const run = await runIn(guarded, scenario, contract);
  // Only to compare the tokens.
  const shorter = createContract({ ...options, format, logger: () => undefined });
  const compact = recordAnswers(shorter);
  await runIn(guarded, scenario, compact.contract);
  const without = await runIn(plain, scenario);
  const { repaired } = watched;
  return {
    ...watched,
    turns: recordTurns({ run, compact: compact.handled, without, handled, repaired }),
    metrics: watched.contract.metrics(),
    guarded,
    plain,
    withContract: run,
    withoutContract: without,
  };
}

async function runIn(
  folder: Folder,
  scenario: AgentScenario,
  contract?: Contract,
): Promise<AgentRun> {
  const toolbox = await openToolbox(scenario.tools, folder);
  try {
    return await runAgent(scenario, toolbox, contract);
  } finally {
    await toolbox.close?.();
  }
}
