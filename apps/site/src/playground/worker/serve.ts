import { type Replay, replay, type Validator } from "../engine/index.ts";
import type { PlaygroundState } from "../state/index.ts";
import { definedTool } from "../zod-tool/index.ts";
import type { Reply, Request } from "./protocol.ts";

/** Answers the page's requests in this worker, one after another. */
export function serve(): void {
  let last = Promise.resolve();
  addEventListener("message", ({ data }: MessageEvent<Request>) => {
    last = last.then(async () => {
      const reply: Reply = { id: data.id, replay: await answer(data.state) };
      postMessage(reply);
    });
  });
}

/** A getter in the tool's own code may throw. */
async function answer(state: PlaygroundState): Promise<Replay> {
  try {
    const { name, schema } = definedTool() ?? {};
    return await replay(state, schema as Validator | undefined, name);
  } catch (error) {
    return { faults: [{ place: "Tool", severity: "error", message: String(error) }], turns: [] };
  }
}
