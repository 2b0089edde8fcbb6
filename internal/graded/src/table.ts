import { type Check, type Level } from "@toolcontract/conformance";
import { CLAUSES } from "@toolcontract/conformance/adapter";
import type { Grade } from "./grade.ts";

const KINDS = {
  bare: "",
  zod: ", tools by zod",
  contract: ", **with the contract**",
} as const;
const LEVELS: readonly Level[] = ["L1", "L2", "L3", "L4"];

/** The matrix of the page: a row for each program, with what it loses. */
export function tableOf(grades: readonly Grade[], versionOf: (name: string) => string): string {
  const rows = grades.map(({ subject, kind, checks }) => {
    const version = versionOf(subject.package);
    const title = `${subject.title} ${version}${KINDS[kind]}`;
    const scores = LEVELS.map((level) => scoreOf(checks, level));
    const line = `\`${subject.framework} ${kind}\``;
    return `| ${[title, ...scores, lossesOf(checks), line].join(" | ")} |`;
  });
  const head = `| program | ${LEVELS.join(" | ")} | loses | name |`;
  return [head, "| --- | --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

function scoreOf(checks: readonly Check[], level: Level): string {
  const own = checks.filter((check) => check.level === level);
  const passed = own.filter((check) => check.passed).length;
  return own.length === 0 ? "–" : `${passed} of ${own.length}`;
}

/** The clauses that were seen to be broken, with the number of scenarios. */
function lossesOf(checks: readonly Check[]): string {
  const broken = checks.filter(
    ({ passed, message }) => !passed && !message.startsWith("Not judged: "),
  );
  const losses = CLAUSES.flatMap(({ id }) => {
    const count = broken.filter((check) => check.id === `${check.scenario}/${id}`).length;
    return count === 0 ? [] : [`${id} ${count}`];
  });
  return losses.length === 0 ? "nothing" : losses.join(", ");
}
