// Grades every program and writes the matrix of docs/conformance.md: `pnpm conformance:report`. With names of frameworks, only
// their rows are written anew.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Grade, grade } from "./grade.ts";
import { SUBJECTS } from "./subjects.ts";
import { tableOf } from "./table.ts";
import { versionOf } from "./version-of.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PAGE = join(ROOT, "docs/conformance.md");
const ARTIFACTS = join(ROOT, ".artifacts/conformance");
const MATRIX = /(<!-- the matrix begins -->).*?(<!-- the matrix ends -->)/s;

// A framework that leaves a promise to itself would end the report.
process.on("unhandledRejection", () => {});
const { log } = console;
for (const name of ["warn", "error", "log"] as const) console[name] = () => {};

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
    const { checks } = graded;
    const file = join(ARTIFACTS, `${subject.framework}-${kind}.json`);
    writeFileSync(file, JSON.stringify({ checks }, null, 2));
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
process.exit(spawnSync("oxfmt", [PAGE]).status ?? 1);
