import type { Blocked, InvalidArguments, Rejected } from "./decision.ts";
import { hashCall, toAttemptErrors } from "../attempts/index.ts";
import {
  type AttemptRecord,
  type ToolCall,
  ToolContractError,
  type ValidationError,
} from "../shared/index.ts";
import { type CallServices, attemptsIn, countFrom, countedName } from "./progress.ts";
import { type CallContext, checkCallForm, checkToolOfCall } from "./context.ts";
import { type CodeCounts, skipEntry } from "../observe/index.ts";
import { cleanErrors } from "./host-errors.ts";
import { outcomeAt, refuse } from "./refuse.ts";
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
  call: ToolCall,
  errors: readonly ValidationError[],
  context: RejectContext,
  services: CallServices,
): Promise<Rejected | Blocked> {
  checkCallForm("reject", call);
  const startedAt = services.startTime();
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
  const { tool, history = [], conversationId = "", correlationId = conversationId } = context;
  const clean = await cleanErrors(errors, { call, tool }, services);
  const unknown = tool === undefined && clean.some(({ errorCode }) => errorCode === "VAL-012");
  const argumentsHash = hashCall(call, unknown);
  const totalErrors = Math.max(context.totalErrors ?? 0, errors.length);
  const failure = { argumentsHash, errors: toAttemptErrors(clean), totalErrors };
  const { lane = "validation", refusal, hidden } = context;
  const { undone } = refusal ?? {};
  const maxAttempts = attemptsIn(lane, services.options);
  const closes = refusal?.action === "stop";
  const counted = countFrom(context.attempt, history, failure, maxAttempts, closes);
  const outcome = counted.closed ? outcomeAt(counted.attempt, refusal, tool, services) : undefined;
  return refuse(
    {
      call,
      tool: tool ?? { name: call.name },
      label: countedName(tool),
      errors: clean,
      totalErrors,
      ...(hidden && { hidden }),
      ...(undone !== undefined && { undone }),
      ...(outcome && { outcome }),
      lane,
      hasRun: false,
      atLeast: context.atLeast ?? false,
      advisories: await cleanErrors(context.advisories ?? [], { call, tool }, services),
      argumentsHash,
      conversationId,
      correlationId,
      startedAt,
      repairs: [],
      ...counted,
    },
    services,
  );
}

/** Answers a call too many in its turn: it counts in no lane and does not run. */
export function skippedCall(
  call: ToolCall,
  { options, faults }: Pick<CallServices, "options" | "faults">,
): Rejected {
  const { maxAttempts, maxCallsPerTurn = 0 } = options;
  faults.log(skipEntry(maxCallsPerTurn));
  const result = skippedResult(call, maxCallsPerTurn);
  return { status: "rejected", result, errors: [], attempt: 0, maxAttempts };
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "object" && item !== null);
}
