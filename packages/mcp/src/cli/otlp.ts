import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TelemetryApi } from "@toolcontract/core";
import { UsageError } from "./failure.ts";
import { isMissingModule } from "./load-peer.ts";

/** Spans on their way to a collector. */
export interface Spans {
  /** The parts of the gate's option `telemetry` for traces. */
  readonly telemetry: Pick<TelemetryApi, "trace" | "context">;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

const NAME = "toolcontract-mcp";
const PATH = "v1/traces";
/** How long the end of the proxy waits for the collector. */
const CLOSE_MS = 2_000;

/**
 * Sends spans to a collector by OTLP over HTTP, with OpenTelemetry's SDK. The standard variables apply, such as
 * `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_EXPORTER_OTLP_HEADERS`.
 *
 * @param base - The collector's URL, without the path of traces.
 * @throws UsageError if the SDK is not installed.
 */
export async function openSpans(base: string, version: string): Promise<Spans> {
  const { api, contexts, exporter, resources, sdk } = await loadSdk();
  const url = new URL(PATH, base.endsWith("/") ? base : `${base}/`).href;
  const { OTEL_SERVICE_NAME: name } = process.env;
  const resource = resources
    .resourceFromAttributes({ "service.name": NAME, "service.version": version })
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
    .merge(resources.resourceFromAttributes(name ? { "service.name": name } : {}));
  const provider = new sdk.TracerProvider({
    resource,
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter({ url }) }),
    ],
  });
  api.context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  api.trace.setGlobalTracerProvider(provider);
  return {
    telemetry: { trace: api.trace, context: api.context },
    async close() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_MS)));
      // A collector that is away must not keep the proxy.
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

// No peers of this package: npm refuses a project that has another major of one, although only --otlp loads them.
export const OTLP_PACKAGES = [
  "@opentelemetry/api",
  "@opentelemetry/context-async-hooks",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
  "@opentelemetry/sdk-trace",
] as const;

type Sdk = readonly [
  api: typeof import("@opentelemetry/api"),
  contexts: typeof import("@opentelemetry/context-async-hooks"),
  exporter: typeof import("@opentelemetry/exporter-trace-otlp-http"),
  resources: typeof import("@opentelemetry/resources"),
  sdk: typeof import("@opentelemetry/sdk-trace"),
];

async function loadSdk() {
  try {
    const loaded: unknown = await Promise.all(OTLP_PACKAGES.map(importBeside));
    const [api, contexts, exporter, resources, sdk] = loaded as Sdk;
    return { api, contexts, exporter, resources, sdk };
  } catch (thrown) {
    if (!isMissingModule(thrown)) throw thrown;
    throw new UsageError(
      `--otlp needs OpenTelemetry's packages, in version 3, beside this one: npm install ${OTLP_PACKAGES.join(" ")}`,
    );
  }
}

/** Loads a package from beside this one or, as strict installers show a package only its own, from the working directory. */
async function importBeside(name: string): Promise<unknown> {
  try {
    return (await import(name)) as unknown;
  } catch (thrown) {
    if (!isMissingModule(thrown)) throw thrown;
    const path = createRequire(join(process.cwd(), "package.json")).resolve(name);
    return (await import(pathToFileURL(path).href)) as unknown;
  }
}
