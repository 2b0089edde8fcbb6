import type { Scenario } from "../scenario.ts";
import { playMcpScenario } from "./play-mcp-scenario.ts";
import type { McpScenario, McpScene } from "./mcp-scenario.ts";

/** Converts a scenario for the proxy to one of the demo. */
export function onMcp(scenario: McpScenario): Scenario {
  return {
    ...scenario,
    play: ({ workspace }) => playMcpScenario(scenario, workspace),
    // The scene is the one that `play` returned.
    verify(scene: McpScene, claim) {
      scenario.verify(scene, claim);
    },
  };
}
