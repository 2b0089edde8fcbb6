import type { Faults } from "./events.ts";
import { type Telemetry, createTelemetry } from "./telemetry.ts";
import type { TelemetryOptions } from "./telemetry-api.ts";

/** Creates a reporter that cannot break a call: what OpenTelemetry throws is reported as a fault. */
export function createSafeTelemetry(
  options: TelemetryOptions,
  faults: Pick<Faults, "report" | "guard">,
): Telemetry {
  const telemetry = createTelemetry(options, faults);
  const guard = (task: () => void): void => faults.guard("telemetry", task);
  return {
    record: (call) => guard(() => telemetry.record(call)),
    recovered: (call) => guard(() => telemetry.recovered(call)),
    degraded(fault, isFirst) {
      // Counting a fault of OpenTelemetry may fail in the same way, at once or later.
      if (fault.stage === "telemetry" && !isFirst) return;
      guard(() => telemetry.degraded(fault, isFirst));
    },
    checked: (seconds) => guard(() => telemetry.checked(seconds)),
    stored: (result, seconds) => guard(() => telemetry.stored(result, seconds)),
  };
}
