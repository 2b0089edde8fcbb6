import { readFileSync } from "node:fs";
import type { Gate, GateOptions } from "../gate/index.ts";
import { ownLayers, type Plan, planOf, readArguments } from "./command-line.ts";
import { type FileSettings, readConfigFiles } from "./config-file.ts";
import { createErrorOutput, type ErrorOutput } from "./error-output.ts";
import { EXIT, explainFailure } from "./failure.ts";
import { type LoadedParts, toGateOptions } from "./gate-options.ts";
import { loadGuardrails } from "./guardrails-file.ts";
import { type Log, openLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { Spans } from "./otlp.ts";
import type { StandardStreams } from "./run.ts";
import { nameOfCommand, serveAsPlanned } from "./serve.ts";
import { type SettingsLayer, settingsInEffect, strayVariables } from "./settings.ts";
import { openStore } from "./store.ts";

const NAME = "toolcontract-mcp";

/** The process that the command runs in. */
export interface Surroundings {
  readonly streams: StandardStreams;
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The URL of this package's package.json. */
  readonly packageUrl: URL;
}

/** Prints what was asked for; its reader may leave before the end, as `head` does. */
function print(stdout: StandardStreams["stdout"], text: string): void {
  stdout.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
  stdout.write(text);
}

/** Runs the command and returns its exit code; never throws. */
export async function main({ argv, env, packageUrl, streams }: Surroundings): Promise<number> {
  const errors = createErrorOutput(streams.stderr);
  try {
    const given = readArguments(argv);
    if (given.asks === "help") {
      const { helpText } = await import("./help.ts");
      print(streams.stdout, helpText());
      return EXIT.ok;
    }
    if (given.asks === "version") {
      print(streams.stdout, `${versionIn(packageUrl)}\n`);
      return EXIT.ok;
    }
    const layers = ownLayers(given, env);
    const configure = async (): Promise<Configured> => {
      const inFile = await readConfigFiles(layers, env);
      const all = inFile ? [...layers, inFile.layer] : layers;
      return { plan: planOf(given, all), inFile, layers: all };
    };
    return await runProxy({ env, streams, errors, version: versionIn(packageUrl), configure });
  } catch (thrown) {
    const { reason, code } = await explainFailure(thrown, NAME);
    errors.write(`${NAME}: ${reason}\n`);
    return code;
  }
}

/** What is to be done, and what the configuration files say. */
interface Configured {
  readonly plan: Plan;
  readonly inFile: FileSettings | undefined;
  readonly layers: readonly SettingsLayer[];
}

interface RunSurroundings extends Pick<Surroundings, "env" | "streams"> {
  readonly errors: ErrorOutput;
  readonly version: string;
  /** Reads the configuration files; throws if they are wrong. */
  readonly configure: () => Promise<Configured>;
}

function versionIn(packageUrl: URL): string {
  return (JSON.parse(readFileSync(packageUrl, "utf8")) as { version: string }).version;
}

async function runProxy(surroundings: RunSurroundings): Promise<number> {
  const { env, streams, errors, version, configure } = surroundings;
  let configured = await configure();
  const { plan, inFile } = configured;
  const { settings } = plan;
  const file = await loadGuardrails(settings);
  if (settings.check) return runServerCheck(configured, file, surroundings);
  const log = openLog({
    level: settings["log-level"],
    file: settings["log-file"],
    errors,
    server: serverOf(plan),
    now: () => new Date(),
  });
  if (inFile) logFiles(inFile, log);
  for (const name of strayVariables(env)) {
    log.warn(`There is no environment variable ${name}; toolcontract-mcp --help lists the flags`);
  }
  const metrics = await openMetricsOf(plan, log, errors, version);
  const spans = await openSpansOf(plan, version);
  const opening = openStore(settings, log);
  // Awaited with the gate, while the server starts.
  opening.catch(() => undefined);
  let isStopping = false;
  let gate: Gate | undefined;
  const loaded = async (): Promise<LoadedParts> => ({
    ...file,
    store: (await opening)?.store,
    telemetry: (metrics ?? spans) && { ...metrics?.telemetry, ...spans?.telemetry },
  });
  const reload = async (): Promise<void> => {
    log.reopen();
    log.info("The log file was opened anew");
    try {
      const next = await configure();
      gate?.reload(gateOptions(next, log, await loaded()));
      configured = next;
      log.info("The configuration was read again");
    } catch (thrown) {
      const { reason } = await explainFailure(thrown, NAME);
      log.warn("The configuration is wrong, so the one before goes on", { reason });
    }
  };
  const sum = async (): Promise<void> => {
    const { auditSummary } = await import("./audit-summary.ts");
    errors.write(auditSummary(gate?.counts() ?? [], settings.mode));
  };
  const stopListening = listenOn({ SIGHUP: reload, SIGUSR2: sum });
  try {
    return await serveAsPlanned(plan, {
      log,
      streams,
      errors,
      onStopping: () => (isStopping = true),
      loadGate: async () => {
        const { createGate } = await import("../gate/index.ts");
        gate = createGate(gateOptions(configured, log, await loaded()));
        metrics?.watch(gate, async () => (isStopping ? STOPPING : whyNotReady(plan)));
        return gate;
      },
    });
  } finally {
    stopListening();
    const isAudit = settings.mode === "audit" && gate?.counts().some(({ calls }) => calls > 0);
    if (isAudit) await sum();
    metrics?.close();
    await spans?.close();
    await opening.then(
      (opened) => opened?.close(),
      () => undefined,
    );
    log.close();
  }
}

/** Calls listeners on signals that must not end the process, where the platform has them. */
function listenOn(listeners: Partial<Record<NodeJS.Signals, () => Promise<void>>>): () => void {
  if (process.platform === "win32") return () => undefined;
  const entries = Object.entries(listeners).map(
    ([name, listener]) => [name, () => void listener()] as const,
  );
  for (const [name, listener] of entries) process.on(name, listener);
  return () => {
    for (const [name, listener] of entries) process.off(name, listener);
  };
}

async function runServerCheck(
  { plan, inFile, layers }: Configured,
  file: LoadedParts,
  { env, streams, errors, version }: RunSurroundings,
): Promise<number> {
  const write = (text: string): void => void streams.stdout.write(text);
  for (const path of inFile?.paths ?? []) write(`Configuration: ${path}\n`);
  for (const name of strayVariables(env)) write(`There is no environment variable ${name}\n`);
  write(settingsInEffect(layers));
  // Throws what would keep the proxy from starting.
  const { createGate } = await import("../gate/index.ts");
  createGate(toGateOptions(plan.settings, inFile?.options ?? {}, () => undefined, file));
  const { checkServer, checkStore } = await import("./check-server.ts");
  write(await checkStore(plan.settings));
  return checkServer(plan, inFile?.options ?? {}, { version, write, writeError: errors.write });
}

function logFiles({ paths }: FileSettings, log: Log): void {
  for (const file of paths) log.info("The configuration was read", { file });
}

async function openMetricsOf(
  { settings }: Plan,
  log: Log,
  { droppedLines }: ErrorOutput,
  version: string,
): Promise<Metrics | undefined> {
  const { "metrics-file": file, "metrics-port": port } = settings;
  if (file === undefined && port === undefined) return undefined;
  const { openMetrics } = await import("./metrics.ts");
  return openMetrics({
    file,
    port,
    host: settings["metrics-host"],
    allowHosts: settings["allow-host"],
    version,
    droppedLines,
    lostLines: log.lostLines,
    onListening: (url) => {
      log.info(`Metrics are at ${url}`);
    },
    onUnwritten: log.warn,
  });
}

async function openSpansOf({ settings }: Plan, version: string): Promise<Spans | undefined> {
  if (settings.otlp === undefined) return undefined;
  const { openSpans } = await import("./otlp.ts");
  return openSpans(settings.otlp, version);
}

const STOPPING = "the proxy is stopping";

async function whyNotReady(plan: Plan): Promise<string | undefined> {
  if (plan.run === "stdio") return undefined;
  const { probe } = await import("../http/index.ts");
  const code = await probe(plan.upstream);
  return code === undefined ? undefined : `the MCP server cannot be reached (${code})`;
}

/** The gate's options; the validators, the slow part of starting, are loaded while the server starts. */
function gateOptions({ plan, inFile }: Configured, log: Log, loaded: LoadedParts): GateOptions {
  const { settings } = plan;
  const { mode } = settings;
  let isFirst = true;
  const onToolList = (tools: number): void => {
    if (isFirst) log.info("Tool calls are validated", { tools, mode });
    isFirst = false;
  };
  return {
    ...toGateOptions(settings, inFile?.options ?? {}, log.contract, loaded),
    onToolList,
  };
}

/** The server's name without credentials, which arguments and URLs may hold. */
function serverOf(plan: Plan): string {
  if (plan.run === "stdio") return nameOfCommand(plan);
  return `${plan.upstream.origin}${plan.upstream.pathname}`;
}
