import { renameSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { CallCounts, Contract, MetricsSnapshot } from "@toolcontract/core";
import { UsageError } from "./failure.ts";

/** Where the counts of one run are told. */
export interface Metrics {
  /** Names the contract whose counts they are; before that there are none. */
  readonly watch: (contract: Pick<Contract, "metrics">) => void;
  readonly close: () => void;
}

/** Where metrics go: nowhere, unless it is said. */
export interface MetricsOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  /** Told the endpoint's URL once it listens. */
  readonly onListening: (url: string) => void;
}

const RENEW_MS = 10_000;

/** Opens the file and the endpoint; throws a UsageError where one cannot be had. */
export async function openMetrics({ file, port, onListening }: MetricsOptions): Promise<Metrics> {
  let watched: Pick<Contract, "metrics"> | undefined;
  const text = (): string => (watched ? toPrometheus(watched.metrics()) : "");
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

/** Written beside it and renamed, so that a reader never sees half a file. */
function saveText(file: string, text: string): void {
  try {
    writeFileSync(`${file}.${process.pid}.tmp`, text);
    renameSync(`${file}.${process.pid}.tmp`, file);
  } catch {
    throw new UsageError(
      "--metrics-file cannot be written: name a file in a folder that exists and is yours",
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
      reject(new UsageError(`--metrics-port ${port} cannot be used: choose a free one, or 0`));
    });
    server.listen(port, "127.0.0.1", () => {
      // A proxy that has nothing else to do may end.
      server.unref();
      resolve(server);
    });
  });
}

const OUTCOMES = ["admitted", "rejected", "blocked"] as const;

/** Writes counts in the text format of Prometheus. */
export function toPrometheus({ byTool, byCode }: MetricsSnapshot): string {
  const tools = Object.entries(byTool);
  return [
    "# HELP toolcontract_calls_total Tool calls by what became of them.",
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
