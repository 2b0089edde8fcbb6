import { computed, type ComputedRef, onUnmounted, shallowRef, type ShallowRef, watch } from "vue";
import type { Mark } from "../editors/index.ts";
import type { Turn } from "../engine/index.ts";
import { FIRST } from "../first/index.ts";
import { placeWithin, type Span } from "../json/index.ts";
import { EMPTY_STATE, type PlaygroundState, withNextCall, zodCodeOf } from "../state/index.ts";
import { faultsIn } from "./message-lines.tsx";
import { newestOf } from "./turn-look.ts";
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
  /** Leads to a place of the call, such as `/path`; of several, of the one with this number. */
  readonly goTo: (place: string, call: number) => void;
  /** Where the call's editor was led to last; a new object each time. */
  readonly goneTo: ShallowRef<Span | undefined>;
  /** What of the call the message is about. */
  readonly marks: ComputedRef<readonly Mark[]>;
}

const LONGEST_MARKED = 100_000;

/** Nothing is replayed while somebody types, in milliseconds; browsers also limit how often the address may change. */
const PAUSE = 120;

/** Holds the state of the page; each change is replayed and written into the address. */
export function usePlayground(): PlaygroundModel {
  // The page shows the first example already; a link replaces it.
  const drawn = location.hash === "" ? FIRST : undefined;
  const shown = shallowRef<Shown>(
    drawn === undefined
      ? { state: EMPTY_STATE }
      : { state: drawn.example.state, example: drawn.example },
  );
  const state = computed(() => shown.value.state);
  const isHeld = computed(
    () => shown.value.isHeld === true && zodCodeOf(state.value.tool) !== undefined,
  );
  const { show, clear, ...replayed } = useReplay(
    drawn && { replay: drawn.replay, call: drawn.example.state.call },
  );
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

  /** A longer call is not looked through on each key. */
  const isShort = computed(() => state.value.call.length <= LONGEST_MARKED);
  const newest = computed(() =>
    replayed.replayed.value === state.value.call && isShort.value
      ? newestOf(replayed.replay.value?.turns ?? [])
      : [],
  );
  /** The places of a message are those of the arguments, which a whole answer holds somewhere. */
  const placeIn = ({ written }: Turn, place: string): Span | undefined =>
    written && placeWithin(state.value.call, written, place);
  const marks = computed(() =>
    newest.value.flatMap((turn) =>
      faultsIn(turn.message).flatMap(({ place, code }) => {
        const span = place.startsWith("/") ? placeIn(turn, place) : undefined;
        return span === undefined ? [] : { ...span, code };
      }),
    ),
  );
  const goneTo = shallowRef<Span>();

  function goTo(place: string, call: number): void {
    const turn = newest.value.find((one) => one.place?.number === call) ?? newest.value[0];
    if (turn !== undefined) goneTo.value = placeIn(turn, place);
  }

  return {
    goTo,
    goneTo,
    marks,
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
