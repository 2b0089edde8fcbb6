import type { Scenario } from "../scenario.ts";
import { type SessionScenario, toScenario } from "./session-scenario.ts";

/** Converts a scenario about a run of LangChain to one of the demo. */
export function onAgentSession(scenario: SessionScenario): Scenario {
  return toScenario(scenario, async () => (await import("./langchain-sides.ts")).langchainSides);
}
