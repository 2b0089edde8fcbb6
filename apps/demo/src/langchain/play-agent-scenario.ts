import { type Contract, createContract } from "@toolcontract/core";
import type { Shop } from "../shop/shop.ts";
import { guardrailsOf, withHistory } from "../shop/with-history.ts";
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
  const shop = scenario.openShop?.(true);
  const watched = createWatchedContract({ ...options, ...guardrailsOf(shop) });
  shop?.watch(watched.contract);
  const { contract, handled } = recordAnswers(watched.contract);
  const format = { style: "compact" } as const;
  const run = await runIn(guarded, scenario, shop, contract);
  // Only to compare the tokens.
  const other = scenario.openShop?.(true);
  const quiet = { ...options, ...guardrailsOf(other), format, logger: () => undefined };
  const shorter = createContract(quiet);
  const compact = recordAnswers(shorter);
  await runIn(guarded, scenario, other, compact.contract);
  const plainShop = scenario.openShop?.(false);
  const without = await runIn(plain, scenario, plainShop);
  const { repaired } = watched;
  const turns = recordTurns({ run, compact: compact.handled, without, handled, repaired });
  return {
    ...watched,
    turns: withHistory(turns, shop),
    metrics: watched.contract.metrics(),
    guarded,
    plain,
    ...(shop && plainShop && { shops: { guarded: shop, plain: plainShop } }),
    withContract: run,
    withoutContract: without,
  };
}

async function runIn(
  folder: Folder,
  scenario: AgentScenario,
  shop: Shop | undefined,
  contract?: Contract,
): Promise<AgentRun> {
  const toolbox = await openToolbox(scenario.tools, folder, shop);
  try {
    return await runAgent(scenario, toolbox, contract);
  } finally {
    await toolbox.close?.();
  }
}
