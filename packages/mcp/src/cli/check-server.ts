import type { ContractOptions } from "@toolcontract/core";
import { within } from "@toolcontract/core/adapter";
import { connect, listTools, overHttp, overStdio, ServerError } from "@toolcontract/mcp-client";
import { reportOf } from "../check/index.ts";
import type { Plan } from "./command-line.ts";
import { EXIT } from "./failure.ts";
import { pairOf } from "./flag.ts";
import { toContractOptions } from "./gate-options.ts";
import { headersOf } from "./serve-http.ts";
import { openEngine } from "./store.ts";

/** Longer than what a call waits: connecting takes part of it. */
const STORE_MS = 5_000;

/** A command such as npx may have to install the server first. */
const INSTALL_MS = 60_000;

function startMs(answerMs: number): number {
  return Math.max(answerMs, INSTALL_MS);
}

/** Where the report goes, and what it says of this client. */
export interface CheckOutput {
  readonly version: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/**
 * Asks the store of `--store` once, and says whether it answers; nothing without one. A store that is away ends nothing, because
 * the proxy counts by itself meanwhile.
 *
 * @throws UsageError if it cannot be opened.
 */
export async function checkStore(settings: Plan["settings"]): Promise<string> {
  if (settings.store === undefined) return "";
  const silent = { info: () => undefined, warn: () => undefined };
  const { store, close } = await openEngine(settings.store, settings, silent);
  try {
    await within(Promise.resolve(store.get("check")), STORE_MS);
    return "The store answers\n";
  } catch (thrown) {
    const { code, name } = Object(thrown) as { readonly code?: unknown; readonly name?: unknown };
    return `The store does not answer (${String(code ?? name)}): each process would count by itself\n`;
  } finally {
    close();
  }
}

/** Asks the server for its tools and says what would be guarded; the exit code is 0 if it was reached. */
export async function checkServer(
  plan: Plan,
  inFile: ContractOptions,
  { version, write, writeError }: CheckOutput,
): Promise<number> {
  const { settings } = plan;
  const isOff = (tool: string): boolean => settings.tool.includes(`${tool}=off`);
  const named = settings.tool.map((text) => pairOf(text)[0]);
  try {
    const answerMs = settings["list-timeout"];
    const transport =
      plan.run === "stdio"
        ? overStdio({ command: plan, errors: "inherit", answerMs, startMs: startMs(answerMs) })
        : overHttp(plan.upstream, await headersOf(plan), answerMs);
    const client = { name: "toolcontract-mcp", version };
    const listed = await connect(transport, client, async (server) => ({
      server: server.name,
      tools: await listTools(server),
    }));
    write(reportOf(listed, { contract: toContractOptions(settings, inFile), isOff, named }));
    return EXIT.ok;
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    const hint = thrown.message.includes("did not answer") ? "; --list-timeout waits longer" : "";
    writeError(`toolcontract-mcp: the server could not be reached: ${thrown.message}${hint}\n`);
    return EXIT.notStarted;
  }
}
