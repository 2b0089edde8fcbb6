import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installedScript } from "../installed-script.ts";
import { type Check, readChecks } from "./check.ts";

/** A revision of the protocol whose requirements the suite knows. */
export type Revision = "2025-11-25" | "2026-07-28";

const SUITE = installedScript(
  import.meta.resolve("@modelcontextprotocol/conformance/package.json"),
);
const CLIENT = fileURLToPath(new URL("../client/main.ts", import.meta.url));

/** A scenario that ends early loses all its checks, and on a busy machine one takes longer than the suite's 30 seconds. */
const SCENARIO_MS = 180_000;

/** Runs all of a revision's scenarios for servers against the server at a URL. */
export async function checkServer(url: string, revision: Revision): Promise<readonly Check[]> {
  return runSuite(["server", "--url", url, "--requirements", revision]);
}

/** Runs one scenario against a client: `args` are the reference client's own. */
export async function checkClient(
  args: readonly string[],
  scenario: string,
  revision: Revision,
): Promise<readonly Check[]> {
  const command = [process.execPath, CLIENT].map((path) => JSON.stringify(path));
  const options = ["--command", [...command, ...args].join(" "), "--scenario", scenario];
  return runSuite(["client", ...options, "--spec-version", revision]);
}

async function runSuite(args: readonly string[]): Promise<readonly Check[]> {
  const folder = await mkdtemp(join(tmpdir(), "mcp-conformance-"));
  try {
    const options = ["--timeout", String(SCENARIO_MS), "--output-dir", folder];
    const child = spawn(process.execPath, [SUITE, ...args, ...options], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    // The exit code only says whether something failed.
    await once(child, "close");
    const checks = await readChecks(folder);
    if (checks.length > 0) return checks;
    throw new Error(`The suite ran nothing for ${args.join(" ")}: ${output.slice(-2000)}`);
  } finally {
    await rm(folder, { recursive: true });
  }
}
