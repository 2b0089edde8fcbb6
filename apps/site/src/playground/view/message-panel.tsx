import { computed, ref, useTemplateRef, watch } from "vue";
import type { Turn } from "../engine/index.ts";
import { TextSize } from "./text-size.tsx";
import { componentOf } from "./component-of.ts";
import { MessageLines } from "./message-lines.tsx";
import { isRefused, lookOf, newestOf } from "./turn-look.ts";
import type { PlaygroundModel } from "./use-playground.ts";

/** How long the note that the link is copied stays, in milliseconds. */
const SHOWN = 4_000;

/** No attempt is left for a call that comes after the last one. */
function attemptOf({ attempt, maxAttempts, status }: Turn): string {
  return status === "blocked" || attempt > maxAttempts
    ? `after attempt ${maxAttempts}/${maxAttempts}`
    : `attempt ${attempt}/${maxAttempts}`;
}

/** Why nothing is judged, if so. */
function faultOf({ replay, isHeld, isStopped }: PlaygroundModel): string | undefined {
  if (isHeld.value) return "The code of this link has not run.";
  if (isStopped.value) return "Stopped. Change something to try again.";
  const errors = replay.value?.faults.filter(({ severity }) => severity === "error") ?? [];
  if (errors.length === 0) return undefined;
  return errors.map((fault) => `${fault.place}: ${fault.message}`).join("\n");
}

/** What is said of a call. */
function wordsOf(turn: Turn): string {
  if (isRefused(turn)) return turn.message;
  const { placeholders, unchecked, ranWith = "", message } = turn;
  if (turn.status === "unfinished")
    return `Unfinished: the model has to fill in ${placeholders.join(", ")}.\n\nNothing is sent with a placeholder in it.`;
  const said =
    unchecked.length === 0
      ? ["Valid: the tool runs with these arguments."]
      : ["The tool runs with these arguments, but not all of them were checked.", ...unchecked];
  return [...said, ranWith, "Then the model reads:", message].join("\n\n");
}

/** What the live region says: of each call, if there are several. */
function allWordsOf(model: PlaygroundModel): string {
  const fault = faultOf(model);
  if (fault !== undefined) return fault;
  const said = newestOf(model.replay.value?.turns ?? []).map((turn) => {
    const { place } = turn;
    const title =
      place === undefined ? "" : `Call ${place.number} of ${place.of}: ${place.name}\n\n`;
    return title + wordsOf(turn);
  });
  return said.join("\n\n\n");
}

/** What came of the newest answer, in a few words. */
function badgeOf(turns: readonly Turn[]): string {
  const [turn] = turns;
  if (turn === undefined) return "";
  const words = turns.map((one) => lookOf(one).words);
  const said = [...new Set(words)].map((word) =>
    turns.length === 1 ? word : `${words.filter((one) => one === word).length} ${word}`,
  );
  return `${attemptOf(turns.at(-1) ?? turn)} · ${said.join(", ")}`;
}

/** Why there is no hint to apply. */
function whyNoHints(turn: Turn, corrected: string | undefined): string | undefined {
  if (!isRefused(turn) || corrected !== undefined) return undefined;
  return turn.status === "rejected"
    ? "No hint says what to send: only the model can."
    : "The model must not send it again, so no hint is applied.";
}

/** What the model reads about the call in the editor, and what can be done next. */
export const MessagePanel = componentOf((model) => {
  const { state, replay } = model;
  const newest = computed(() => newestOf(replay.value?.turns ?? []));
  const last = computed(() => newest.value.at(-1));
  /** The call that the rest of the panel is about: of several, the first that was refused. */
  const turn = computed(() => newest.value.find(isRefused) ?? last.value);
  const message = useTemplateRef<HTMLElement>("message");
  watch(
    () => replay.value?.turns.length,
    () => {
      if (message.value !== null) message.value.scrollTop = 0;
    },
    { flush: "post" },
  );
  const other = computed(() => (state.value.options.style === "standard" ? "compact" : "standard"));
  const copied = ref<string>();
  let shown: ReturnType<typeof setTimeout> | undefined;

  async function copyLink(): Promise<void> {
    await model.writeLink();
    try {
      await navigator.clipboard.writeText(location.href);
      copied.value = "The link is copied.";
    } catch {
      copied.value = "The browser does not allow copying. The address of this page is the link.";
    }
    clearTimeout(shown);
    shown = setTimeout(() => (copied.value = undefined), SHOWN);
  }

  /** The button disappears, and the focus goes to what is said instead. */
  function stop(): void {
    model.stop();
    message.value?.focus();
  }

  return () => {
    const { value: now } = turn;
    return (
      <section class="pg-panel">
        <div class="pg-bar">
          <h2>What the model reads</h2>
          {now === undefined ? undefined : (
            <span class={["pg-badge", lookOf(now).look]}>{badgeOf(newest.value)}</span>
          )}
        </div>
        {/* A disabled button would lose the focus, so these only say that they are. */}
        <div class="pg-buttons">
          <button
            type="button"
            class="pg-primary"
            aria-disabled={last.value?.corrected === undefined}
            onClick={model.applyHints}
          >
            Apply hints
          </button>
          <button type="button" aria-disabled={!model.canSend.value} onClick={model.sendAgain}>
            Send again
          </button>
          <button
            type="button"
            aria-disabled={state.value.sent.length === 0}
            onClick={model.startOver}
          >
            Start over
          </button>
          <button
            type="button"
            disabled={model.linkFault.value !== undefined}
            onClick={() => void copyLink()}
          >
            Copy link
          </button>
        </div>
        {/* With keys the message is never moved: it would lose the focus, and be read aloud again. */}
        {model.isSlow.value ? (
          <p key="slow" class="pg-slow">
            This is taking a while.{" "}
            <button type="button" onClick={stop}>
              Stop
            </button>
          </p>
        ) : undefined}
        <pre
          ref="message"
          key="message"
          class={["pg-message", now && lookOf(now).look]}
          role="status"
          aria-live="polite"
          aria-busy={model.isBusy.value}
          tabindex="0"
        >
          <MessageLines text={allWordsOf(model)} onGo={model.goTo} />
        </pre>
        {now === undefined ? undefined : (
          <p class="pg-note">{whyNoHints(now, last.value?.corrected)}</p>
        )}
        <p key="note" class={["pg-note", { "is-fault": !copied.value }]} aria-live="polite">
          {copied.value ?? model.linkFault.value}
        </p>
        {now === undefined || !isRefused(now) ? undefined : (
          <div class="pg-sizes">
            <TextSize name={state.value.options.style} text={now.message} />
            <TextSize name={other.value} text={now.styles[other.value]} />
          </div>
        )}
        {now === undefined || !isRefused(now) ? undefined : (
          <details class="pg-other">
            <summary>In the {other.value} style</summary>
            <pre tabindex="0">{now.styles[other.value]}</pre>
          </details>
        )}
      </section>
    );
  };
});
