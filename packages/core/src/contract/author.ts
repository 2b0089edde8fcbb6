import type { CallOutcome, ContractEventMap } from "../observe/index.ts";
import { type FormatOptions, type RejectionContent, formatRejection } from "../message/index.ts";
import type { StageReports } from "../shared/index.ts";
import type { ContractServices } from "./services.ts";

/** What another package of a contract writes with, so that none has its own masking, header or counters. */
export interface Author extends Pick<StageReports, "sanitize" | "log"> {
  /** Writes a message in the contract's frame; its strings must be sanitized. */
  writeFrame(content: RejectionContent, options?: Partial<FormatOptions>): string;
  /** Counts a call in the contract's metrics and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Emits an event; the payload is created only if somebody listens. */
  emit<Name extends keyof ContractEventMap>(
    event: Name,
    payload: () => ContractEventMap[Name],
  ): void;
}

/** Creates the tools of a contract's authors. */
export function createAuthor(services: ContractServices): Author {
  const { options, faults, reports } = services;
  return {
    ...reports,
    writeFrame: (content, format) => formatRejection(content, { ...options.format, ...format }),
    record: (outcome) => services.record(outcome),
    emit: (event, payload) => faults.events.emit(event, payload),
  };
}
