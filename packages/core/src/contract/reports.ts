import type { Reporter } from "../observe/index.ts";
import { ToolContractError } from "@toolcontract/explain";
import type { Sanitizer } from "@toolcontract/explain/adapter";
import type { ExecutionStage, StageReports } from "../shared/index.ts";

const MAX_LENGTH = 300;

/** Creates what a contract's stage reports with. */
export function createReports(
  stage: ExecutionStage | undefined,
  sanitizer: Sanitizer,
  { report }: Reporter,
): StageReports {
  const events: readonly string[] = stage?.events ?? [];
  return {
    emit(event, payload) {
      if (!events.includes(event)) {
        throw new ToolContractError(
          `Stage '${stage?.name}': emit() may be called with the names in its \`events\`: ${events.join(", ") || "none"}.`,
        );
      }
      report({ kind: "emitted", event, payload });
    },
    log: (fields, message) => report({ kind: "noted", fields, message }),
    sanitize: (text, maxLength = MAX_LENGTH) => sanitizer.text(text, { maxLength, paths: true }),
  };
}
