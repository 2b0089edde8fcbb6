import { parseDocument } from "yaml";
import type { Check } from "../shared/index.ts";

/** What the list of expected failures says about a run. */
export interface Expectations {
  /** Failed, and not in the list. */
  readonly unexpected: readonly Check[];
  /** In the list, and passed or never checked: the list is out of date. */
  readonly stale: readonly string[];
}

/** Reads a list of expected failures: YAML, one id of a check for each item. Returns what is wrong with it as a string. */
export function readExpectedFailures(text: string): readonly string[] | string {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) return error.message.split("\n")[0] ?? "it is not YAML";
  const value: unknown = document.toJS() ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    return "it must be a list of ids, such as `- wrong-types/names-fields`";
  }
  return value;
}

/** Compares a run with the list; `played` are the scenarios whose entries can be out of date. */
export function compareWithExpected(
  checks: readonly Check[],
  expected: readonly string[],
  isPlayed: (scenario: string) => boolean,
): Expectations {
  const failed = new Set(checks.filter(({ passed }) => !passed).map(({ id }) => id));
  return {
    unexpected: checks.filter(({ id, passed }) => !passed && !expected.includes(id)),
    stale: expected.filter((id) => !failed.has(id) && isPlayed(id.split("/")[0] ?? "")),
  };
}
