import { type Replay, replay } from "../engine/index.ts";
import { EXAMPLES } from "../examples/index.ts";
import type { NamedState } from "../state/index.ts";

/** The first example, and what its conversation comes to. */
interface First {
  readonly example: NamedState;
  readonly title: string;
  readonly sentence: string;
  readonly replay: Replay;
}

declare const data: First;
export { data };

// VitePress runs this once for a build: the page has the first message before any script has loaded.
export default {
  load: async (): Promise<First> => {
    const { id, load, sentence, title } = EXAMPLES[0];
    const state = await load();
    return { example: { id, state }, title, sentence, replay: await replay(state) };
  },
};
