import { withContract } from "@toolcontract/ai-sdk";
import { createContract } from "@toolcontract/core";
import { createWatchedContract } from "../watched-contract.ts";
import type { Folder, Workspace } from "../workspace.ts";
import { recordTurns } from "./record-turns.ts";
import { runSdk, type SdkRun, type Settings, stopWhen } from "./run-sdk.ts";
import type { SdkScenario, SdkScene, Toolbox } from "./sdk-scenario.ts";

/** Runs the script in the real SDK three times: with the contract, with its compact style, and without it. */
export async function playSdkScenario(
  scenario: SdkScenario,
  { guarded, plain }: Workspace,
): Promise<SdkScene> {
  const options = { ...scenario.options, workspaceRoot: guarded.path };
  const watched = createWatchedContract(options);
  const format = { style: "compact" } as const;
  const compact = createContract({ ...options, format, logger: () => undefined });
  const conversationId = scenario.name;

  const withRun = await runIn(guarded, scenario, ({ tools }) =>
    withContract({
      tools,
      contract: watched.contract,
      conversationId,
      stopWhen,
      escalate: scenario.escalate ?? "drop-tool",
    }),
  );
  // Only for the token counts: no tool runs.
  const compactRun = await runIn(guarded, scenario, ({ tools }) =>
    withContract({ tools: withoutEffect(tools), contract: compact, stopWhen }),
  );
  const withoutRun = await runIn(plain, scenario, ({ tools }) => ({ tools }));
  return {
    ...watched,
    turns: recordTurns(withRun, compactRun, withoutRun, watched.repaired),
    metrics: watched.contract.metrics(),
    guarded,
    plain,
    withContract: withRun,
    withoutContract: withoutRun,
  };
}

async function runIn(
  folder: Folder,
  { script, runs, openToolbox }: SdkScenario,
  settingsFor: (toolbox: Toolbox) => Settings,
): Promise<SdkRun> {
  const toolbox = await openToolbox(folder);
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
