import type { Faults } from "./faults.ts";

/** How faults in the host's OpenTelemetry are handled: a part that fails does not affect the others. */
export interface TelemetryHost {
  /** Runs a task of one part; what it throws or rejects with is reported. */
  guard(task: () => unknown): void;
  /** Creates a part; `otherwise` if that throws, which is reported. */
  part<T>(create: () => T, otherwise: T): T;
  /** Reports a member that an older API lacks. */
  missing(member: string): void;
  /** Reports what was held back: a fault is counted too, by what was still being created. */
  release(): void;
}

/** Reports faults under the stage `telemetry`, once all parts are there. */
export function createTelemetryHost({ fault, guard }: Faults): TelemetryHost {
  let held: (() => void)[] | undefined = [];

  function reportLater(stage: string, thrown: unknown): void {
    if (held) held.push(() => fault(stage, thrown));
    else fault(stage, thrown);
  }

  return {
    guard: (task) => guard("telemetry", task),
    part(create, otherwise) {
      try {
        return create();
      } catch (thrown) {
        reportLater("telemetry", thrown);
        return otherwise;
      }
    },
    missing: (member) => reportLater(`telemetry: no ${member}`, new TypeError()),
    release() {
      const reports = held ?? [];
      held = undefined;
      for (const send of reports) send();
    },
  };
}
