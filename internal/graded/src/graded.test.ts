import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SCENARIOS } from "@toolcontract/conformance/adapter";
import { oneInThree } from "@toolcontract/case-table/whole";
import { drawPlot } from "@toolcontract/plots";
import { describe, expect, test } from "vitest";
import { play } from "./grade.ts";
import { plotOf } from "./plot.ts";
import { SUBJECTS } from "./subjects.ts";
import { scoresOf, tableOf } from "./table.ts";
import { versionOf } from "./version-of.ts";

// The whole report takes a minute: `pnpm conformance:report`.
const scenarios = SCENARIOS.filter(({ id }) => ["one-of-three", "same-call-again"].includes(id));
const DOCS = join(import.meta.dirname, "../../../docs");
const page = readFileSync(join(DOCS, "conformance.md"), "utf8");
const programs = SUBJECTS.flatMap((subject) =>
  subject.kinds.map((kind) => ({ subject, kind, framework: subject.framework })),
);
// Those apart are installed by the report alone.
const installed = programs.filter(({ subject }) => subject.apart === undefined);
const ours = installed.filter(({ kind }) => kind === "contract");
const others = installed.filter(({ kind }) => kind !== "contract");

/** The programs whose requests are made by what we give them: their loops end. */
const OURS = new Set([
  "ai-sdk",
  "ai-sdk-6",
  "ai-sdk-5",
  "langchain",
  "mastra",
  "openai-agents",
  "own-loop",
]);

describe("the graded programs", () => {
  test.each([...ours, ...oneInThree(others)])(
    "$framework $kind asks the model",
    async ({ subject, kind }) => {
      const { checks } = await play(subject, kind, false, scenarios);
      const survival = checks.find(({ id }) => id === "one-of-three/survives");
      expect(survival?.message).not.toContain("never asked");
      const failed = checks.filter(({ passed }) => !passed).map(({ id }) => id);
      // The client of Strands keeps the last of several calls only, and the contract sees no others.
      const isWhole = kind === "contract" && subject.framework !== "strands";
      expect(isWhole ? failed : []).toEqual([]);
    },
  );

  const loops = SCENARIOS.filter(({ id }) => id.startsWith("loop-ends"));
  test.each(
    ours
      .filter(({ subject }) => OURS.has(subject.framework))
      .flatMap((one) => [false, true].map((stream) => ({ ...one, stream }))),
  )("$framework ends a loop in words, streamed: $stream", async ({ subject, kind, stream }) => {
    const { checks } = await play(subject, kind, stream, loops);
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    const words = checks.filter(({ id }) => id.endsWith("/ends-in-words"));
    expect(words).toHaveLength(loops.length);
  });

  test("the page has a row for each, with the version that is installed", () => {
    for (const { framework, kind, subject } of programs) {
      const row = page.split("\n").find((line) => line.includes(`\`${framework} ${kind}\``));
      expect(row).toContain(
        `${subject.title} ${subject.apart?.[subject.package] ?? versionOf(subject.package)}`,
      );
    }
  });

  test("the plot shows the rows of the page; `vitest run internal/graded -u` draws it", async () => {
    const svg = await drawPlot(plotOf(page));
    expect(svg).toContain("Mastra");
    await expect(svg).toMatchFileSnapshot(join(DOCS, "conformance.svg"));
  });

  test("the pages of frameworks have their scores", () => {
    const plain = (text: string): string => text.replaceAll(/ +|-{3,}/g, " ");
    const pages = SUBJECTS.flatMap(({ page: name, framework }) =>
      name ? [{ name, framework }] : [],
    );
    expect(pages.length).toBeGreaterThan(5);
    for (const { name, framework } of pages) {
      const shown = readFileSync(join(DOCS, name), "utf8");
      expect(`${name}: ${plain(shown)}`).toContain(plain(scoresOf(page, framework)));
    }
  });

  test("a row says how much passed and what was lost", () => {
    const subject = SUBJECTS[0]!;
    const check = (id: string, level: "L1" | "L3", passed: boolean, message = "") => {
      return { id, level, scenario: "prose", passed, message };
    };
    const checks = [
      check("prose/survives", "L1", true),
      check("prose/schema-holds", "L1", false),
      check("prose/no-secret", "L3", false, "Not judged: it ended"),
    ];
    expect(
      tableOf([{ subject, kind: "bare", checks }], () => "7.0.0")
        .split("\n")
        .at(-1),
    ).toBe("| AI SDK 7.0.0 | 1 of 2 | – | 0 of 1 | – | – | – | `schema-holds` 1 | `ai-sdk bare` |");
  });
});
