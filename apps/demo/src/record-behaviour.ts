import type { Recorder } from "@toolcontract/case-table/recording";
import type { AIAgentResult } from "@toolcontract/session";
import type { Page } from "./page.ts";
import type { Played, Scene } from "./scenario.ts";
import { renderScene } from "./timeline.ts";

/** What the scenes of each framework have besides; steps, turns and values are the framework's or the script's own. */
type AnyScene = Scene & {
  readonly withContract?: { readonly steps?: unknown; readonly turns: unknown };
  readonly withProxy?: unknown;
  readonly limited?: { readonly result: AIAgentResult<unknown>; readonly offered: unknown };
};

const PAGE: Page = { width: 100, paint: (_, text) => text };

/** Records everything that a scene made visible; its contract records its events and counters itself. */
export function recordBehaviour(played: Played, recorder: Recorder): void {
  const { scene } = played;
  recorder.add("text", { printed: renderScene(played, "a scene", PAGE) });
  if (scene === undefined) return;
  const { turns, logs, escalations } = scene;
  const { withContract, withProxy, limited } = scene as AnyScene;
  for (const log of logs) recorder.add("log", log);
  for (const escalation of escalations) recorder.add("event", { name: "onEscalation", escalation });
  if (withContract) {
    const { steps: _, turns: __, ...run } = withContract;
    recorder.add("text", { run });
  }
  if (withProxy !== undefined) recorder.add("text", { withProxy });
  if (limited) {
    const { offered, result } = limited;
    const { success, error, finalReport, conversation, accounting } = result;
    recorder.add("text", { offered, result: { success, error, finalReport, conversation } });
    for (const entry of accounting) recorder.add("entry", entry);
  }
  for (const { calls, ...turn } of turns) {
    recorder.nextTurn();
    recorder.add("text", turn);
    for (const call of calls) recorder.add("text", call);
  }
}
