import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { file as findUp } from "empathic/find";
import { CONFIG_PATH } from "../files/config-file.ts";
import { FileExistsError } from "./file-exists-error.ts";
import type { CommandContext } from "./command-context.ts";
import { configTemplate } from "./config-template.ts";
import { shownIn } from "./shown-in.ts";

/** Writes a new configuration file; one that is there stays as it is. */
export function init(context: CommandContext): void {
  const path = join(context.cwd, ...CONFIG_PATH);
  const shown = shownIn(context)(path);
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, configTemplate(schemaFor(path)), { flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    throw new FileExistsError(`${shown} is there already; it was not changed.`);
  }
  context.print(`Wrote ${shown}`);
}

/** The installed schema fits the installed version; none where the package is not installed here. */
function schemaFor(path: string): string | undefined {
  const folder = dirname(path);
  const installed = findUp("node_modules/@toolcontract/config/schema.json", { cwd: folder });
  if (installed === undefined) return undefined;
  return relative(folder, installed).replaceAll("\\", "/");
}
