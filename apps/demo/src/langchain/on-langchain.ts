import type { Scenario } from "../scenario.ts";
import type { AgentScenario, AgentScene } from "./agent-scenario.ts";

/** Converts a scenario for LangChain, which is loaded when it is played, to one of the demo. */
export function onLangChain(scenario: AgentScenario): Scenario {
  return {
    ...scenario,
    async play({ workspace }) {
      const { playAgentScenario } = await import("./play-agent-scenario.ts");
      return playAgentScenario(scenario, workspace);
    },
    // The scene is the one that `play` returned.
    verify(scene: AgentScene, claim) {
      const { answers } = scene.withContract;
      const claimed = "the model reads the contract's text to the letter, as an error";
      claim(claimed, readsExactly(scene), [...answers.values()]);
      scenario.verify(scene, claim);
    },
  };
}

function readsExactly({ turns, withContract: { answers, interrupts } }: AgentScene): boolean {
  const refused = turns
    .flatMap(({ calls }) => calls)
    .filter(({ handled: { status } }) => status !== "executed")
    // The person's reply answers the calls that the person was asked about.
    .filter(({ handled: { status } }) => status !== "blocked" || interrupts.length === 0);
  const exact = refused.filter(({ call, handled }) => {
    const answer = answers.get(call.id);
    return answer?.status === "error" && answer.text === handled.result.content;
  });
  return refused.length > 0 && exact.length === refused.length;
}
