import { NO_ATTEMPTS } from "../attempts/index.ts";
import type { InvalidArguments, Rejected, Refused } from "./decision.ts";
import type { AttemptRecord, CodeCounts, ToolCall } from "../shared/index.ts";
import { ToolContractError, type ValidationError } from "@toolcontract/explain";
import { type CallContext, checkToolOfCall } from "./context.ts";
import { cleanErrors } from "./host-errors.ts";
import { type GivenCall, readGiven } from "./read-given.ts";
import { CallRecord, type CallServices, recordOf } from "./record.ts";
import { refuseCall } from "./refuse.ts";
import { skippedResult } from "./result.ts";

/** What a host that counts attempts itself knows about an invalid call. */
export interface RejectContext
  extends
    Partial<Pick<CallContext, "conversationId" | "correlationId" | "tool">>,
    Pick<InvalidArguments, "lane" | "refusal"> {
  /** The number of this attempt, starting at 1; above `maxAttempts`, the tool was blocked before. */
  readonly attempt: number;
  /** The attempts before this one, as returned by countAttempts. */
  readonly history?: readonly AttemptRecord[];
  /** The total number of errors, if `errors` holds only the first ones. */
  readonly totalErrors?: number;
  /** True if there may be more errors than `totalErrors`. */
  readonly atLeast?: boolean;
  /** How many errors of each code are not in `errors`, as check() returns them. */
  readonly hidden?: CodeCounts;
  /** Warnings and remarks to show beside the errors. */
  readonly advisories?: readonly ValidationError[];
}

/** Answers a call whose errors and attempt the host already knows. */
export async function rejectErrors(
  given: GivenCall,
  errors: readonly ValidationError[],
  context: RejectContext,
  services: CallServices,
): Promise<Refused> {
  const call = readGiven("reject", given);
  if (!Number.isInteger(context?.attempt) || context.attempt < 1) {
    throw new ToolContractError(
      "contract.reject: `attempt` must be the number of this attempt, starting at 1, such as countAttempts(…).failed + 1.",
    );
  }
  if (!isListOfObjects(errors) || errors.length === 0) {
    throw new ToolContractError(
      "contract.reject: `errors` must be a non-empty array of errors, such as those of contract.check().",
    );
  }
  if (context.history !== undefined && !isListOfObjects(context.history)) {
    throw new ToolContractError(
      "contract.reject: `history` must be an array of attempts, such as countAttempts(…).history.",
    );
  }
  checkToolOfCall("reject", call, context.tool);
  const { tool, attempt, history = [], conversationId = "", correlationId } = context;
  const { lane = "validation", refusal, hidden, atLeast = false } = context;
  const counted = { ...NO_ATTEMPTS, failed: attempt - 1, history };
  const attempts = { ...counted, lanes: { [lane]: counted } };
  // A turn of its own: the host knows which call was the first to spend the attempts.
  const turnId = services.newTurnId();
  const named = { ...(tool && { tool }), ...(correlationId !== undefined && { correlationId }) };
  const record = recordOf(call, { conversationId, turnId, attempts, ...named }, services);
  const clean = await cleanErrors(errors, record);
  const isUnknown = tool === undefined && clean.some(({ errorCode }) => errorCode === "VAL-012");
  const found: InvalidArguments = {
    status: "invalid",
    lane,
    ...(refusal && { refusal: withoutNotice(refusal) }),
    errors: clean,
    totalErrors: Math.max(context.totalErrors ?? 0, errors.length),
    atLeast,
    ...(hidden && { hidden }),
    advisories: await cleanErrors(context.advisories ?? [], record),
    repairs: [],
  };
  if (isUnknown) return refuseCall(record, found);
  const { name, context: where, tally } = record;
  const known = { call, tool: tool ?? { name: call.name }, name, context: where, services };
  return refuseCall(new CallRecord(known, tally), found);
}

/** A refusal whose stage is not told of the attempt. */
export function withoutNotice(refusal: Refusal): Refusal {
  const { onCounted: _, ...rest } = refusal;
  return rest;
}

type Refusal = NonNullable<InvalidArguments["refusal"]>;

/** Answers a call too many in its turn: it counts in no lane and does not run. */
export function skippedCall(
  call: ToolCall,
  { options, reporter }: Pick<CallServices, "options" | "reporter">,
): Rejected {
  const { mode, maxAttempts, maxCallsPerTurn = 0 } = options;
  reporter.report({ kind: "skipped", limit: maxCallsPerTurn, isObserved: mode === "observe" });
  const result = skippedResult(call, maxCallsPerTurn);
  return { status: "rejected", result, errors: [], attempt: 0, maxAttempts };
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
}
