import { basename } from "node:path";
import type { Gate } from "../gate/gate.ts";
import { runStdio } from "../stdio/run-stdio.ts";
import type { Log } from "./log.ts";
import type { Plan } from "./plan.ts";

/** Guards a server on stdio until it ends, and gives its exit code. */
export async function guardCommand(
  { settings, command, args }: Extract<Plan, { readonly run: "stdio" }>,
  log: Log,
  loadGate: () => Promise<Gate>,
): Promise<number> {
  // Arguments may hold credentials.
  const server = basename(command);
  log.info("The server is started", { server });
  const client = { input: process.stdin, output: process.stdout };
  const end = await runStdio(client, {
    command,
    args,
    loadGate,
    maxMessageBytes: settings["max-body"],
    graceMs: settings.grace,
  });
  if (end.status === "exited") {
    log.info("The server has ended", { server, code: end.code });
    return end.code;
  }
  process.stderr.write(
    `toolcontract-mcp: cannot start '${server}': ${end.reason}; check its name, or give its full path\n`,
  );
  return end.code;
}
