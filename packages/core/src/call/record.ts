import {
  type Limits,
  type Tally,
  type Tracker,
  UNKNOWN_TOOL,
  historyTally,
  trackerTally,
} from "../attempts/index.ts";
import {
  type CallEvent,
  type CallOutcome,
  type Faults,
  type RecoveredCall,
  recoveryEntry,
} from "../observe/index.ts";
import { type Sanitizer, quoteDeclaredName, quoteName, all } from "@toolcontract/explain/adapter";
import type { Lane, StageReports, ToolCall, ToolDefinition } from "../shared/index.ts";
import { type CallContext, findTool } from "./context.ts";
import type { Admitted } from "./decision.ts";
import type { CallOptions } from "./options.ts";
import type { ToolPlan } from "./validate.ts";

/** What the calls of one contract share. */
export interface CallServices {
  readonly options: CallOptions;
  readonly limits: Limits;
  readonly sanitizer: Sanitizer;
  readonly faults: Faults;
  /** What the stage reports with. */
  readonly reports: StageReports;
  readonly tracker: Tracker;
  /** Records a decided call in memory and in the host's telemetry. */
  record(outcome: CallOutcome): void;
  /** Counts a turn in which a call of the tool succeeded after failed attempts. */
  readonly recovered: (call: RecoveredCall) => void;
  /** The time at which a decision begins, by `performance.now()`; undefined without telemetry. */
  startTime(): number | undefined;
  /** Everything that checking a call of this tool needs. */
  readonly planOf: (tool: ToolDefinition) => ToolPlan;
  /** Shows the stage the called tool, and the host's table of tools if the context has one. */
  readonly checkTools: (tool: ToolDefinition, context: CallContext) => void;
  /** Creates a turn id that no other turn has. */
  readonly newTurnId: () => string;
  /** Returns true the first time it sees a key. */
  readonly isFirst: (key: string) => boolean;
}

/** One call: who called what and where, and what deciding, running and reporting it takes. */
export interface CallRecord {
  readonly call: ToolCall;
  /** The called tool; undefined if the host has none of that name. */
  readonly tool: ToolDefinition | undefined;
  /** The name under which the call is counted and logged: its own only if the host has such a tool. */
  readonly name: string;
  readonly context: CallContext & { readonly turnId: string };
  /** What every event and log entry of the call contains. */
  readonly identity: () => CallEvent;
  /** Everything that checking a call of the tool needs. */
  readonly plan: () => ToolPlan;
  readonly tally: Tally;
  /** When the decision began; undefined without telemetry. */
  readonly startedAt: number | undefined;
  readonly services: CallServices;
}

/** An admitted call with everything needed to run it. */
export interface AdmittedCall extends Omit<Admitted, "run" | "settle"> {
  readonly record: CallRecord;
}

const MAX_LENGTH = 128;

/** Begins the record of a call. */
export function recordOf(
  call: ToolCall,
  context: CallRecord["context"],
  services: CallServices,
): CallRecord {
  const { attempts, conversationId } = context;
  const { faults, limits, tracker } = services;
  const tool = findTool(call.name, context);
  const name = tool?.name ?? UNKNOWN_TOOL;
  const formerName = tool === undefined ? call.name : undefined;
  const onFault = (thrown: unknown): void => faults.report("store", thrown, name);
  let identity: CallEvent | undefined;
  const record: CallRecord = {
    call,
    tool,
    name,
    context,
    identity: () => (identity ??= identityOf(call, name, context, services)),
    plan: () => services.planOf(tool ?? { name: call.name }),
    // The only place that asks who counts.
    tally: attempts
      ? historyTally(attempts, limits, (lane) => isFirstInTurn(record, "closed", lane))
      : trackerTally(tracker, { conversationId, name, formerName, turn: context, onFault }, limits),
    startedAt: services.startTime(),
    services,
  };
  return record;
}

/** Whether no other call of the tool did the same in this turn. */
function isFirstInTurn(
  { name, context, services }: CallRecord,
  did: "closed" | "recovered",
  lane: Lane,
): boolean {
  const { conversationId, turnId } = context;
  return services.isFirst(JSON.stringify([did, conversationId, turnId, name, lane]));
}

function identityOf(
  { id }: ToolCall,
  toolName: string,
  { conversationId, correlationId: given = conversationId }: CallContext,
  { sanitizer }: CallServices,
): CallEvent {
  const correlationId = sanitizer.text(given, { maxLength: MAX_LENGTH });
  const identity = { toolName, toolCallId: id, conversationId };
  // Without a conversation there is nothing to correlate by.
  return correlationId === "" ? identity : { ...identity, correlationId };
}

/** The called name as results keep it: quoted if the model invented it, because it may hold a secret. */
export function keptName({ call, name }: CallRecord): string {
  return call.name === name ? name : quoteName(call.name);
}

/** The called name as messages show it. */
export function shownName({ call, name }: CallRecord): string {
  const shown = call.name === name ? quoteDeclaredName(name) : quoteName(call.name);
  return shown.trim() || UNKNOWN_TOOL;
}

/** Records that a call succeeded in the lanes of the stage; `attempt` is its number among those with invalid arguments. */
export async function recordSuccess(record: CallRecord, attempt: number): Promise<void> {
  const { tally, services } = record;
  const { stageLanes } = services.limits;
  const attempts = await all(stageLanes.map((lane) => tally.valid(lane)));
  announceRecovery(record, "validation", attempt);
  for (const [index, lane] of stageLanes.entries())
    announceRecovery(record, lane, attempts[index] ?? 1);
}

/** Reports a call that succeeded after failed attempts of its tool, once a turn. */
function announceRecovery(record: CallRecord, lane: Lane, attempt: number): void {
  if (attempt === 1 || !isFirstInTurn(record, "recovered", lane)) return;
  const { faults, recovered: count } = record.services;
  const { toolName, ...identity } = record.identity();
  const recovered = { toolName, lane, attempt, ...identity };
  faults.log(recoveryEntry(recovered));
  count(recovered);
  faults.events.emit("call-recovered", () => recovered);
}
