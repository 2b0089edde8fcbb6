import { readFileSync } from "node:fs";
import type { ContractOptions } from "@toolcontract/core";
import type { Gate } from "../gate/gate.ts";
import { type FileSettings, readConfigFiles } from "./config-file.ts";
import { openLog, type Log } from "./log.ts";
import { ownLayers, type Plan, planOf } from "./plan.ts";
import { readArguments } from "./read-arguments.ts";

const NAME = "toolcontract-mcp";

/** What the command line runs in. */
export interface Surroundings {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The package's own package.json. */
  readonly packageUrl: URL;
}

/** Runs the command line and gives its exit code; it never throws. */
export async function main({ argv, env, packageUrl }: Surroundings): Promise<number> {
  try {
    const given = readArguments(argv);
    if (given.asks === "help") {
      const { helpText } = await import("./help.ts");
      process.stdout.write(helpText());
      return 0;
    }
    if (given.asks === "version") {
      const { version } = JSON.parse(readFileSync(packageUrl, "utf8")) as { version: string };
      process.stdout.write(`${version}\n`);
      return 0;
    }
    const layers = ownLayers(given, env);
    const file = await readConfigFiles(layers, env);
    return await runProxy(planOf(given, file ? [...layers, file.layer] : layers), file);
  } catch (thrown) {
    const { explainFailure } = await import("./explain-failure.ts");
    const { words, code } = explainFailure(thrown, NAME);
    process.stderr.write(`${NAME}: ${words}\n`);
    return code;
  }
}

async function runProxy(plan: Plan, inFile: FileSettings | undefined): Promise<number> {
  const { settings } = plan;
  const log = openLog({
    level: settings["log-level"],
    file: settings["log-file"],
    now: () => new Date(),
  });
  if (inFile) tellOf(inFile, log);
  const [file, port] = [settings["metrics-file"], settings["metrics-port"]];
  const metrics =
    file === undefined && port === undefined
      ? undefined
      : await (
          await import("./metrics.ts")
        ).openMetrics({
          file,
          port,
          onListening: (url) => {
            log.info(`Metrics are at ${url}`);
          },
        });
  try {
    return await run(plan, log, async () => {
      const gate = await loadGate(plan, inFile?.options ?? {}, log);
      metrics?.watch(gate.contract);
      return gate;
    });
  } finally {
    metrics?.close();
    log.close();
  }
}

function tellOf({ paths, advisories }: FileSettings, log: Log): void {
  for (const file of paths) log.info("The configuration was read", { file });
  for (const { message, file, line } of advisories) log.warn(message, { file, line });
}

/** The validators are the slow part of starting: they load while the server starts. */
async function loadGate({ settings }: Plan, inFile: ContractOptions, log: Log): Promise<Gate> {
  const [{ createGate }, { gateSettings }] = await Promise.all([
    import("../gate/gate.ts"),
    import("./gate-settings.ts"),
  ]);
  return createGate(gateSettings(settings, inFile, log.contract));
}

async function run(plan: Plan, log: Log, load: () => Promise<Gate>): Promise<number> {
  if (plan.run === "http") {
    const { serveUpstream } = await import("./serve-upstream.ts");
    return serveUpstream(plan, log, load);
  }
  const { guardCommand } = await import("./guard-command.ts");
  return guardCommand(plan, log, load);
}
