import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { Reporter, SerializedError, TestModule } from "vitest/node";

/** The environment variable that names the file for them. */
export const FAILURES_FILE = "FAILURES_FILE";
const MESSAGE = 300;
const SHOWN = 10;

/** Writes a line for each failed test, suite and file, and for each error that no test caught. */
// oxlint-disable-next-line import/no-default-export -- Vitest loads a reporter by its default export.
export default class FailuresReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const lines = [...unhandled.map(uncaught), ...modules.flatMap(failuresOf)];
    writeFileSync(process.env[FAILURES_FILE] ?? ".artifacts/failures.json", JSON.stringify(lines));
  }
}

function failuresOf(module: TestModule): readonly string[] {
  const file = relative(process.cwd(), module.moduleId);
  const suites = [...module.children.allSuites()];
  const tests = [...module.children.allTests("failed")];
  return [
    ...module.errors().map((error) => `${file}: ${describeError(error)}`),
    ...[...suites, ...tests].flatMap((task) => {
      const errors = "result" in task ? (task.result().errors ?? []).slice(0, 1) : task.errors();
      return errors.map((error) => `${file} > ${task.fullName}: ${describeError(error)}`);
    }),
  ];
}

/** Vitest says only where it was noticed: in the test that ran at that time, or after it. */
function uncaught(error: SerializedError): string {
  const { VITEST_TEST_PATH: path } = error;
  const file = typeof path === "string" ? ` while ${relative(process.cwd(), path)} ran` : "";
  return `uncaught${file}: ${describeError(error)}`;
}

/** The beginning of the message in one line; a property has its seed and counterexample there, and a cause. */
export function describeError(error: SerializedError): string {
  const message = cut(error.message);
  return error.cause === undefined ? message : `${message} (${cut(error.cause.message)})`;
}

function cut(message: string): string {
  const line = stripVTControlCharacters(message).replaceAll(/\s+/g, " ").trim();
  return line.length > MESSAGE ? `${line.slice(0, MESSAGE)}…` : line;
}

/** What the closing summary has room for. */
export function firstOf(failures: readonly string[]): readonly string[] {
  const rest = failures.length - SHOWN;
  return rest > 0 ? [...failures.slice(0, SHOWN), `and ${rest} more`] : failures;
}
