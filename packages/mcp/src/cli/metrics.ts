import type { Gate } from "../gate/index.ts";
import { UsageError } from "./failure.ts";
import { toPrometheus } from "./prometheus.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { NotAFile, replaceFile } from "./replace-file.ts";
import { serveStatus, type WhyNotReady } from "./status-server.ts";

/** The counters of a gate. */
type CountingGate = Pick<Gate, "unvalidated" | "unread" | "invalidResults" | "limits">;

/** Publishes the counts of one run. */
export interface Metrics {
  /** The option `telemetry` of the gate. */
  readonly telemetry: Pick<Registry, "metrics">;
  /** Sets the gate whose counts are published; before that, nothing is published and the proxy is not ready. */
  readonly watch: (gate: CountingGate, whyNotReady: WhyNotReady) => void;
  readonly close: () => void;
}

/** Where metrics are published, if anywhere. */
export interface MetricsOptions {
  readonly file: string | undefined;
  readonly port: number | undefined;
  /** The address of the endpoint, and more names for it. */
  readonly host: string;
  readonly allowHosts: readonly string[];
  /** This package's version. */
  readonly version: string;
  /** How many lines of standard error nobody read. */
  readonly droppedLines: () => number;
  /** How many lines of the log file could not be written. */
  readonly lostLines: () => number;
  /** Called with the endpoint's URL when it is listening. */
  readonly onListening: (url: string) => void;
  /** Called if the file cannot be written after the start, once until it can again. */
  readonly onUnwritten: (reason: string) => void;
}

const RENEW_MS = 10_000;

/** Opens the file and the endpoint; throws a UsageError if one is not available. */
export async function openMetrics(options: MetricsOptions): Promise<Metrics> {
  const { file, port, host, allowHosts, version, onListening, onUnwritten } = options;
  const registry = createRegistry();
  let watched: CountingGate | undefined;
  let whyNotReady: WhyNotReady = async () => "the validators are loading";
  function text(): string {
    if (watched === undefined) return "";
    const { unvalidated, unread, invalidResults, limits } = watched;
    const droppedLines = options.droppedLines();
    return toPrometheus(registry.lines(), {
      version,
      unvalidated: unvalidated(),
      unread: unread(),
      invalidResults: invalidResults(),
      limits: limits(),
      droppedLines,
      lostLines: options.lostLines(),
    });
  }
  const save = (): void => {
    if (file !== undefined) saveText(file, text());
  };
  save();
  let isWritten = true;
  // A full disk must not end the proxy.
  const renew = (): void => {
    try {
      save();
      isWritten = true;
    } catch (thrown) {
      if (isWritten && thrown instanceof UsageError) onUnwritten(thrown.message);
      isWritten = false;
    }
  };
  const timer = file === undefined ? undefined : setInterval(renew, RENEW_MS).unref();
  const server =
    port === undefined
      ? undefined
      : await serveStatus({ host, port, allowHosts }, text, async () => whyNotReady());
  const address = server?.address();
  if (typeof address === "object" && address) {
    onListening(`http://${host.includes(":") ? `[${host}]` : host}:${address.port}/metrics`);
  }
  return {
    telemetry: registry,
    watch: (gate, why) => {
      watched = gate;
      whyNotReady = why;
    },
    close: () => {
      clearInterval(timer);
      server?.close();
      server?.closeAllConnections();
      renew();
    },
  };
}

function saveText(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (thrown) {
    throw new UsageError(
      thrown instanceof NotAFile
        ? `--metrics-file ${file} is ${thrown.message}, which is not replaced: choose the path of a file, or use --metrics-port`
        : "--metrics-file cannot be written: choose a file in a folder that exists and is writable",
    );
  }
}
