import { computed } from "vue";
import { componentOf } from "./component-of.ts";
import { lookOf } from "./turn-look.ts";

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
              <span class={["pg-badge", lookOf(turn).look]}>{lookOf(turn).words}</span>
              {turn.place === undefined ? undefined : (
                <span class="pg-note">
                  {" "}
                  Call {turn.place.number} of {turn.place.of}: {turn.place.name}
                </span>
              )}
              <code class="pg-sent">{turn.sent}</code>
              {turn.repairs.length === 0 ? undefined : (
                <p class="pg-note">Repaired: {turn.repairs.join("; ")}</p>
              )}
              {turn.unchecked.map((words) => (
                <p key={words} class="pg-note is-fault">
                  {words}
                </p>
              ))}
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
