// One worker serves all tools with a JSON Schema; for a tool in zod, its code runs in this worker too.
import { type Replay, replay, type Validator } from "../engine/index.ts";
import type { PlaygroundState } from "../state/index.ts";
import { definedTool } from "../defined-tool.ts";
import { BEGUN } from "./begun.ts";

let last = Promise.resolve();
self.addEventListener("message", ({ data }: MessageEvent<PlaygroundState>) => {
  last = last.then(async () => {
    self.postMessage(BEGUN);
    self.postMessage(await answer(data));
  });
});
// The code of a tool runs next, and may never end.
self.postMessage(BEGUN);

/** A getter in the tool's own code may throw. */
async function answer(state: PlaygroundState): Promise<Replay> {
  try {
    const { name, schema } = definedTool() ?? {};
    return await replay(state, schema as Validator | undefined, name);
  } catch (error) {
    return { faults: [{ place: "Tool", severity: "error", message: String(error) }], turns: [] };
  }
}
