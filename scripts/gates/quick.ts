import { existsSync } from "node:fs";
import type { Change } from "./change.ts";
import { runCommitSubjects } from "./commit-subjects.ts";
import type { Gate } from "./run.ts";
import { runChangedTests } from "./vitest.ts";

const CODE = /\.(?:[cm]?[jt]s|vue)$/;
// What the compiler found last time; `.artifacts` is emptied before each run.
const KNOWN = "node_modules/.cache/toolcontract/check.tsbuildinfo";

/** The gates that a change can fail, as far as seconds go: its tests first, then the types and lint of what it reaches. */
export function quickGates(change: Change): readonly Gate[] {
  const paths = change.paths.filter((path) => existsSync(path));
  const code = paths.filter((path) => CODE.test(path));
  const hasChanged = (pattern: RegExp): boolean => change.paths.some((path) => pattern.test(path));
  const when = (isWanted: boolean, ...gates: readonly Gate[]): readonly Gate[] =>
    isWanted ? gates : [];
  return [
    { name: "tests", run: () => runChangedTests(change), isStreamed: true },
    ...when(paths.length > 0, {
      name: "format",
      command: `oxfmt --check --no-error-on-unmatched-pattern ${paths.join(" ")}`,
    }),
    ...when(
      code.length > 0,
      {
        name: "types",
        command: `tsc -p . --noEmit --pretty false --incremental --tsBuildInfoFile ${KNOWN}`,
      },
      { name: "lint", command: `oxlint --type-aware --deny-warnings ${code.join(" ")}` },
    ),
    ...when(hasChanged(/\.md$/), {
      name: "types of the pages",
      command: "node scripts/gates/types.ts",
    }),
    ...when(change.reachesOthers || hasChanged(/package\.json$/), {
      name: "unused code and dependencies",
      command: "node scripts/gates/unused.ts",
    }),
    ...when(hasChanged(/package\.json$|^pnpm-/), {
      name: "workspace manifests",
      command: "sherif --fail-on-warnings",
    }),
    ...when(hasChanged(/\.test\.ts$|^docs\/requirements\.md$/), {
      name: "requirements have tests",
      command: "node scripts/trace.ts",
    }),
    { name: "commit subjects", run: runCommitSubjects },
  ];
}
