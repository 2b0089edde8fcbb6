import { computed } from "vue";
import { componentOf } from "./component-of.ts";

/** Every attempt of the conversation: what was sent, and what became of it. */
export const Conversation = componentOf(({ replay }) => {
  const turns = computed(() => replay.value?.turns ?? []);
  const escalation = computed(() => turns.value.findLast((turn) => turn.escalation)?.escalation);
  return () =>
    turns.value.length === 0 ? undefined : (
      <section class="pg-panel">
        <h2>Attempts</h2>
        <ol class="pg-turns">
          {turns.value.map((turn, index) => (
            <li key={index}>
              <span class={["pg-badge", `is-${turn.status}`]}>{turn.status}</span>
              <code class="pg-sent">{turn.sent}</code>
              {turn.repairs.length === 0 ? undefined : (
                <p class="pg-note">Repaired: {turn.repairs.join("; ")}</p>
              )}
              <details>
                <summary>What the model read</summary>
                <pre tabindex="0">{turn.message}</pre>
              </details>
            </li>
          ))}
        </ol>
        {escalation.value === undefined ? undefined : (
          <div class="pg-escalation">
            <h3>What a person reads</h3>
            <pre tabindex="0">{escalation.value}</pre>
          </div>
        )}
      </section>
    );
});
