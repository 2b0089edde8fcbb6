import type { Scenario } from "../scenario.ts";
import { claimResult, type SessionScenario, type SessionScene } from "./session-scenario.ts";

/** Converts a scenario about a run of LangChain, which is loaded when it is played, to one of the demo. */
export function onAgentSession(scenario: SessionScenario): Scenario {
  return {
    ...scenario,
    options: {},
    async play({ workspace }) {
      const { playAgentSession } = await import("./play-agent-session.ts");
      return playAgentSession(scenario, workspace);
    },
    // The scene is the one that `play` returned.
    verify(scene: SessionScene, claim) {
      claimResult(scene, claim);
      scenario.verify(scene, claim);
    },
  };
}
