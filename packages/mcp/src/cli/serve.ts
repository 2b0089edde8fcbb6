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

/** What only starts another program. */
const LAUNCHERS = /^(?:npx|bunx?|pnpx|uvx?|pipx|node|deno|python\d?(?:\.\d+)?)(?:\.(?:cmd|exe))?$/;
/** A package, or a file; what may hold a credential does not look like this. */
const PROGRAM = /^(?:@[\w.-]{1,64}\/)?[\w.-]{1,64}(?:@[\w.-]{1,32})?$/;

/** What a server's command is called in the log; other arguments may hold credentials. */
export function nameOfCommand({ command, args }: Pick<StdioPlan, "command" | "args">): string {
  const own = basename(command);
  const first = LAUNCHERS.test(own) ? args.find((arg) => !arg.startsWith("-")) : undefined;
  const program = first === undefined || PROGRAM.test(first) ? first : basename(first);
  return program !== undefined && PROGRAM.test(program) ? program : own;
}

/** Guards a server on stdio until it ends. */
async function serveStdio(
  { settings, command, args }: StdioPlan,
  { log, streams, errors, loadGate, onStopping }: ProxyRun,
): Promise<number> {
  log.info("The server is started");
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
    log.info("The server has ended", { code: end.code });
    return end.code;
  }
  errors.write(
    `toolcontract-mcp: cannot start '${basename(command)}': ${end.reason}; check its name, or use its full path\n`,
  );
  return EXIT.notStarted;
}
