import { ToolContractError, type ValidationError } from "@toolcontract/explain";
import { TrackerTally } from "../attempts/index.ts";
import { isAnyObject } from "../kit/index.ts";
import { ANSWER, type Escalation } from "../message/index.ts";
import type { ToolCall, ToolDefinition } from "../shared/index.ts";
import { checkCall } from "./check.ts";
import type { CallContext } from "./context.ts";
import type { CheckResult, InvalidArguments, Refused } from "./decision.ts";
import { observeCall } from "./observe.ts";
import { CallRecord, type CallServices, recordSuccess } from "./record.ts";
import { refuseCall } from "./refuse.ts";

/** What the host knows about a final answer, and what it must be: a JSON Schema, or a validator such as a zod schema. */
export interface AnswerContext
  extends
    Pick<CallContext, "conversationId" | "runId" | "turnId" | "finishReason">,
    Pick<CallContext, "correlationId" | "signal" | "knowsRun" | "knowsConversation"> {
  /** The JSON Schema of the answer, or a Standard Schema. */
  readonly schema?: object;
  /** The Standard Schema of the answer, such as a zod schema. */
  readonly validator?: ToolDefinition["validator"];
  /**
   * How many answers may be wrong.
   *
   * @default the contract's `maxAttempts`
   */
  readonly maxAttempts?: number;
}

/** What a contract says about a final answer. */
export type Answered<TOutput = unknown> =
  | {
      /** It is what it must be. */
      readonly status: "valid";
      /** What the validator made of it. */
      readonly output: TOutput;
      /** The answer as it was sent, parsed and repaired. */
      readonly input: unknown;
      /** The number of this attempt, from 1. */
      readonly attempt: number;
    }
  | {
      /** The model should answer again. */
      readonly status: "rejected";
      /** What the model reads next. */
      readonly content: string;
      readonly errors: readonly ValidationError[];
      /** The number of this attempt, from 1. */
      readonly attempt: number;
      /** How many there are. */
      readonly maxAttempts: number;
    }
  | {
      /** Its attempts are spent. */
      readonly status: "blocked";
      /** What the model would read next. */
      readonly content: string;
      readonly escalation: Escalation;
      readonly errors: readonly ValidationError[];
      /** The number of this attempt, from 1. */
      readonly attempt: number;
      /** How many there are. */
      readonly maxAttempts: number;
    };

/** What it is counted under: no tool has an empty name. */
const KEY = "";
const DEFINITION = "(answer)";

const tools = new WeakMap<object, ToolDefinition>();

/** Judges a final answer as one more call of the model: it is parsed, checked, counted and reported like the arguments of a tool. */
export async function judgeAnswer(
  text: unknown,
  context: AnswerContext,
  services: CallServices,
): Promise<Answered> {
  const tool = toolOf(context);
  const { signal, finishReason } = context;
  signal?.throwIfAborted();
  const record = recordOfAnswer(text, tool, context, services);
  const { stage: _, ...plan } = services.planOf(tool);
  const isText = typeof text === "string" && isStringSchema(tool);
  const checked = await checkCall(text, plan, { finishReason, signal, isText }, true);
  signal?.throwIfAborted();
  return checked.status === "valid"
    ? admitAnswer(record, checked, isText)
    : refuseAnswer(record, checked);
}

async function admitAnswer(
  record: CallRecord,
  checked: Extract<CheckResult, { readonly status: "valid" }>,
  isText: boolean,
): Promise<Answered> {
  const { reported: call, services, tally } = record;
  const { repairs, output, input } = checked;
  if (repairs.length > 0) services.reporter.report({ kind: "repaired", call, repairs });
  const attempt = await tally.valid("validation");
  const isRepaired = !isText && repairs.length > 0;
  services.reporter.report({ kind: "admitted", call, checked, isRepaired });
  if (attempt > 1) await recordSuccess(record, attempt);
  return { status: "valid", output, input, attempt };
}

async function refuseAnswer(record: CallRecord, found: InvalidArguments): Promise<Answered> {
  const { options } = record.services;
  if (options.mode === "observe") {
    const { output, input, attempt } = await observeCall(record, found, {});
    return { status: "valid", output, input, attempt };
  }
  return toAnswered(await refuseCall(record, found));
}

function toAnswered(refused: Refused): Answered {
  const { result, errors, attempt, maxAttempts } = refused;
  const counts = { content: result.content, errors, attempt, maxAttempts };
  return refused.status === "blocked"
    ? { status: "blocked", ...counts, escalation: refused.escalation }
    : { status: "rejected", ...counts };
}

/** The record of an answer: shown as `answer`, and counted under a name that no tool has. */
function recordOfAnswer(
  text: unknown,
  tool: ToolDefinition,
  { schema: _schema, validator: _validator, maxAttempts, ...context }: AnswerContext,
  services: CallServices,
): CallRecord {
  const { conversationId, turnId = services.newTurnId() } = context;
  const call: ToolCall = { id: ANSWER, name: ANSWER, arguments: text };
  const turn = { ...context, turnId };
  const most = maxAttempts ?? services.options.maxAttempts;
  const limits = { stageLanes: [], of: () => most };
  const onFault = (thrown: unknown): void => services.onStoreFault(thrown, ANSWER);
  // A default conversation is everybody's, and a run is one user's.
  const { knowsConversation, runId } = context;
  const isShared = knowsConversation === false && runId !== undefined;
  const place = isShared ? JSON.stringify([conversationId, runId]) : conversationId;
  const counted = { conversationId: place, name: KEY, formerName: undefined, turn };
  const tally = new TrackerTally(services.trackerFor(most), counted, limits, onFault);
  return new CallRecord({ call, tool, isAnswer: true, name: KEY, context: turn, services }, tally);
}

function toolOf({ schema, validator, ...context }: AnswerContext): ToolDefinition {
  const { conversationId, maxAttempts } = context;
  if (typeof conversationId !== "string" || conversationId === "") {
    throw new ToolContractError(
      "contract.answer: `conversationId` is missing. Attempts are counted per conversation, so pass its id, such as { conversationId: thread.id }.",
    );
  }
  if (maxAttempts !== undefined && !(Number.isInteger(maxAttempts) && maxAttempts >= 1)) {
    throw new ToolContractError("contract.answer: `maxAttempts` must be a whole number from 1.");
  }
  const given = validator ?? schema;
  if (!isAnyObject(given) && typeof given !== "function") {
    throw new ToolContractError(
      "contract.answer: pass what the answer must be, as `schema` (a JSON Schema) or as `validator` (a Standard Schema, such as one of zod).",
    );
  }
  const known = tools.get(given);
  if (known) return known;
  const isStandard = validator !== undefined || "~standard" in given;
  const made: ToolDefinition = isStandard
    ? {
        name: DEFINITION,
        validator: given as NonNullable<ToolDefinition["validator"]>,
        ...(validator !== undefined && schema !== undefined && { inputSchema: schema as never }),
      }
    : { name: DEFINITION, inputSchema: given as never };
  tools.set(given, made);
  return made;
}

function isStringSchema({ inputSchema }: ToolDefinition): boolean {
  return isAnyObject(inputSchema) && "type" in inputSchema && inputSchema.type === "string";
}
