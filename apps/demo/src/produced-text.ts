import type { Scene } from "./scenario.ts";

/** Everything that the contract said in a scene: answers, errors, events, escalations, log lines, metrics. */
export function producedText(scene: Scene): string {
  const refusals = scene.turns
    .flatMap((turn) => turn.calls)
    .filter(({ handled }) => handled.status !== "executed")
    .map(({ handled }) => JSON.stringify(handled));
  const { logs, events, escalations, metrics } = scene;
  return [...refusals, ...events, JSON.stringify({ logs, escalations, metrics })].join("\n");
}
