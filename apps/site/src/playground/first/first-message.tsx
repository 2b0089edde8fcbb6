import type { FunctionalComponent } from "vue";
import { data } from "./first.data.ts";
import "../playground.css";

/** The first example and its message, as the playground shows them, for the time until it has loaded. */
export const FirstMessage: FunctionalComponent = () => {
  const { example, sentence, title, replay } = data;
  const { tool, call } = example.state;
  const turn = replay.turns.at(-1);
  return (
    <>
      <div class="pg-tabs">
        <span class="pg-tab">A call</span>
      </div>
      <div class="pg-examples">
        <span class="pg-field">Example: {title}</span>
        <p class="pg-note">{sentence}</p>
      </div>
      <div class="pg-columns">
        <div class="pg-column">
          <section class="pg-panel pg-tool">
            <div class="pg-bar">
              <h2>Tool</h2>
            </div>
            <pre tabindex="0">{tool.text}</pre>
          </section>
          <section class="pg-panel">
            <div class="pg-bar">
              <h2>Call</h2>
            </div>
            <pre tabindex="0">{call}</pre>
          </section>
        </div>
        <div class="pg-column pg-answers">
          <section class="pg-panel">
            <div class="pg-bar">
              <h2>What the model reads</h2>
              <span class="pg-badge is-rejected">
                attempt {turn?.attempt}/{turn?.maxAttempts} · {turn?.status}
              </span>
            </div>
            <pre class="pg-message is-rejected" tabindex="0">
              {turn?.message}
            </pre>
          </section>
        </div>
      </div>
    </>
  );
};
