import { showPath } from "../show-path.ts";
import type { CommandContext } from "./command-context.ts";

/** How the person at the command line reads paths. */
export function shownIn({ cwd, home }: CommandContext): (path: string) => string {
  return (path) => showPath(path, cwd, home === false ? undefined : home);
}
