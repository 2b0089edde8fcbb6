import { isAbsolute, join, relative } from "node:path";

/** How people read a path: relative to the working directory or the home directory where it is below one. */
export function showPath(path: string, cwd: string, home: string | undefined): string {
  const local = below(cwd, path);
  const shown = local ?? inHome(path, home) ?? path;
  return shown.replaceAll(/\p{Cc}/gu, "?");
}

function inHome(path: string, home: string | undefined): string | undefined {
  const rest = home === undefined ? undefined : below(home, path);
  return rest === undefined ? undefined : join("~", rest);
}

function below(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  return rest === "" || rest.startsWith("..") || isAbsolute(rest) ? undefined : rest;
}
