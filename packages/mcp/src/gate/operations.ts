import type { TelemetryApi } from "@toolcontract/core";
import { ATTRIBUTES, type MetricName } from "@toolcontract/core/adapter";
import { isRecord, type LostCall, type Message } from "../wire/index.ts";

/** The client has cancelled the call or is gone. */
export const CANCELLED = "cancelled";
/** The time of the call was over. */
export const TIMED_OUT = "timeout";

const METHOD = "mcp.method.name";
const TRANSPORT = "network.transport";
const MAX_NAMES = 1_000;

/** A call that has ended. */
interface Operation {
  /** Its name; undefined if the server does not list it. */
  readonly tool: string | undefined;
  /** What the connection is made of. */
  readonly transport: "pipe" | "tcp" | undefined;
  /** The class of the error that the client got, if it got one. */
  readonly error: string | undefined;
}

/** How long a tool call takes, from the client's request to the answer. */
const OPERATION_DURATION: MetricName & { readonly buckets: readonly number[] } = {
  name: "mcp.server.operation.duration",
  kind: "histogram",
  unit: "s",
  description: "Time from a client's tool call to its answer",
  attributes: [METHOD, ATTRIBUTES.tool, ATTRIBUTES.errorType, TRANSPORT],
  buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
};

/** Measures tool calls. */
export interface Operations {
  /** Begins a call; returns what records its end. */
  readonly begin: () => (operation: Operation) => void;
}

/** Creates the measure; undefined if nobody reads it. What the host's meter throws goes to `onFault`. */
export function createOperations(
  telemetry: TelemetryApi | undefined,
  onFault: (thrown: unknown) => void,
): Operations | undefined {
  const { name, buckets, ...about } = OPERATION_DURATION;
  const meter = telemetry?.metrics?.getMeter("toolcontract.mcp", "", { schemaUrl: "" });
  const histogram = meter?.createHistogram?.(name, {
    description: about.description,
    unit: about.unit,
    advice: { explicitBucketBoundaries: [...buckets] },
  });
  if (histogram === undefined) return undefined;
  const names = new Set<string>();

  /** Servers list what they like, and each name costs memory in every backend. */
  function labelOf(tool: string | undefined): string {
    if (tool === undefined) return "(unknown)";
    if (!names.has(tool) && names.size === MAX_NAMES) return "(other)";
    names.add(tool);
    return tool;
  }
  return {
    begin() {
      const startedAt = performance.now();
      return ({ tool, transport, error }) => {
        const attributes = {
          [METHOD]: "tools/call",
          [ATTRIBUTES.tool]: labelOf(tool),
          ...(error !== undefined && { [ATTRIBUTES.errorType]: error }),
          ...(transport !== undefined && { [TRANSPORT]: transport }),
        };
        try {
          histogram.record((performance.now() - startedAt) / 1000, attributes);
        } catch (thrown) {
          onFault(thrown);
        }
      };
    },
  };
}

/** The class of the error in an answer. */
export function errorTypeOf({ result, error }: Message): string | undefined {
  if (isRecord(error)) return String(Number(error["code"]));
  return isRecord(result) && result["isError"] === true ? "tool_error" : undefined;
}

/** How a call ended that got no answer of the server. */
export function errorTypeOfLost(lost: LostCall): string {
  switch (lost.kind) {
    case "not-sent":
      return "unreachable";
    case "refused":
    case "no-message":
      return `http_${lost.status}`;
    case "unanswered":
      return UNANSWERED[lost.how];
  }
}

const UNANSWERED = {
  connection: "connection_lost",
  body: "connection_lost",
  stream: "connection_lost",
  ended: "connection_lost",
  client: CANCELLED,
  stopped: "stopped",
  time: TIMED_OUT,
} as const;
