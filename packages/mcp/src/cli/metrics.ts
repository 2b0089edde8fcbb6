import { renameSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { CallCounts, Contract, MetricsSnapshot } from "@toolcontract/core";
import { UsageError } from "./failure.ts";

/** Publishes the counts of one run. */
export interface Metrics {
  /** Sets the contract whose counts are published; before that there are none. */
  readonly watch: (contract: Pick<Contract, "metrics">) => void;
  readonly close: () => void;
}

/** Where metrics are published, if anywhere. */
export interface MetricsOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  /** How many lines of standard error nobody read. */
  readonly droppedLines: () => number;
  /** Called with the endpoint's URL when it is listening. */
  readonly onListening: (url: string) => void;
}

const RENEW_MS = 10_000;

/** Opens the file and the endpoint; throws a UsageError if one is not available. */
export async function openMetrics(options: MetricsOptions): Promise<Metrics> {
  const { file, port, onListening } = options;
  let watched: Pick<Contract, "metrics"> | undefined;
  const text = (): string =>
    watched ? toPrometheus(watched.metrics(), options.droppedLines()) : "";
  const save = (): void => {
    if (file !== undefined) saveText(file, text());
  };
  save();
  const timer = file === undefined ? undefined : setInterval(quietly(save), RENEW_MS).unref();
  const server = port === undefined ? undefined : await serve(port, text);
  const address = server?.address();
  if (typeof address === "object" && address) {
    onListening(`http://127.0.0.1:${address.port}/metrics`);
  }
  return {
    watch: (contract) => {
      watched = contract;
    },
    close: () => {
      clearInterval(timer);
      server?.close();
      server?.closeAllConnections();
      quietly(save)();
    },
  };
}

/** Writes a temporary file and renames it, so that a reader never sees half a file. */
function saveText(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${process.pid}.tmp`, text);
    renameSync(`${file}.${process.pid}.tmp`, file);
  } catch {
    throw new UsageError(
      "--metrics-file cannot be written: choose a file in a folder that exists and is writable",
    );
  }
}

function quietly(step: () => void): () => void {
  return () => {
    try {
      step();
    } catch {
      // A full disk must not end the proxy.
    }
  };
}

async function serve(port: number, text: () => string): Promise<Server> {
  const server = createServer((request, response) => {
    const isKnown = request.method === "GET" && request.url === "/metrics";
    response.writeHead(isKnown ? 200 : 404, { "content-type": "text/plain; version=0.0.4" });
    response.end(isKnown ? text() : "");
  });
  return new Promise((resolve, reject) => {
    server.once("error", () => {
      reject(new UsageError(`--metrics-port ${port} is not available: choose another one, or 0`));
    });
    server.listen(port, "127.0.0.1", () => {
      // The endpoint alone must not keep the process alive.
      server.unref();
      resolve(server);
    });
  });
}

const OUTCOMES = ["admitted", "rejected", "blocked"] as const;

/** Formats counts as Prometheus text. */
export function toPrometheus({ byTool, byCode }: MetricsSnapshot, droppedLines: number): string {
  const tools = Object.entries(byTool);
  return [
    "# HELP toolcontract_calls_total Tool calls by outcome.",
    "# TYPE toolcontract_calls_total counter",
    ...tools.flatMap(([tool, counts]) => callLines(tool, counts)),
    "# HELP toolcontract_repaired_calls_total Tool calls whose JSON text was repaired.",
    "# TYPE toolcontract_repaired_calls_total counter",
    ...tools.map(
      ([tool, { repaired }]) =>
        `toolcontract_repaired_calls_total{tool=${label(tool)}} ${repaired}`,
    ),
    "# HELP toolcontract_errors_total Faults in tool calls by error code.",
    "# TYPE toolcontract_errors_total counter",
    ...Object.entries(byCode).map(
      ([code, count]) => `toolcontract_errors_total{code=${label(code)}} ${count}`,
    ),
    "# HELP toolcontract_dropped_log_lines_total Lines of standard error that nobody read.",
    "# TYPE toolcontract_dropped_log_lines_total counter",
    `toolcontract_dropped_log_lines_total ${droppedLines}`,
    "",
  ].join("\n");
}

function callLines(tool: string, counts: CallCounts): readonly string[] {
  return OUTCOMES.map(
    (outcome) =>
      `toolcontract_calls_total{tool=${label(tool)},outcome="${outcome}"} ${counts[outcome]}`,
  );
}

function label(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `"${escaped}"`;
}
