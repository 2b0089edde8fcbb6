import { withBase } from "vitepress";
import type { FunctionalComponent } from "vue";
import type { LintedText } from "../linting/index.ts";

const WORDS = { error: "error", warning: "warning", info: "note" } as const;
const COMMAND = "npx toolcontract lint tools.json";

type Report = Exclude<LintedText, { readonly fault: string }>;

/** What was found, by tool. */
export const LintReport: FunctionalComponent<{
  readonly linted: LintedText | undefined;
}> = ({ linted }) => {
  if (linted === undefined) return <p role="status">Linting…</p>;
  if ("fault" in linted) return <p role="status">{linted.fault}</p>;
  const tokens = linted.tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return (
    <>
      <p role="status">
        {summaryOf(linted)}, about {tokens.toLocaleString("en")} tokens of every request.
      </p>
      <div class="pg-lint" tabindex="0" role="region" aria-label="Findings">
        {linted.tools.map(({ name, grade, share, tokens: own }, index) => (
          <article key={index}>
            <h3>
              <span class={["pg-grade", `is-${grade}`]} title={`Grade ${grade}`}>
                {grade}
              </span>{" "}
              {name}{" "}
              <span class="pg-note">
                {Math.round(share * 100)} %, {own.toLocaleString("en")} tokens
              </span>
            </h3>
            <ul>
              {linted.findings
                .filter(({ tool }) => tool === name)
                .map(({ rule, severity, path, message, fix }) => (
                  <li key={rule + path + message}>
                    <span class={["pg-severity", `is-${severity}`]}>{WORDS[severity]}</span>{" "}
                    {message} <code>{path}</code>
                    <br />
                    <span class="pg-note">
                      {fix === undefined ? "" : `Fix: ${fix}. `}
                      <a href={withBase(`/docs/lint/${rule}.html`)}>{rule}</a>
                    </span>
                  </li>
                ))}
            </ul>
          </article>
        ))}
      </div>
      <p class="pg-note">
        The grade is the share of <a href={withBase("/docs/lint.html#the-grade")}>mistaken calls</a>{" "}
        that come back with the fix named. On your machine: <code>{COMMAND}</code>
      </p>
    </>
  );
};

function summaryOf({ findings, tools }: Report): string {
  const counts = (["error", "warning", "info"] as const).map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${WORDS[severity]}${count === 1 ? "" : "s"}`;
  });
  return `${counts.join(", ")} in ${tools.length} tool${tools.length === 1 ? "" : "s"}`;
}
