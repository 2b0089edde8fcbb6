import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(import.meta.resolve("@toolcontract/mcp/package.json")).replace(
  /package\.json$/,
  "src/cli.ts",
);

/** The proxy in front of a server: a Node script with arguments. */
export function behindProxy(
  server: readonly string[],
  flags: readonly string[],
): readonly string[] {
  return [...process.execArgv, CLI, "--no-config", ...flags, "--", process.execPath, ...server];
}
