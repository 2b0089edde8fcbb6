import type { Escalate } from "@toolcontract/ai-sdk";
import type { ToolSet } from "ai";
import type { Claim } from "../assertions.ts";
import type { Scenario, Scene } from "../scenario.ts";
import type { Shop } from "../shop/shop.ts";
import type { Folder } from "../workspace.ts";
import type { SdkFunction } from "./ask-sdk.ts";
import { playSdkScenario } from "./play-sdk-scenario.ts";
import type { SdkRun, Settings } from "./run-sdk.ts";

/** The tools of one run, and the calls that reached them. */
export interface Toolbox {
  readonly tools: ToolSet;
  /** The arguments that reached a tool, a server or the client, oldest first. */
  readonly reached: readonly unknown[];
  /** Answers calls of tools without `execute`, as the application in a browser does. */
  readonly client?: (toolName: string, input: unknown) => string;
  close?(): Promise<void>;
}

/** A scenario that runs in the real AI SDK, with and without the contract. */
export interface SdkScenario extends Omit<Scenario, "compareValid" | "play" | "verify"> {
  /** The function of the SDK that runs the loop; `generateText` by default. */
  readonly runs?: SdkFunction;
  /** What the contract does when the attempts are used up; by default it drops the tool. */
  readonly escalate?: Escalate;
  /** The SDK's own telemetry of the side with the contract. */
  readonly telemetry?: () => NonNullable<Settings["telemetry"]>;
  /** Runs the side with the contract. */
  readonly inSpan?: <T>(run: () => Promise<T>) => Promise<T>;
  /** Opens the shop of one run, if the tools are those of a shop; with guardrails if it runs with the contract. */
  readonly openShop?: (hasContract: boolean) => Shop;
  /** Creates the tools of one run. */
  readonly openToolbox: (folder: Folder, shop: Shop | undefined) => Toolbox | Promise<Toolbox>;
  verify(scene: SdkScene, claim: Claim): void;
}

/** What happened on both sides. */
export interface SdkScene extends Scene {
  readonly withContract: SdkRun;
  readonly withoutContract: SdkRun;
}

/** Converts a scenario for the AI SDK to one of the demo. */
export function onAiSdk(scenario: SdkScenario): Scenario {
  return {
    ...scenario,
    play: ({ workspace }) => playSdkScenario(scenario, workspace),
    // The scene is the one that `play` returned.
    verify(scene: SdkScene, claim) {
      const { answers } = scene.withContract;
      const claimed = "the model reads the contract's text to the letter, as an error";
      claim(claimed, readsExactly(scene), [...answers.values()]);
      scenario.verify(scene, claim);
    },
  };
}

function readsExactly({ turns, withContract }: SdkScene): boolean {
  // A run that throws is not followed by a request, so the model never reads its last answers.
  const read = withContract.thrown ? turns.slice(0, -1) : turns;
  const refused = read
    .flatMap(({ calls }) => calls)
    .filter(({ handled }) => handled.status !== "executed");
  const exact = refused.filter(({ call, handled }) => {
    const answer = withContract.answers.get(call.id);
    return answer?.type === "error-text" && answer.text === handled.result.content;
  });
  return refused.length > 0 && exact.length === refused.length;
}
