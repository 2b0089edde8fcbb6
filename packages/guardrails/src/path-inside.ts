import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolContractError } from "@toolcontract/core";

/**
 * Makes a function that finds a path below a folder, for guardrails and for the tool: `undefined` for everything else, also if a
 * link leads out of it.
 *
 * @param root - The folder; relative to the current one.
 * @returns A function that answers the absolute path with all links followed. Use what it answers: a link may change afterwards.
 * @throws ToolContractError if the root is not a path.
 * @example
 * ```ts
 * const inside = pathInside("/srv/notes");
 * inside("week/monday.md"); // "/srv/notes/week/monday.md"
 * inside("../secrets"); // undefined
 * ```
 * @see docs/guardrails-recipes.md
 */
export function pathInside(root: string): (path: unknown) => string | undefined {
  if (typeof root !== "string" || root === "" || root.includes("\0")) {
    throw new ToolContractError('pathInside: pass a folder, such as pathInside("notes").');
  }
  const folder = resolve(root);
  return (path) => {
    if (typeof path !== "string" || path === "" || path.includes("\0")) return undefined;
    const real = realPath(resolve(folder, path));
    return real !== undefined && isBelow(realPath(folder), real) ? real : undefined;
  };
}

/** Follows the links of as much of a path as there is; undefined if that cannot be known. */
function realPath(path: string): string | undefined {
  const rest: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...rest);
    } catch (thrown) {
      const { code } = thrown as { readonly code?: unknown };
      // A link that leads to nothing is not there either, but writing to it would follow it.
      if (code !== "ENOENT" || isLink(at) || dirname(at) === at) return undefined;
    }
    rest.unshift(basename(at));
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isBelow(folder: string | undefined, path: string): boolean {
  if (folder === undefined) return false;
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
