import { existsSync } from "node:fs";
import { join } from "node:path";
import { up } from "empathic/walk";

/**
 * The folders from the working directory up to the root of the project, which is the one with `.git`.
 *
 * @remarks Outside of a repository all folders above are taken, but for the home directory, which is a layer of its own.
 */
export function projectFolders(cwd: string, home: string | undefined): readonly string[] {
  const above = up(cwd);
  const atHome = above.findIndex((folder, index) => index > 0 && folder === home);
  const folders = atHome === -1 ? above : above.slice(0, atHome);
  const root = folders.findIndex((folder) => existsSync(join(folder, ".git")));
  return root === -1 ? folders : folders.slice(0, root + 1);
}
