import type { Played } from "./play.ts";
import { proportion, shownProportion } from "./proportion.ts";

/** Writes what models made of the answers: by model and system, then by kind of fault. */
export function report(played: readonly Played[]): string {
  const systems = unique(played.map(({ system }) => system));
  const models = unique(played.map(({ model }) => model));
  const kinds = unique(played.map(({ kind }) => kind)).toSorted();
  const overall = models.flatMap((model) =>
    systems.map((system) => {
      const those = played.filter((one) => one.model === model && one.system === system);
      return [model, system, ...figures(those)];
    }),
  );
  const byKind = kinds.map((kind) => [
    kind,
    ...systems.map((system) =>
      shownProportion(
        within(asked(played.filter((one) => one.kind === kind && one.system === system)), 1),
      ),
    ),
  ]);
  return [
    table(
      [
        "model",
        "answers of",
        "valid after one",
        "after three",
        "right",
        "ran at once",
        "tokens a call",
        "dollars",
      ],
      overall,
    ),
    "Valid after one round, by kind of fault:",
    table(["kind", ...systems], byKind),
  ].join("\n\n");
}

/** A page of a run: the three numbers that matter, for each model and by whose answer it read, and the tables below. */
export function reportPage(played: readonly Played[], tables: string): string {
  const systems = unique(played.map(({ system }) => system));
  const sections = unique(played.map(({ model }) => model)).map((model) => {
    const columns = systems.map((system) =>
      asked(played.filter((one) => one.model === model && one.system === system)),
    );
    const row = (what: string, cell: (those: readonly Played[]) => string): readonly string[] => {
      return [what, ...columns.map((those) => cell(those))];
    };
    const rows = [
      row("calls that are valid after one answer", (those) => shownProportion(within(those, 1))),
      row("calls that are valid after three", (those) => shownProportion(within(those, 3))),
      row("tokens a call", tokensOf),
    ];
    return `## ${model}\n\n${table(["", ...systems], rows)}`;
  });
  return [
    "# What models made of the answers",
    "Calls that a model got wrong were put to these models again, with what each system answers. A share has its interval of 95 %. `bench/README.md` says how it is measured, and what it does not show.",
    ...sections,
    "## All figures",
    `${tables}\n`,
  ].join("\n\n");
}

function tokensOf(those: readonly Played[]): string {
  const tokens = sum(those.map((one) => one.inputTokens + one.outputTokens));
  return those.length === 0 ? "–" : (tokens / those.length).toFixed(0);
}

function figures(played: readonly Played[]): readonly string[] {
  const those = asked(played);
  const answered = those.filter(({ isRight }) => isRight !== undefined);
  return [
    shownProportion(within(those, 1)),
    shownProportion(within(those, 3)),
    shownProportion(proportion(answered.filter(({ isRight }) => isRight).length, answered.length)),
    String(played.length - those.length),
    tokensOf(those),
    sum(played.map(({ dollars }) => dollars)).toFixed(4),
  ];
}

/** Those that a model was asked about. */
function asked(played: readonly Played[]): readonly Played[] {
  return played.filter(({ ranAtOnce }) => !ranAtOnce);
}

function within(played: readonly Played[], rounds: number) {
  const valid = played.filter(({ validAfter = Infinity }) => validAfter <= rounds);
  return proportion(valid.length, played.length);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
