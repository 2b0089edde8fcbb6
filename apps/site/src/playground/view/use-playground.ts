import { computed, type ComputedRef, onUnmounted, shallowRef, type ShallowRef, watch } from "vue";
import { EMPTY_STATE, type PlaygroundState, withNextCall, zodCodeOf } from "../state/index.ts";
import { type LinkModel, type Shown, useLink } from "./use-link.ts";
import { type ReplayModel, useReplay } from "./use-replay.ts";

/** What the page shows and does; everything else follows from the state. */
export interface PlaygroundModel extends LinkModel, Omit<ReplayModel, "show" | "clear"> {
  readonly shown: ShallowRef<Shown>;
  readonly state: ComputedRef<PlaygroundState>;
  readonly change: (part: Partial<PlaygroundState>) => void;
  /** Whether there is a whole call to send. */
  readonly canSend: ComputedRef<boolean>;
  /** Whether the tool is code of a link, which runs only once the reader agrees. */
  readonly isHeld: ComputedRef<boolean>;
  readonly runHeld: () => void;
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
  const isHeld = computed(
    () => shown.value.isHeld === true && zodCodeOf(state.value.tool) !== undefined,
  );
  const { show, clear, ...replayed } = useReplay();
  const link = useLink(shown);
  let pause: ReturnType<typeof setTimeout> | undefined;

  function follow(): void {
    if (isHeld.value) clear();
    else void show(state.value);
    void link.writeLink();
  }

  watch([state, isHeld] as const, ([next], [last]) => {
    clearTimeout(pause);
    const isTyped = next !== last && next.sent === last.sent && next.options === last.options;
    if (isTyped) pause = setTimeout(follow, PAUSE);
    else follow();
  });
  onUnmounted(() => clearTimeout(pause));

  function change(part: Partial<PlaygroundState>): void {
    shown.value = { ...shown.value, state: { ...state.value, ...part } };
  }

  const canSend = computed(() => {
    const { faults = [], turns = [] } = replayed.replay.value ?? {};
    const isRead = faults.every(({ severity }) => severity !== "error");
    return isRead && turns.at(-1)?.status !== "unfinished";
  });

  function runHeld(): void {
    const { isHeld: _, ...agreed } = shown.value;
    shown.value = agreed;
  }

  function sendAgain(): void {
    if (canSend.value) change(withNextCall(state.value));
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
    canSend,
    isHeld,
    runHeld,
    sendAgain,
    applyHints,
    startOver,
  };
}
