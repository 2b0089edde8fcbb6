import { readFileSync } from "node:fs";
import type { ContractOptions } from "@toolcontract/core";
import type { Gate } from "../gate/index.ts";
import { type FileSettings, readConfigFiles } from "./config-file.ts";
import { ownLayers, type Plan, planOf, readArguments } from "./command-line.ts";
import { explainFailure } from "./failure.ts";
import { type Log, openLog } from "./log.ts";
import { serve } from "./serve.ts";

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
    const { words, code } = await explainFailure(thrown, NAME);
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
    return await serve(plan, log, async () => {
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
    import("../gate/index.ts"),
    import("./gate-options.ts"),
  ]);
  return createGate(gateSettings(settings, inFile, log.contract));
}
