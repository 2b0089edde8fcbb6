import { type FormatOptions, type RejectionContent, formatRejection } from "../message/index.ts";
import type { StageReports } from "../shared/index.ts";
import type { ContractServices } from "./services.ts";

/** What another package of a contract writes with, so that none has its own masking or header. */
export interface Author extends Pick<StageReports, "sanitize"> {
  /** Writes a message in the contract's frame; its strings must be sanitized. */
  writeFrame(content: RejectionContent, options?: Partial<FormatOptions>): string;
}

/** Creates the tools of a contract's authors. */
export function createAuthor({ options, reports }: ContractServices): Author {
  return {
    sanitize: (text, maxLength) => reports.sanitize(text, maxLength),
    writeFrame: (content, format) => formatRejection(content, { ...options.format, ...format }),
  };
}
