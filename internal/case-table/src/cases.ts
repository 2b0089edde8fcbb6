import { afterEscalationCases } from "./cases/after-escalation.ts";
import { attemptCases } from "./cases/attempts.ts";
import { codeCases } from "./cases/codes.ts";
import { costlyCheckCases } from "./cases/costly-checks.ts";
import { combinedFieldCases } from "./cases/combined-fields.ts";
import { cutOutputCases } from "./cases/cut-output.ts";
import { escalationCases } from "./cases/escalation.ts";
import { guardrailCases } from "./cases/guardrails.ts";
import { jsonTextCases } from "./cases/json-text.ts";
import { limitCodeCases } from "./cases/limit-codes.ts";
import { longValueCases } from "./cases/long-values.ts";
import { manyErrorCases } from "./cases/many-errors.ts";
import { nearMissCases } from "./cases/near-misses.ts";
import { resetCases } from "./cases/resets.ts";
import { lateScenarioCases } from "./cases/scenarios-four-to-six.ts";
import { scenarioCases } from "./cases/scenarios-one-to-three.ts";
import { secretCases } from "./cases/secrets.ts";
import { serverCases } from "./cases/servers.ts";
import { severalFaultCases } from "./cases/several-faults.ts";
import { stageCases, turnLimitCases } from "./cases/stages.ts";
import { unionCases } from "./cases/unions.ts";
import { unknownFieldCases } from "./cases/unknown-fields.ts";
import { unknownToolCases } from "./cases/unknown-tools.ts";
import type { ConformanceCase } from "./conformance-case.ts";

// Imported by other processes too, so nothing of vitest may be loaded here.

/** The table by theme, each in a file of its own. */
export const CASE_THEMES: Readonly<Record<string, readonly ConformanceCase[]>> = {
  "scenarios-one-to-three": scenarioCases,
  "scenarios-four-to-six": lateScenarioCases,
  codes: codeCases,
  "limit-codes": limitCodeCases,
  "combined-fields": combinedFieldCases,
  "several-faults": severalFaultCases,
  "near-misses": nearMissCases,
  "unknown-fields": unknownFieldCases,
  unions: unionCases,
  servers: serverCases,
  "json-text": jsonTextCases,
  "cut-output": cutOutputCases,
  "unknown-tools": unknownToolCases,
  secrets: secretCases,
  "long-values": longValueCases,
  "many-errors": manyErrorCases,
  "costly-checks": costlyCheckCases,
  attempts: attemptCases,
  resets: resetCases,
  escalation: escalationCases,
  "after-escalation": afterEscalationCases,
  stages: [...stageCases, ...turnLimitCases],
  guardrails: guardrailCases,
};

/** The table: every adapter runs it unchanged. */
export const CASES: readonly ConformanceCase[] = Object.values(CASE_THEMES).flat();
