import { type HintSet, hintTable } from "../hints/report.ts";
import type { Origin } from "../origin.ts";
import type { SystemResult } from "./measure/measure-system.ts";

/** What `bench:recovery` writes. */
export interface RecoveryResults {
  readonly origin: Origin;
  readonly results: readonly SystemResult[];
  /** The contract's hints on schemas that their rules were not made from; absent in results of older versions. */
  readonly hints?: readonly HintSet[];
}

type Column = readonly [head: string, cell: (result: SystemResult) => string];

const SYSTEM: readonly Column[] = [
  ["system", ({ system }) => system],
  ["tools", ({ schema }) => schema],
];

const TABLES: readonly (readonly Column[])[] = [
  [
    ["calls", ({ figures }) => `${figures.calls}`],
    ["located", ({ figures }) => percent(figures.located)],
    ["with the fix", ({ figures }) => percent(figures.explained)],
    ["whole calls", ({ figures }) => percent(figures.wholeCalls)],
    ["noise a call", ({ figures }) => figures.noisePerCall.toFixed(3)],
    ["invalid calls run", ({ figures }) => percent(figures.ranInvalid)],
  ],
  [
    ["tokens median", ({ figures }) => `${figures.tokens.median}`],
    ["p95", ({ figures }) => `${figures.tokens.p95}`],
    ["max", ({ figures }) => `${figures.tokens.max}`],
    ["a fault", ({ figures }) => figures.tokensPerFault.toFixed(0)],
    ["characters median", ({ figures }) => `${figures.characters.median}`],
    ["p95", ({ figures }) => `${figures.characters.p95}`],
    ["secrets leaked", ({ figures }) => `${figures.secretsLeaked} of ${figures.secretsPlanted}`],
    ["valid calls refused", ({ figures }) => `${figures.falseRejections}`],
  ],
  [
    ["repaired after 1", ({ figures }) => percent(figures.repaired[0])],
    ["2", ({ figures }) => percent(figures.repaired[1])],
    ["3 rounds", ({ figures }) => percent(figures.repaired[2])],
    ["with ideal texts", ({ idealRepaired }) => percent(idealRepaired)],
    ["hints right", ({ figures }) => percent(figures.hintsRight)],
    ["wrong", ({ figures }) => `${figures.hintsWrong}`],
    ["misspelt keys", ({ figures }) => percent(figures.misspeltExplained)],
    ["in unions", ({ figures }) => percent(figures.unionsExplained)],
  ],
];

const HINTS =
  "The contract's hints on schemas that their rules were not made from (`pnpm bench:hints`). Right: following them to the " +
  "letter gives the call that was meant.";

/** Writes the results as Markdown tables. */
export function recoveryReport({ origin, results, hints }: RecoveryResults): string {
  const kinds = [...new Set(results.flatMap(({ malformed }) => malformed.map(({ kind }) => kind)))];
  return [
    `Commit ${origin.commit.slice(0, 12)}${origin.isChanged ? " with changes" : ""}, Node ${origin.node}.`,
    ...TABLES.map((columns) => table(columns, results)),
    "Malformed text: answered / run as meant / run with something else / nothing said.",
    table(
      kinds.map((kind) => [kind, (result) => malformedCell(kind, result)]),
      results.filter(({ malformed }) => malformed.length > 0),
    ),
    ...(hints === undefined ? [] : [HINTS, hintTable("tools", hints)]),
    recoveryTargets(results),
  ].join("\n\n");
}

function malformedCell(kind: string, { malformed }: SystemResult): string {
  const count = malformed.find((one) => one.kind === kind);
  if (count === undefined) return "";
  return [count.answered, count.ranRight, count.ranWrong, count.silent].join("/");
}

function table(columns: readonly Column[], results: readonly SystemResult[]): string {
  const all = [...SYSTEM, ...columns];
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(all.map(([head]) => head)),
    line(all.map(() => "---")),
    ...results.map((result) => line(all.map(([, cell]) => cell(result)))),
  ].join("\n");
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

type IsMet = (result: SystemResult) => boolean;

/** What must hold for the contract in every adapter. */
const PROMISES: readonly (readonly [words: string, isMet: IsMet])[] = [
  ["0 secrets leaked", ({ figures }) => figures.secretsLeaked === 0],
  ["0 valid calls rejected", ({ figures }) => figures.falseRejections === 0],
  ["0 invalid calls run", ({ figures }) => figures.ranInvalid === 0],
  ["faults explained ≥ 99.8 %", ({ figures }) => figures.explained >= 0.998],
  ["calls with all faults ≥ 99.7 %", ({ figures }) => figures.wholeCalls >= 0.997],
  ["noise ≤ 0.005 a call", ({ figures }) => figures.noisePerCall <= 0.005],
];

const FRAME =
  "the header, the closing line and the labels are 24 of the tokens (compact), and they are the fixed format; what is left " +
  "is the path, what is wanted there, what was sent and the hint.";

/** What the contract aims at, and why it misses it, if that is known. */
const GOALS: readonly (readonly [words: string, isMet: IsMet, reason?: string])[] = [
  ["hints right ≥ 95 % of near misses", ({ figures }) => figures.hintsRight >= 0.95],
  [
    "hints wrong ≤ 0.5 % of those given",
    ({ figures: { hintsWrong, hintsRight, nearMisses } }) =>
      hintsWrong <= 0.005 * (hintsWrong + hintsRight * nearMisses),
  ],
  [
    "repaired at once within a point of ideal texts",
    ({ figures, idealRepaired }) => figures.repaired[0] >= idealRepaired - 0.01,
  ],
  [
    "median tokens ≤ 50 in the compact style",
    ({ system, figures }) => !system.includes("compact") || figures.tokens.median <= 50,
    FRAME,
  ],
  [
    "median tokens ≤ 75 in the standard style",
    ({ system, figures }) => system.includes("compact") || figures.tokens.median <= 75,
    FRAME,
  ],
];

/** The promises that a result breaks; only the contract's own results make any. */
export function brokenPromises(result: SystemResult): readonly string[] {
  return PROMISES.filter(([, isMet]) => isOurs(result) && !isMet(result)).map(([words]) => words);
}

function isOurs({ system }: SystemResult): boolean {
  return system.startsWith("Toolcontract");
}

/** Lists what the contract aims at, and what misses it. */
export function recoveryTargets(all: readonly SystemResult[]): string {
  const results = all.filter(isOurs);
  const targets: typeof GOALS = [...PROMISES, ...GOALS];
  const lines = targets.flatMap(([words, isMet, reason]) => {
    const missing = results.filter((result) => !isMet(result));
    if (missing.length === 0) return [`- ${words}: met`];
    const where = missing.map(({ system, schema }) => `${system} (${schema})`).join(", ");
    return [
      `- ${words}: **missed** by ${where}`,
      ...(reason === undefined ? [] : [`  Why: ${reason}`]),
    ];
  });
  return [
    "Targets, for the contract through core and every adapter, with zod and JSON Schema tools:",
    lines.join("\n"),
  ].join("\n\n");
}
