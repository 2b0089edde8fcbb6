import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { McpServerConfig } from "../settings/index.ts";
import type { ScriptedAnswer } from "../models/index.ts";
import { NOTES } from "./notes.ts";
import recording from "./recording.json" with { type: "json" };

/** A recorded run, and the world in which it was recorded. */
export interface Example {
  readonly answers: readonly ScriptedAnswer[];
  readonly mcpServers: Readonly<Record<string, McpServerConfig>>;
  /** Removes the notes. */
  remove(): void;
}

const SERVER = "@modelcontextprotocol/server-filesystem";

/** Writes the notes to a temporary folder, which a server of this program's own dependencies serves. */
export function createExample(): Example {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-agent-"));
  const remove = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // The system empties its folder for temporary files.
    }
  };
  process.once("exit", remove);
  for (const [name, text] of Object.entries(NOTES)) writeFileSync(join(folder, name), text);
  const require = createRequire(import.meta.url);
  const server = join(dirname(require.resolve(`${SERVER}/package.json`)), "dist/index.js");
  return {
    answers: recording,
    mcpServers: { notes: { command: process.execPath, args: [server, folder], cwd: folder } },
    remove() {
      process.off("exit", remove);
      remove();
    },
  };
}
