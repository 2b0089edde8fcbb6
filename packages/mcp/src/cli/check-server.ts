import type { ContractOptions } from "@toolcontract/core";
import { connect, listTools, overHttp, overStdio, ServerError } from "@toolcontract/mcp-client";
import { reportOf } from "../check/index.ts";
import type { Plan } from "./command-line.ts";
import { EXIT } from "./failure.ts";
import { toContractOptions } from "./gate-options.ts";
import { headersOf } from "./serve-http.ts";

/** Where the report goes, and what it says of this client. */
export interface CheckOutput {
  readonly version: string;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Asks the server for its tools and says what would be guarded; the exit code is 0 if it was reached. */
export async function checkServer(
  plan: Plan,
  inFile: ContractOptions,
  { version, write, writeError }: CheckOutput,
): Promise<number> {
  const { settings } = plan;
  const isOff = (tool: string): boolean => settings.tool.includes(`${tool}=off`);
  try {
    const answerMs = settings["list-timeout"];
    const transport =
      plan.run === "stdio"
        ? overStdio({ command: plan, errors: "inherit", answerMs })
        : overHttp(plan.upstream, await headersOf(plan), answerMs);
    const client = { name: "toolcontract-mcp", version };
    const listed = await connect(transport, client, async (server) => ({
      server: server.name,
      tools: await listTools(server),
    }));
    write(reportOf(listed, { contract: toContractOptions(settings, inFile), isOff }));
    return EXIT.ok;
  } catch (thrown) {
    if (!(thrown instanceof ServerError)) throw thrown;
    writeError(`toolcontract-mcp: the server could not be reached: ${thrown.message}\n`);
    return EXIT.notStarted;
  }
}
