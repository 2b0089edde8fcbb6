import { basename } from "node:path";
import type { Plan } from "./command-line.ts";
import { EXIT } from "./failure.ts";
import { mayBlock } from "./error-output.ts";
import { maxResultBytes } from "./max-result-bytes.ts";
import type { ProxyRun } from "./run.ts";

/** Runs a plan until its server or a signal ends it; returns the exit code. */
export async function serveAsPlanned(plan: Plan, run: ProxyRun): Promise<number> {
  if (plan.run === "stdio") return serveStdio(plan, run);
  // Loading Node's HTTP takes a tenth of the start.
  const { serveHttp } = await import("./serve-http.ts");
  return serveHttp(plan, run);
}

type StdioPlan = Extract<Plan, { readonly run: "stdio" }>;

/** Guards a server on stdio until it ends. */
async function serveStdio(
  { settings, command, args }: StdioPlan,
  { log, streams, errors, loadGate, onStopping }: ProxyRun,
): Promise<number> {
  // Only the command's name is logged: its arguments may hold credentials.
  const server = basename(command);
  log.info("The server is started", { server });
  const client = { input: streams.stdin, output: streams.stdout };
  const { runStdio } = await import("../stdio/index.ts");
  const end = await runStdio(client, {
    command,
    args,
    loadGate,
    maxMessageBytes: settings["max-body"],
    maxResultBytes: maxResultBytes(settings),
    graceMs: settings.grace,
    errors: mayBlock(streams.stderr) ? errors.write : undefined,
    onStopping,
  });
  if (end.status === "exited") {
    log.info("The server has ended", { server, code: end.code });
    return end.code;
  }
  errors.write(
    `toolcontract-mcp: cannot start '${server}': ${end.reason}; check its name, or use its full path\n`,
  );
  return EXIT.notStarted;
}
