import { withBase } from "vitepress";
import type { FunctionalComponent } from "vue";
import { data } from "./home.data.ts";

const COMMAND = "npx -y pnpm@12 bench:recovery";
const COMMAND_NAME = "bench:recovery";
const RESULTS = "/docs/benchmarks.html#what-the-message-carries";

const percent = (share: number): string => `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`;

/** What the benchmarks counted: four numbers, and each framework in a row. */
export const Matrix: FunctionalComponent = () => {
  const ours = data.rows.find(({ isOurs }) => isOurs);
  const others = data.rows.filter(({ isOurs }) => !isOurs);
  const most = (of: (row: (typeof others)[number]) => number): number =>
    Math.max(...others.map(of));
  if (!ours) return undefined;
  const numbers = [
    [
      percent(most((row) => row.ranInvalid)),
      `of ${data.calls.toLocaleString("en")} invalid calls ran in the AI SDK with a JSON Schema. Here: none.`,
    ],
    [
      `${most((row) => row.secrets)} of ${data.secrets}`,
      "secrets in bad calls were sent back to the model, and to its provider. Here: none.",
    ],
    [
      percent(ours.repaired),
      `of the calls are right after one message. In the AI SDK: ${percent(most((row) => row.repaired))} at best.`,
    ],
    [
      String(ours.tokens),
      `tokens is the median message. In LangChain's agent: ${most((row) => row.tokens).toLocaleString("en")}.`,
    ],
  ] as const;
  return (
    <section class="landing-counted">
      <h2>What was counted</h2>
      <dl class="landing-numbers">
        {numbers.map(([number, words]) => (
          <div key={words}>
            <dt>{number}</dt>
            <dd>
              {words} <a href={withBase(RESULTS)}>{COMMAND_NAME}</a>
            </dd>
          </div>
        ))}
      </dl>
      <div class="landing-table" tabindex="0" role="region" aria-label="Frameworks compared">
        <table>
          <thead>
            <tr>
              <th scope="col">tools declared with</th>
              <th scope="col">invalid calls that ran</th>
              <th scope="col">errors with the fix named</th>
              <th scope="col">right after one message</th>
              <th scope="col">secrets sent back</th>
              <th scope="col">tokens, median</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={row.name} class={{ "is-ours": row.isOurs }}>
                <th scope="row">{row.name}</th>
                <td>{percent(row.ranInvalid)}</td>
                <td>{percent(row.explained)}</td>
                <td>{percent(row.repaired)}</td>
                <td>{row.secrets}</td>
                <td>{row.tokens === 0 ? "no answer" : row.tokens.toLocaleString("en")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        From <a href={withBase("/docs/benchmarks.html")}>the benchmarks</a>, <code>{COMMAND}</code>:
        the same {data.calls.toLocaleString("en")} invalid calls through each framework's own code.
        No model is asked: a program that reads each message literally corrects the calls.
      </p>
    </section>
  );
};
