import { computed, type ComputedRef, onUnmounted, shallowRef, type ShallowRef, watch } from "vue";
import { EMPTY_STATE, type PlaygroundState, withNextCall } from "../state/index.ts";
import { type LinkModel, type Shown, useLink } from "./use-link.ts";
import { type ReplayModel, useReplay } from "./use-replay.ts";

/** What the page shows and does; everything else follows from the state. */
export interface PlaygroundModel extends LinkModel, Omit<ReplayModel, "show"> {
  readonly shown: ShallowRef<Shown>;
  readonly state: ComputedRef<PlaygroundState>;
  readonly change: (part: Partial<PlaygroundState>) => void;
  readonly sendAgain: () => void;
  readonly applyHints: () => void;
  readonly startOver: () => void;
}

/** Nothing is replayed while somebody types, in milliseconds; browsers also limit how often the address may change. */
const PAUSE = 120;

/** Holds the state of the page; each change is replayed and written into the address. */
export function usePlayground(): PlaygroundModel {
  const shown = shallowRef<Shown>({ state: EMPTY_STATE });
  const state = computed(() => shown.value.state);
  const { show, ...replayed } = useReplay();
  const link = useLink(shown);
  let pause: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    void show(state.value);
    void link.writeLink();
  }

  watch(state, (next, last) => {
    clearTimeout(pause);
    const isTyped = next.sent === last.sent && next.options === last.options;
    if (isTyped) pause = setTimeout(follow, PAUSE);
    else follow();
  });
  onUnmounted(() => clearTimeout(pause));

  function change(part: Partial<PlaygroundState>): void {
    shown.value = { ...shown.value, state: { ...state.value, ...part } };
  }

  function sendAgain(): void {
    const faults = replayed.replay.value?.faults ?? [];
    if (faults.every(({ severity }) => severity !== "error")) change(withNextCall(state.value));
  }

  function applyHints(): void {
    const corrected = replayed.replay.value?.turns.at(-1)?.corrected;
    if (corrected !== undefined) change(withNextCall(state.value, corrected));
  }

  /** Goes back to the call that was sent first. */
  function startOver(): void {
    const [first] = state.value.sent;
    if (first !== undefined) change({ sent: [], call: first });
  }

  return {
    ...replayed,
    ...link,
    shown,
    state,
    change,
    sendAgain,
    applyHints,
    startOver,
  };
}
