import type { Escalate } from "@toolcontract/ai-sdk";
import type { Claim } from "../assertions.ts";
import type { Scenario, Scene } from "../scenario.ts";
import type { Shop } from "../shop/shop.ts";
import type { Folder } from "../workspace.ts";
import type { SdkFunction } from "./ask-sdk.ts";
import type { SdkRun, Settings } from "./run-sdk.ts";
import type { Toolbox } from "./toolbox.ts";

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
