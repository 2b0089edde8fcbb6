import { onUnmounted, type Ref, ref, shallowRef, type ShallowRef } from "vue";
import type { Replay } from "../engine/index.ts";
import type { PlaygroundState } from "../state/index.ts";
import { createEngineClient } from "../worker/index.ts";

/** The conversation of the newest state, as it is replayed in a worker. */
export interface ReplayModel {
  /** The last conversation that was replayed to its end; undefined once the reader stopped a later one. */
  readonly replay: ShallowRef<Replay | undefined>;
  /** What was sent last in that conversation, as it was typed. */
  readonly replayed: ShallowRef<string | undefined>;
  /** Whether the newest state has not been answered for longer than a moment. */
  readonly isSlow: Ref<boolean>;
  /** Whether the newest state has not been answered. */
  readonly isBusy: Ref<boolean>;
  /** Whether the reader ended the last replay. */
  readonly isStopped: Ref<boolean>;
  readonly stop: () => void;
  readonly show: (state: PlaygroundState) => Promise<void>;
  /** Shows nothing, and ends what runs. */
  readonly clear: () => void;
}

/** In milliseconds. */
const MOMENT = 400;

/** Replays states in a worker that ends with the page; `first` is shown until then. */
export function useReplay(first?: { readonly replay: Replay; readonly call: string }): ReplayModel {
  const engine = createEngineClient();
  const replay = shallowRef(first?.replay);
  const replayed = shallowRef(first?.call);
  const isSlow = ref(false);
  const isBusy = ref(true);
  const isStopped = ref(false);
  let moment: ReturnType<typeof setTimeout> | undefined;
  let newest: PlaygroundState | undefined;

  function settle(): void {
    clearTimeout(moment);
    isSlow.value = false;
    isBusy.value = false;
  }

  async function show(state: PlaygroundState): Promise<void> {
    newest = state;
    settle();
    isStopped.value = false;
    isBusy.value = true;
    moment = setTimeout(() => (isSlow.value = true), MOMENT);
    const answer = await engine.replay(state);
    if (state !== newest) return;
    settle();
    isStopped.value = answer === undefined;
    replayed.value = state.call;
    replay.value = answer;
  }

  function clear(): void {
    newest = undefined;
    settle();
    engine.stop();
    isStopped.value = false;
    replay.value = undefined;
  }

  onUnmounted(clear);
  return { replay, replayed, isSlow, isBusy, isStopped, stop: () => engine.stop(), show, clear };
}
