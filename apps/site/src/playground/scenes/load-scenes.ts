import type { RecordedScene } from "@toolcontract/demo/recording";

export type { LineKind, RecordedLine, RecordedScene } from "@toolcontract/demo/recording";

/** What writes the scenes: a command of the repository, because they need Node. */
export const RECORD_COMMAND = "npx -y pnpm@12 demo --record";

/** Loads the recorded scenes, which are a file of their own. */
export async function loadScenes(): Promise<readonly RecordedScene[]> {
  const { default: scenes } = await import("./scenes.json");
  return scenes as readonly RecordedScene[];
}
