import type { Origin } from "./origin.ts";
import type { SystemResult } from "./run-recovery.ts";
import { TARGETS } from "./targets.ts";

/** Writes the results as Markdown tables. */
export function markdownReport(results: readonly SystemResult[], origin: Origin): string {
  const kinds = [...new Set(results.flatMap(({ malformed }) => malformed.map(({ kind }) => kind)))];
  return [
    `Commit ${origin.commit.slice(0, 12)}${origin.isChanged ? " with changes" : ""}, Node ${origin.node}.`,
    table(
      [
        "system",
        "tools",
        "calls",
        "located",
        "with the fix",
        "whole calls",
        "noise a call",
        "invalid calls run",
      ],
      results.map(({ system, schema, figures: f }) => [
        system,
        schema,
        `${f.calls}`,
        percent(f.located),
        percent(f.explained),
        percent(f.wholeCalls),
        f.noisePerCall.toFixed(3),
        percent(f.ranInvalid),
      ]),
    ),
    table(
      [
        "system",
        "tools",
        "tokens median",
        "p95",
        "max",
        "a fault",
        "characters median",
        "p95",
        "secrets leaked",
        "valid calls refused",
      ],
      results.map(({ system, schema, figures: f }) => [
        system,
        schema,
        `${f.tokens.median}`,
        `${f.tokens.p95}`,
        `${f.tokens.max}`,
        f.tokensPerFault.toFixed(0),
        `${f.characters.median}`,
        `${f.characters.p95}`,
        `${f.secretsLeaked} of ${f.secretsPlanted}`,
        `${f.falseRejections}`,
      ]),
    ),
    table(
      [
        "system",
        "tools",
        "repaired after 1",
        "2",
        "3 rounds",
        "with ideal texts",
        "hints right",
        "wrong",
        "misspelt keys",
        "in unions",
      ],
      results.map(({ system, schema, figures: f, idealRepaired }) => [
        system,
        schema,
        ...f.repaired.map(percent),
        percent(idealRepaired),
        percent(f.hintsRight),
        `${f.hintsWrong}`,
        percent(f.misspeltExplained),
        percent(f.unionsExplained),
      ]),
    ),
    "Malformed text: answered / run as meant / run with something else / nothing said.",
    table(
      ["system", "tools", ...kinds],
      results
        .filter(({ malformed }) => malformed.length > 0)
        .map(({ system, schema, malformed }) => [
          system,
          schema,
          ...kinds.map((kind) => {
            const count = malformed.find((one) => one.kind === kind);
            return count === undefined
              ? ""
              : [count.answered, count.ranRight, count.ranWrong, count.silent].join("/");
          }),
        ]),
    ),
    "Targets, for the contract through core and every adapter, with zod and JSON Schema tools:",
    verdicts(results.filter(({ system }) => system.startsWith("Toolcontract"))),
  ].join("\n\n");
}

function verdicts(results: readonly SystemResult[]): string {
  const lines = TARGETS.flatMap(({ words, isMet, reason }) => {
    const missing = results.filter((result) => !isMet(result));
    if (missing.length === 0) return [`- ${words}: met`];
    const where = missing.map(({ system, schema }) => `${system} (${schema})`).join(", ");
    return [
      `- ${words}: **missed** by ${where}`,
      ...(reason === undefined ? [] : [`  Why: ${reason}`]),
    ];
  });
  return lines.join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
