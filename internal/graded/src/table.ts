import { type Check, type Level } from "@toolcontract/conformance";
import { CLAUSES } from "@toolcontract/conformance/adapter";
import type { Grade } from "./grade.ts";
import type { Subject } from "./subjects.ts";

const LEVELS: readonly Level[] = ["L1", "L2", "L3", "L4"];

/** The matrix of the page: a row for each program, with what it loses. */
export function tableOf(grades: readonly Grade[], versionOf: (name: string) => string): string {
  const rows = grades.map(({ subject, kind, checks, streamed = [] }) => {
    const title = titleOf(subject, kind, versionOf);
    const scores = LEVELS.map((level) => scoreOf(checks.filter((check) => check.level === level)));
    const line = `\`${subject.framework} ${kind}\``;
    const losses = lossesOf(checks).replaceAll(/[a-z-]+(?= \d)/g, "`$&`");
    const answer = scoreOf(checks.filter(({ level }) => level === "L5"));
    return `| ${[title, ...scores, scoreOf(streamed), answer, losses, line].join(" | ")} |`;
  });
  const head = `| program | ${LEVELS.join(" | ")} | streamed | L5 | loses | name |`;
  return [head, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

function titleOf(
  { title, package: name, apart, best = "tools by zod" }: Subject,
  kind: string,
  versionOf: (name: string) => string,
): string {
  const version = `${title} ${apart?.[name] ?? versionOf(name)}`;
  if (kind === "contract") return `${version}, **with the contract**`;
  return kind === "bare" ? version : `${version}, ${best}`;
}

function scoreOf(checks: readonly Check[]): string {
  const passed = checks.filter((check) => check.passed).length;
  return checks.length === 0 ? "–" : `${passed} of ${checks.length}`;
}

/** The clauses that were seen to be broken, with the number of scenarios. */
export function lossesOf(checks: readonly Check[]): string {
  const broken = checks.filter(
    ({ passed, message }) => !passed && !message.startsWith("Not judged: "),
  );
  const losses = CLAUSES.flatMap(({ id }) => {
    const count = broken.filter((check) => check.id === `${check.scenario}/${id}`).length;
    return count === 0 ? [] : [`${id} ${count}`];
  });
  return losses.length === 0 ? "nothing" : losses.join(", ");
}

/** The scores of one framework, out of the matrix. */
export function scoresOf(matrix: string, framework: string): string {
  const rows = matrix.split("\n").filter((row) => row.includes(`| \`${framework} `));
  const cells = rows.map((row) => row.split("|").slice(1, 1 + SHOWN.length));
  const head = [SHOWN, SHOWN.map(() => "---")];
  return [...head, ...cells]
    .map((row) => `| ${row.map((cell) => cell.trim()).join(" | ")} |`)
    .join("\n");
}

const SHOWN = ["program", ...LEVELS, "streamed"];
