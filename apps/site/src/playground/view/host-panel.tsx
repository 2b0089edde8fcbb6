import { componentOf } from "./component-of.ts";

/** What the host gets beside the message: the log line, and what the tool runs with. */
export const HostPanel = componentOf(({ replay }) => () => {
  const turn = replay.value?.turns.at(-1);
  if (turn === undefined) return undefined;
  return (
    <section class="pg-panel">
      <details>
        <summary>
          <h2>What your application gets</h2>
        </summary>
        {turn.log === undefined ? undefined : (
          <>
            <h3>The log line</h3>
            <pre tabindex="0">{turn.log}</pre>
          </>
        )}
        {turn.ranWith === undefined ? undefined : (
          <>
            <h3>The arguments that run</h3>
            <pre tabindex="0">{turn.ranWith}</pre>
          </>
        )}
      </details>
    </section>
  );
});
