import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { Assertions } from "../assertions.ts";
import type { Played } from "../scenario.ts";
import { recordScene } from "./record-scene.ts";
import type { RecordedScene } from "./recorded-scene.ts";

const FILE = new URL("../../../site/src/playground/scenes/scenes.json", import.meta.url);

/** Reads what the playground shows. */
export function readRecording(): readonly RecordedScene[] {
  return JSON.parse(readFileSync(FILE, "utf8")) as readonly RecordedScene[];
}

/** Writes what the playground shows. */
export function writeRecording(scenes: readonly Played[]): void {
  writeFileSync(FILE, `${JSON.stringify(scenes.map(recordScene), undefined, 2)}\n`);
}

/** Adds the assertion that what the playground shows of a scene is what was played now. */
export function compareRecording(played: Played, recorded: readonly RecordedScene[]): Played {
  if (played.scene === undefined) return played;
  const recording = recorded.find(({ name }) => name === played.scenario.name);
  const assertions = new Assertions();
  assertions.claim(
    "the playground shows what happened",
    isDeepStrictEqual(recording, recordScene(played)),
    "record it again: npx -y pnpm@12 demo --record",
  );
  return {
    ...played,
    assertions: [...played.assertions, ...assertions.all],
    failures: [...played.failures, ...assertions.failures],
  };
}
