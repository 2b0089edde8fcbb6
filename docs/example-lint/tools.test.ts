import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { fencesOf, readPage } from "../fences.ts";

interface Workflow {
  readonly jobs: {
    readonly lint: { readonly steps: readonly { readonly name?: string; readonly run?: string }[] };
  };
}

const TEXT = readPage("docs/example-lint/tools.yml");
const CLI = resolve(import.meta.dirname, "../../packages/config/src/cli.ts");

/** Stands for npx: the package is this one. */
const NPX = `#!/bin/sh
[ "$1 $2 $3 $4" = "-y -p @toolcontract/config toolcontract" ] || exit 99
shift 4
exec "${process.execPath}" "${CLI}" "$@"
`;

const WRONG = {
  tools: [
    {
      name: "search",
      description: "Searches notes.",
      inputSchema: {
        type: "object",
        properties: {
          sort: { type: "array", items: {}, enum: ["asc", "desc"], description: "The order." },
        },
      },
    },
  ],
};

test("the commands of the workflow fail a wrong list, and write what is uploaded", () => {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-workflow-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "tools.json"), JSON.stringify(WRONG, null, 2));
  writeFileSync(join(folder, "npx"), NPX);
  chmodSync(join(folder, "npx"), 0o755);
  const summary = join(folder, "summary.md");
  const path = [folder, process.env["PATH"]].join(delimiter);
  const { steps } = (parse(TEXT) as Workflow).jobs.lint;
  const codes = steps.flatMap(({ name, run }) => {
    if (run === undefined) return [];
    // As GitHub runs a step.
    const { status } = spawnSync("bash", ["-e", "-c", run], {
      cwd: folder,
      env: { ...process.env, PATH: path, GITHUB_STEP_SUMMARY: summary },
    });
    return [[name, status]];
  });
  expect(codes).toEqual([
    ["Lint", 1],
    ["Write the summary", 0],
  ]);
  const { runs } = JSON.parse(readFileSync(join(folder, "lint.sarif"), "utf8")) as {
    readonly runs: readonly { readonly results: readonly { readonly ruleId: string }[] }[];
  };
  expect(runs[0]?.results[0]).toMatchObject({
    ruleId: "no-value-passes",
    locations: [
      { physicalLocation: { artifactLocation: { uri: "tools.json" }, region: { startLine: 9 } } },
    ],
  });
  expect(readFileSync(summary, "utf8")).toContain("| error | `no-value-passes` |");
});

test("the page shows the workflow as it is", () => {
  const shown = fencesOf(readPage("docs/lint.md")).filter(({ text }) => text.includes("jobs:"));
  expect(shown.map(({ text }) => `${text}\n`)).toEqual([TEXT]);
});
