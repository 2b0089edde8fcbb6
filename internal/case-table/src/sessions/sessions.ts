import { abortCases } from "./cases/aborts.ts";
import { budgetCases } from "./cases/budgets.ts";
import { contextCases } from "./cases/context.ts";
import { contextTurnCases } from "./cases/context-turns.ts";
import { emptyReplyCases } from "./cases/empty-replies.ts";
import { outputCases } from "./cases/outputs.ts";
import { providerCases } from "./cases/providers.ts";
import { rateLimitCases } from "./cases/rate-limits.ts";
import { reportCases } from "./cases/reports.ts";
import { resultCases } from "./cases/results.ts";
import { stallCases } from "./cases/stalls.ts";
import { streamCases } from "./cases/streams.ts";
import { toolCases } from "./cases/tools.ts";
import { truncationCases } from "./cases/truncations.ts";
import { turnCases } from "./cases/turns.ts";
import { xmlCases } from "./cases/xml.ts";
import { xmlMissingCases } from "./cases/xml-missing.ts";
import type { SessionCase } from "./session-case.ts";

/** The table by theme, each in a file of its own. */
export const SESSION_THEMES: Readonly<Record<string, readonly SessionCase[]>> = {
  turns: turnCases,
  providers: providerCases,
  "rate-limits": rateLimitCases,
  stalls: stallCases,
  truncations: truncationCases,
  budgets: budgetCases,
  streams: streamCases,
  tools: toolCases,
  outputs: outputCases,
  context: contextCases,
  "context-turns": contextTurnCases,
  "empty-replies": emptyReplyCases,
  reports: reportCases,
  results: resultCases,
  aborts: abortCases,
  xml: xmlCases,
  "xml-missing": xmlMissingCases,
};

/** The table: every session of an adapter runs it unchanged. */
export const SESSIONS: readonly SessionCase[] = Object.values(SESSION_THEMES).flat();
