import { FORMAT_VERSION } from "../shared/index.ts";
import { type CallOutcome, countsOf, createToolLabels } from "./metrics.ts";

type Attributes = Readonly<Record<string, string>>;

interface Counter {
  add(value: number, attributes: Attributes): void;
}

/**
 * The part of `@opentelemetry/api` that the contract uses; pass the module itself.
 *
 * @remarks Register the SDK before the first call: counters created earlier record nothing.
 */
export interface TelemetryApi {
  /** Creates counters. */
  readonly metrics?: {
    /** Returns the meter of this library. */
    getMeter(
      name: string,
      version: string,
    ): {
      createCounter(name: string, options: { description: string; unit: string }): Counter;
    };
  };
  /** Finds the active span. */
  readonly trace?: {
    /** Returns the span in which the call is handled. */
    getActiveSpan(): { addEvent(name: string, attributes: Attributes): unknown } | undefined;
  };
}

/** Reports decided calls to OpenTelemetry. */
export interface Telemetry {
  record(call: CallOutcome): void;
}

/** Creates a reporter that counts every call and adds an event to the active span for those that did not run. */
export function createTelemetry(api: TelemetryApi): Telemetry {
  const countedName = createToolLabels();
  let counters: ReturnType<typeof createCounters> | undefined;
  return {
    record: (call) => {
      counters ??= createCounters(api);
      const name = countedName(call.toolName);
      const lane = laneOf(call);
      counters.calls?.add(1, { "gen_ai.tool.name": name, outcome: call.outcome, ...lane });
      for (const [code, count] of countsOf(call)) {
        counters.errors?.add(count, { "gen_ai.tool.name": name, code, ...lane });
      }
      if (call.outcome !== "admitted") markActiveSpan(api, call);
    },
  };
}

function createCounters({ metrics }: TelemetryApi): { calls?: Counter; errors?: Counter } {
  if (metrics === undefined) return {};
  const meter = metrics.getMeter("toolcontract", FORMAT_VERSION);
  return {
    calls: meter.createCounter("toolcontract.calls", {
      description: "Tool calls by outcome",
      unit: "{call}",
    }),
    errors: meter.createCounter("toolcontract.errors", {
      description: "Validation errors by code",
      unit: "{error}",
    }),
  };
}

// Attribute names of the GenAI semantic conventions for tool execution.
function markActiveSpan(api: TelemetryApi, call: CallOutcome): void {
  api.trace?.getActiveSpan()?.addEvent("execute_tool", {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": call.toolName,
    "gen_ai.tool.call.id": call.toolCallId,
    "error.type": call.codes[0] ?? call.outcome,
    outcome: call.outcome,
    ...laneOf(call),
  });
}

/** Validation is the lane of all calls before there were others, so it has no attribute. */
function laneOf({ lane }: CallOutcome): Attributes {
  return lane === undefined || lane === "validation" ? {} : { lane };
}
