import { runCommand } from "./run.ts";

/** What differs from the main branch, or from the last commit if there is none. */
export interface Change {
  readonly since: string;
  readonly paths: readonly string[];
  /** Whether a line with an import or an export differs. */
  readonly reachesOthers: boolean;
}

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

function git(command: string): ReturnType<typeof runCommand> {
  return runCommand(`git ${command}`, { keepsOutput: true });
}
