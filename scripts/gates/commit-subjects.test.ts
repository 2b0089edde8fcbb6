import { expect, test } from "vitest";
import { subjectFault } from "./commit-subjects.ts";

test.each([
  "report a badge that cannot be written",
  "fix(core): refuse arguments that cost too much to check",
  "refactor(mcp,lint): give both commands one client",
  "feat!: Drop Node 18",
  'Revert "fix(core): refuse arguments"',
])("%j is a subject", (subject) => {
  expect(subjectFault(subject)).toBeUndefined();
});

test.each([
  ["test: what costs little costs it in the best of some runs", /begins with "what"/],
  ["style(agent): a name that shadows none", /begins with "a"/],
  ["fix(core): refuse", /has no object/],
  [`fix: ${"refuse ".repeat(10)}`, /is 75 characters long; at most 72/],
])("%j is not", (subject, fault) => {
  expect(subjectFault(subject)).toMatch(fault);
});
