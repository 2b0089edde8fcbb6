// Grades every program and writes the matrix of docs/conformance.md: `pnpm conformance:report`.
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
for (const subject of SUBJECTS) {
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
const table = tableOf(grades, versionOf);
writeFileSync(
  PAGE,
  page.replace(MATRIX, (_, begin: string, end: string) => `${begin}\n\n${table}\n\n${end}`),
);
process.exit();
