// Grades every program and writes the matrix of docs/conformance.md, its plot, and the scores on the pages of frameworks:
// `pnpm conformance:report`. With names of frameworks, only their rows are written anew.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawPlot } from "@toolcontract/plots";
import { type Grade, grade } from "./grade.ts";
import { plotOf } from "./plot.ts";
import { SUBJECTS } from "./subjects.ts";
import { scoresOf, tableOf } from "./table.ts";
import { versionOf } from "./version-of.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DOCS = join(ROOT, "docs");
const PAGE = join(DOCS, "conformance.md");
const PLOT = join(DOCS, "conformance.svg");
const ARTIFACTS = join(ROOT, ".artifacts/conformance");
const SCORES = /(<!-- the scores begin -->).*?(<!-- the scores end -->)/s;
const MATRIX = /(<!-- the matrix begins -->).*?(<!-- the matrix ends -->)/s;

// A framework that leaves a promise to itself would end the report.
process.on("unhandledRejection", () => {});
const log = (line: string): void => void process.stderr.write(`${line}\n`);
// Many frameworks print every fault.
process.stdout.write = () => true;
for (const name of ["warn", "error", "info", "debug", "log", "dir"] as const)
  console[name] = () => {};

const grades: Grade[] = [];
mkdirSync(ARTIFACTS, { recursive: true });
const wanted = process.argv.slice(2);
const subjects = SUBJECTS.filter(
  ({ framework }) => wanted.length === 0 || wanted.includes(framework),
);
for (const subject of subjects) {
  for (const kind of subject.kinds) {
    const graded = await grade(subject, kind);
    grades.push(graded);
    const { checks, streamed } = graded;
    const file = join(ARTIFACTS, `${subject.framework}-${kind}.json`);
    writeFileSync(file, JSON.stringify({ checks, streamed }, null, 2));
    const passed = checks.filter((check) => check.passed).length;
    log(`${subject.framework} ${kind}: ${passed} of ${checks.length}`);
  }
}
const page = readFileSync(PAGE, "utf8");
const programs = SUBJECTS.flatMap(({ framework, kinds }) =>
  kinds.map((kind) => `\`${framework} ${kind}\``),
);
const [head = "", line = "", ...made] = tableOf(grades, versionOf).split("\n");
const known = (MATRIX.exec(page)?.[0] ?? "").split("\n");
const rows = programs.flatMap((name) => {
  const isRow = (row: string): boolean => row.includes(`| ${name} `);
  return made.find(isRow) ?? known.find(isRow) ?? [];
});
const table = [head, line, ...rows].join("\n");
writeFileSync(
  PAGE,
  page.replace(MATRIX, (_, begin: string, end: string) => `${begin}\n\n${table}\n\n${end}`),
);
writeFileSync(PLOT, await drawPlot(plotOf(table)));
const recipes = SUBJECTS.flatMap(({ framework, page: name }) => {
  if (name === undefined) return [];
  const file = join(DOCS, name);
  const scores = scoresOf(table, framework);
  const text = readFileSync(file, "utf8");
  writeFileSync(
    file,
    text.replace(SCORES, (_, begin: string, end: string) => `${begin}\n\n${scores}\n\n${end}`),
  );
  return [file];
});
process.exit(spawnSync("oxfmt", [PAGE, ...recipes]).status ?? 1);
