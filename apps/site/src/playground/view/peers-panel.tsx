import { onUnmounted, ref, shallowRef, watch } from "vue";
import { createPeersClient, type PeerAnswer, type PeerRequest } from "../peers/index.ts";
import { zodCodeOf } from "../state/index.ts";
import { componentOf } from "./component-of.ts";
import { isRefused, newestOf } from "./turn-look.ts";
import { TextSize } from "./text-size.tsx";

const OUTCOMES: Readonly<Record<PeerAnswer["outcome"], string>> = {
  answered: "The model reads:",
  ran: "It runs with these arguments:",
  "ended the run": "The run ends: the model reads nothing.",
  "not asked": "Not asked.",
};

const RAN_INVALID = "The invalid call runs, with these arguments:";

const PEERS: readonly PeerAnswer["peer"][] = ["AI SDK", "LangChain", "MCP SDK"];

/** What the same call gets without the contract; the frameworks are loaded when one is chosen. */
export const PeersPanel = componentOf(({ state, replay }) => {
  const chosen = ref<PeerAnswer["peer"]>();
  const isAsking = ref(false);
  const failure = ref<string>();
  const answers = shallowRef<readonly PeerAnswer[]>([]);
  const client = createPeersClient();

  async function ask(): Promise<void> {
    const { tool, sent } = replay.value ?? {};
    if (chosen.value === undefined || tool === undefined) return;
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

  /** Whether a tool ran with what the contract refuses. */
  function isWrong({ outcome }: PeerAnswer): boolean {
    const { tool, turns = [] } = replay.value ?? {};
    const judged = newestOf(turns).find(
      ({ place }) => place === undefined || place.name === tool?.name,
    );
    return outcome === "ran" && judged !== undefined && isRefused(judged);
  }

  // All of them are asked at once.
  watch([() => chosen.value !== undefined, replay], () => void ask());
  onUnmounted(() => client.stop());

  function stop(): void {
    client.stop();
    isAsking.value = false;
  }

  return () => {
    const { value: name } = chosen;
    return (
      <section class="pg-panel">
        <h2>What the same call gets today</h2>
        <div class="pg-choices" role="group" aria-label="Framework">
          {PEERS.map((peer) => (
            <button
              key={peer}
              type="button"
              aria-pressed={peer === name}
              onClick={() => (chosen.value = peer === name ? undefined : peer)}
            >
              {peer}
            </button>
          ))}
        </div>
        {isAsking.value ? (
          <p class="pg-slow">
            Asking the frameworks…{" "}
            <button type="button" onClick={stop}>
              Stop asking
            </button>
          </p>
        ) : undefined}
        <p class="pg-note">
          {name === undefined ? "Each framework's own code, run in this page." : failure.value}
        </p>
        {answers.value
          .filter(({ peer }) => peer === name)
          .map((answer) => (
            <article key={answer.declared} class={["pg-peer", { "is-wrong": isWrong(answer) }]}>
              <h3>
                {answer.peer}, declared in {answer.declared}
              </h3>
              <p class="pg-note">{answer.how}</p>
              <p>{isWrong(answer) ? RAN_INVALID : OUTCOMES[answer.outcome]}</p>
              {answer.text === "" ? undefined : <pre tabindex="0">{answer.text}</pre>}
              <p class="pg-note">{answer.note}</p>
              {answer.outcome === "answered" ? <TextSize text={answer.text} /> : undefined}
            </article>
          ))}
      </section>
    );
  };
});
