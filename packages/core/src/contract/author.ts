import type { CallOutcome, ContractEventMap, PackageLogFields } from "../observe/index.ts";
import { type FormatOptions, type RejectionContent, formatRejection } from "../message/index.ts";
import type { ContractServices } from "./services.ts";

const MAX_LENGTH = 300;

/** What another package of a contract writes with, so that none has its own masking, header or counters. */
export interface Author {
  /**
   * Masks secrets in a string, shortens its paths, escapes it and cuts it.
   *
   * @param maxLength - The longest result, in UTF-16 code units; 300 by default.
   */
  sanitize(text: string, maxLength?: number): string;
  /** Writes a message in the contract's frame; its strings must be sanitized. */
  writeFrame(content: RejectionContent, options?: Partial<FormatOptions>): string;
  /** Counts a call in the contract's metrics and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Emits an event; the payload is created only if somebody listens. */
  emit<Name extends keyof ContractEventMap>(
    event: Name,
    payload: () => ContractEventMap[Name],
  ): void;
  /** Writes to the contract's logger; the fields must hold no value that a model sent. */
  log(fields: PackageLogFields, message: string): void;
}

/** Creates the tools of a contract's authors. */
export function createAuthor(services: ContractServices): Author {
  const { options, sanitizer, faults } = services;
  return {
    sanitize: (text, maxLength = MAX_LENGTH) => sanitizer.text(text, { maxLength, paths: true }),
    writeFrame: (content, format) => formatRejection(content, { ...options.format, ...format }),
    record: (outcome) => services.record(outcome),
    emit: (event, payload) => faults.events.emit(event, payload),
    log: (fields, message) => faults.log({ fields, message }),
  };
}
