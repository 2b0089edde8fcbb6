// Shared by the hosts of the conformance table. It must not import vitest: child processes import it.
import type {
  CaseGuardrails,
  CaseOptions,
  MadeGuardrails,
  Observers,
} from "@toolcontract/case-table";
import { watched } from "@toolcontract/case-table/recording";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import { createGate, type Gate } from "../gate/index.ts";
import type { Message } from "../wire/index.ts";
import { CALL_ID, type TestTool } from "./test-servers.ts";

/** Makes the guardrails of a case. */
export function guardrailsOf({ state, ...options }: CaseGuardrails): MadeGuardrails {
  return createGuardrails({ ...options, store: slotStore(state) });
}

/** The tools' answers to the calls of a case, by the call's id. */
export type Answers = Readonly<Record<string, ReturnType<TestTool["run"]>>>;

/** Serves the case's tools and records the arguments with which each call reached one. */
export function recordedTools(
  tools: readonly Pick<TestTool, "name" | "inputSchema">[],
  answers: Answers,
  runs: Map<string, unknown>,
): readonly TestTool[] {
  return tools.map(({ name, inputSchema }) => ({
    name,
    inputSchema,
    run: (args, callId) => {
      runs.set(callId, args);
      return answers[callId] ?? { text: "done" };
    },
  }));
}

/**
 * The gate of one case. Its clock stands still during a turn, and a second passes before the next.
 *
 * The calls of a turn reach the gate together: an equal call that arrives after the answer to the first is a repeat,
 * and a busy machine may deliver two parallel calls that late.
 */
export interface CaseGate {
  readonly gate: Gate;
  /** Begins a turn of so many calls. */
  readonly nextTurn: (calls: number) => void;
}

/** Creates a gate with the case's options; escalations name calls by the table's ids, not by the client's. */
export function createCaseGate(
  options: CaseOptions | undefined,
  soft: "assist" | "reject",
  { onEscalation, ...observers }: Observers,
): CaseGate {
  let now = 0;
  let expected = 1;
  let arrived: (() => void)[] = [];
  const callIds = new Map<string, string>();
  const gate = createGate({
    ...options,
    soft,
    ...observers,
    clock: () => now,
    onEscalation: ({ toolCall, ...seen }) => {
      const id = callIds.get(toolCall.id) ?? toolCall.id;
      onEscalation({ ...seen, toolCall: { id, arguments: toolCall.arguments } });
    },
  });
  watched(gate.contract);
  return {
    nextTurn: (calls) => {
      now += 1_000;
      expected = calls;
    },
    gate: {
      ...gate,
      fromClient: (message, link) => {
        const callId = callIdOf(message);
        if (callId === undefined) return gate.fromClient(message, link);
        callIds.set(String(message["id"]), callId);
        return new Promise((resolve) => {
          arrived.push(() => {
            resolve(gate.fromClient(message, link));
          });
          if (arrived.length < expected) return;
          const all = arrived;
          arrived = [];
          for (const decide of all) decide();
        });
      },
    },
  };
}

function callIdOf({ params }: Message): string | undefined {
  const meta = (params as { readonly _meta?: Readonly<Record<string, string>> } | undefined)?._meta;
  return meta?.[CALL_ID];
}

/** What the gate logged and escalated during a case. */
export interface Observed {
  readonly entries: (readonly [fields: object, message: string])[];
  readonly escalations: Parameters<Observers["onEscalation"]>[0][];
  /** What its guardrails have committed. */
  readonly committed?: unknown;
}

/** Starts a case: the relay creates its gate from the row of that name, and the server behind it registers its tools. */
export const BEGIN = "table/tools/begin";
/** Starts a turn: a second passes. `calls` is how many it has. */
export const NEXT_TURN = "notifications/table/tools/turn";
/** Requests the entries and escalations. */
export const OBSERVED = "table/tools/observed";
/** Ends the recording of a case that began with `records`, and requests its lines. */
export const RECORDED = "table/tools/recorded";
/** Requests the arguments of the calls that reached a tool. */
export const RUNS = "table/runs";
