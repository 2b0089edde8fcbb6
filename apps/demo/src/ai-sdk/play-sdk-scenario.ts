import { withContract } from "@toolcontract/ai-sdk";
import { createContract } from "@toolcontract/core";
import type { Shop } from "../shop/shop.ts";
import { guardrailsOf, withHistory } from "../shop/with-history.ts";
import { createWatchedContract } from "../watched-contract.ts";
import type { Folder, Workspace } from "../workspace.ts";
import { recordTurns } from "./record-turns.ts";
import { runSdk, type SdkRun, type Settings, stopWhen } from "./run-sdk.ts";
import type { SdkScenario, SdkScene } from "./sdk-scenario.ts";
import type { Toolbox } from "./toolbox.ts";

/** Runs the script in the real SDK three times: with the contract, with its compact style, and without it. */
export async function playSdkScenario(
  scenario: SdkScenario,
  { guarded, plain }: Workspace,
): Promise<SdkScene> {
  const options = { ...scenario.options, workspaceRoot: guarded.path };
  const [shop, compactShop, plainShop] = [true, true, false].map((has) => scenario.openShop?.(has));
  const watched = createWatchedContract({ ...options, ...guardrailsOf(shop) });
  shop?.watch(watched.contract);
  const format = { style: "compact" } as const;
  const { telemetry: _, ...untold } = options;
  const quiet = { ...untold, ...guardrailsOf(compactShop), format, logger: () => undefined };
  const compact = createContract(quiet);
  const conversationId = scenario.name;

  const { telemetry, inSpan = async (run) => run() } = scenario;
  const withRun = await inSpan(async () =>
    runIn(guarded, scenario, shop, ({ tools }) => ({
      ...withContract({
        tools,
        contract: watched.contract,
        conversationId,
        stopWhen,
        escalate: scenario.escalate ?? "drop-tool",
      }),
      ...(telemetry && { telemetry: telemetry() }),
    })),
  );
  // Only for the token counts: no tool runs, except in a shop of its own.
  const compactRun = await runIn(guarded, scenario, compactShop, ({ tools }) => {
    const harmless = compactShop ? tools : withoutEffect(tools);
    return withContract({ tools: harmless, contract: compact, stopWhen });
  });
  const withoutRun = await runIn(plain, scenario, plainShop, ({ tools }) => ({ tools }));
  const turns = recordTurns(withRun, compactRun, withoutRun, watched.repaired);
  return {
    ...watched,
    turns: withHistory(turns, shop),
    metrics: watched.contract.metrics(),
    guarded,
    plain,
    ...(shop && plainShop && { shops: { guarded: shop, plain: plainShop } }),
    withContract: withRun,
    withoutContract: withoutRun,
  };
}

async function runIn(
  folder: Folder,
  { script, runs, openToolbox }: SdkScenario,
  shop: Shop | undefined,
  settingsFor: (toolbox: Toolbox) => Settings,
): Promise<SdkRun> {
  const toolbox = await openToolbox(folder, shop);
  try {
    return await runSdk(script, settingsFor(toolbox), toolbox, runs);
  } finally {
    await toolbox.close?.();
  }
}

function withoutEffect(tools: Toolbox["tools"]): Toolbox["tools"] {
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [
      name,
      tool.execute ? { ...tool, execute: () => "" } : tool,
    ]),
  );
}
