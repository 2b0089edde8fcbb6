import type { Claim } from "../assertions.ts";
import type { McpServer } from "../mcp-server.ts";
import type { Scenario, Scene } from "../scenario.ts";
import { playMcpScenario } from "./play-mcp-scenario.ts";

/** What a call of a server came to. */
export type McpResult = Awaited<ReturnType<McpServer["call"]>>;

/** A scenario that the official client plays, once through the proxy and once without it. */
export interface McpScenario extends Omit<
  Scenario,
  "compareValid" | "options" | "play" | "verify"
> {
  /** Flags of the proxy. */
  readonly flags?: readonly string[];
  /** The server as a script of Node with its arguments. */
  readonly server: (folder: string) => readonly string[];
  verify(scene: McpScene, claim: Claim): void;
}

/** What the client got on both sides, call by call. */
export interface McpScene extends Scene {
  readonly withProxy: readonly McpResult[];
  readonly withoutProxy: readonly McpResult[];
}

/** Makes a scenario of the demo from one for the proxy. */
export function onMcp(scenario: McpScenario): Scenario {
  return {
    ...scenario,
    play: ({ workspace }) => playMcpScenario(scenario, workspace),
    // It is given what `play` made.
    verify(scene: McpScene, claim) {
      scenario.verify(scene, claim);
    },
  };
}
