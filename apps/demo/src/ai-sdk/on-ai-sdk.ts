import type { Scenario } from "../scenario.ts";
import { playSdkScenario } from "./play-sdk-scenario.ts";
import type { SdkScenario, SdkScene } from "./sdk-scenario.ts";

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
