import { onUnmounted, ref, shallowRef, watch } from "vue";
import { createPeersClient, type PeerAnswer, type PeerRequest } from "../peers/index.ts";
import { zodCodeOf } from "../state/index.ts";
import { componentOf } from "./component-of.ts";
import { TextSize } from "./text-size.tsx";

const OUTCOMES: Readonly<Record<PeerAnswer["outcome"], string>> = {
  answered: "The model reads:",
  ran: "It runs with these arguments:",
  "ended the run": "The run ends: the model reads nothing.",
  "not asked": "Not asked.",
};

/** What the same call gets without the contract; the frameworks are loaded when the panel is opened. */
export const PeersPanel = componentOf(({ state, replay }) => {
  const isOpen = ref(false);
  const isAsking = ref(false);
  const failure = ref<string>();
  const answers = shallowRef<readonly PeerAnswer[]>([]);
  const client = createPeersClient();

  async function ask(): Promise<void> {
    const { tool, sent } = replay.value ?? {};
    if (!isOpen.value || tool === undefined) return;
    if (sent === undefined) {
      stop();
      answers.value = [];
      failure.value = "They are not asked: this call is of another tool.";
      return;
    }
    const code = zodCodeOf(state.value.tool);
    const request: PeerRequest = {
      tool: { name: tool.name, schema: tool.schema ?? {} },
      text: sent,
      ...(code !== undefined && { code }),
    };
    isAsking.value = true;
    failure.value = undefined;
    try {
      answers.value = await client.ask(request);
      isAsking.value = false;
    } catch (error) {
      // A newer request has taken its place, or the reader stopped it.
      if (error instanceof DOMException && error.name === "AbortError") return;
      isAsking.value = false;
      failure.value = error instanceof Error ? error.message : String(error);
    }
  }

  watch([isOpen, replay], () => void ask());
  onUnmounted(() => client.stop());

  function stop(): void {
    client.stop();
    isAsking.value = false;
  }

  return () => (
    <section class="pg-panel">
      <details onToggle={(event) => (isOpen.value = (event.target as HTMLDetailsElement).open)}>
        <summary>
          <h2>What the same call gets today</h2>
        </summary>
        {isAsking.value ? (
          <p class="pg-slow">
            Asking the frameworks…{" "}
            <button type="button" onClick={stop}>
              Stop asking
            </button>
          </p>
        ) : undefined}
        <p class="pg-note">{failure.value}</p>
        <div class="pg-peers">
          {answers.value.map((answer) => (
            <article key={answer.peer + answer.declared}>
              <h3>
                {answer.peer}, declared in {answer.declared}
              </h3>
              <p class="pg-note">{answer.how}</p>
              <p>{OUTCOMES[answer.outcome]}</p>
              {answer.text === "" ? undefined : <pre tabindex="0">{answer.text}</pre>}
              <p class="pg-note">{answer.note}</p>
              {answer.outcome === "answered" ? <TextSize text={answer.text} /> : undefined}
            </article>
          ))}
        </div>
      </details>
    </section>
  );
});
