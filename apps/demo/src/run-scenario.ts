import { recordCase } from "@toolcontract/case-table/recording";
import { Assertions } from "./assertions.ts";
import { playScenario } from "./play-scenario.ts";
import { recordBehaviour } from "./record-behaviour.ts";
import type { Played, Scenario, Scene } from "./scenario.ts";
import type { Stage } from "./stage.ts";

/** Plays and verifies a scenario; one that throws has failed. */
export async function runScenario(scenario: Scenario, stage: Stage): Promise<Played> {
  const { name } = scenario;
  return recordCase({ host: "demo", theme: name, name }, async (recorder) => {
    const played = await playAndVerify(scenario, stage);
    if (recorder) recordBehaviour(played, recorder);
    return played;
  });
}

async function playAndVerify(scenario: Scenario, stage: Stage): Promise<Played> {
  const assertions = new Assertions();
  const { claim } = assertions;
  const playing = scenario.play?.(stage) ?? playScenario(scenario, stage);
  const scene = await playing.catch((error: unknown) => {
    claim("it plays to its end", false, String(error));
    return undefined;
  });
  if (scene) verifyScene(scenario, scene, assertions);
  const { all, failures } = assertions;
  return { scenario, assertions: all, failures, ...(scene && { scene }) };
}

function verifyScene(scenario: Scenario, scene: Scene, { claim }: Assertions): void {
  const lessons = scene.turns.flatMap((turn) => turn.message.lessons);
  const untold = lessons.filter(({ wasTold }) => !wasTold).map(({ words }) => words);
  if (lessons.length > 0) {
    claim("what the model acts on was in the answers it read", untold.length === 0, untold);
  }
  try {
    scenario.verify(scene, claim);
  } catch (error) {
    claim("it can be verified", false, String(error));
  }
}
