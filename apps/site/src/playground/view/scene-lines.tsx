import { defineComponent } from "vue";
import type { LineKind, RecordedLine } from "../scenes/index.ts";

const LABELS: Readonly<Record<LineKind, string>> = {
  sends: "The model sends",
  says: "The model says",
  ran: "The model reads",
  contract: "The model reads, from the contract",
  session: "The model reads, from the session",
  request: "The session",
  state: "The state",
  left: "What is left",
  outside: "At the supplier and in the mailbox",
  outcome: "The application gets",
  result: "The application gets",
  person: "A person reads",
};

/** One side of a turn. */
export const SceneLines = defineComponent(
  (props: { readonly title: string; readonly lines: readonly RecordedLine[] }) => () => (
    <div class="pg-side">
      <h4>{props.title}</h4>
      {props.lines.length === 0 ? <p class="pg-note">The run has ended.</p> : undefined}
      <dl>
        {props.lines.map(({ kind, text, tokens }, index) => (
          <div key={index} class={`is-${kind}`}>
            <dt>
              {LABELS[kind]}
              {tokens === undefined ? "" : ` (${tokens.toLocaleString("en")} tokens)`}
            </dt>
            <dd>
              <pre>{text}</pre>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  ),
  { props: ["title", "lines"] },
);
