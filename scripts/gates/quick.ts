import { existsSync } from "node:fs";
import { runCommitSubjects } from "./commit-subjects.ts";
import { type Gate, runCommand } from "./run.ts";
import { runChangedTests } from "./vitest.ts";

/** What differs from the main branch, or from the last commit if there is none. */
export interface Change {
  readonly since: string;
  readonly paths: readonly string[];
  /** Whether a line with an import or an export differs. */
  readonly reachesOthers: boolean;
}

const CODE = /\.(?:[cm]?[jt]s|vue)$/;
// What the compiler found last time; `.artifacts` is emptied before each run.
const KNOWN = "node_modules/.cache/toolcontract/check.tsbuildinfo";

/** Reads the change from git. */
export async function readChange(): Promise<Change> {
  const { stdout } = await git("merge-base HEAD origin/main");
  const since = stdout.trim() === "" ? "HEAD" : stdout.trim();
  const [changed, added, linked] = await Promise.all([
    git(`diff --name-only ${since}`),
    git("ls-files --others --exclude-standard"),
    git(`diff --name-only -G^(import|export|\\s*\\}\\sfrom\\s) ${since}`),
  ]);
  const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");
  return {
    since,
    paths: [...lines(changed.stdout), ...lines(added.stdout)],
    reachesOthers: lines(linked.stdout).length > 0 || lines(added.stdout).length > 0,
  };
}

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

function git(command: string): ReturnType<typeof runCommand> {
  return runCommand(`git ${command}`, { keepsOutput: true });
}
