import { type CountedFailure, type Tracker, hashCall } from "../attempts/index.ts";
import type { AttemptKey } from "../attempts/index.ts";
import {
  type MaybePromise,
  createRecentMap,
  isPromiseLike,
  writeReason,
} from "@toolcontract/explain/adapter";
import { failureClass } from "../kit/index.ts";
import type { ToolCall } from "../shared/index.ts";
import type { CallContext } from "./context.ts";
import { isControlFlow } from "./control-flow.ts";

/** A call as its failures are counted. */
interface CountedCall {
  /** The tool's name; `(unknown)` for one that is not declared. */
  readonly name: string;
  readonly call: ToolCall;
  readonly context: CallContext & { readonly turnId: string };
}

/** Failures of tools at run time, for tools whose outcome no stage judges. */
export interface Failures {
  /** How a call's tool was closed by its failures, if it was. */
  closing(record: CountedCall): CountedFailure | undefined;
  /** Counts a failure; returns the place of the one that closes its tool. */
  failed(record: CountedCall, thrown: unknown, status?: number): CountedFailure | undefined;
  /** Whether nothing is counted. */
  isIdle(): boolean;
  /** A tool that has not failed has nothing to count. */
  succeeded(record: CountedCall): void;
}

const LANE = "outcome";
const MAX_OPEN = 10_000;
/** So many failures with one class and the same arguments close a tool, if no fewer do. */
const SAME = 3;

/** Counts in this process: a run is of one, and a call that succeeds must not wait for a store. */
export function createFailures(tracker: Tracker, maxFailures: number): Failures {
  const open = createRecentMap<string, string>(MAX_OPEN);

  function keyOf({ name, context }: CountedCall): AttemptKey | undefined {
    const { conversationId, runId, knowsConversation } = context;
    // Calls of unrelated users are not counted together.
    if (knowsConversation === false && runId === undefined) return undefined;
    const place = knowsConversation === false ? JSON.stringify([runId]) : conversationId;
    return { conversationId: place, toolName: name, lane: LANE };
  }

  const nameOf = ({ conversationId, toolName }: AttemptKey): string =>
    JSON.stringify([conversationId, toolName]);

  function forget(key: AttemptKey): void {
    open.take(nameOf(key));
    void tracker.reset(key);
  }

  return {
    isIdle: () => open.size === 0,
    closing(record) {
      const key = open.size === 0 ? undefined : keyOf(record);
      // Where runs cannot be told apart, the history says it.
      if (key === undefined || record.context.knowsRun === false) return undefined;
      if (open.get(nameOf(key)) === undefined) return undefined;
      const status = now(tracker.status(key, record.context));
      if (status?.settled !== true) return undefined;
      const { attempt, maxAttempts, history } = status;
      const closed = { closed: true, settled: true, announced: true } as const;
      return { ...closed, lane: LANE, attempt, maxAttempts, history };
    },
    failed(record, thrown, status) {
      const key = keyOf(record);
      if (key === undefined || isControlFlow(thrown, record.context.signal)) return undefined;
      const kind = status === undefined ? failureClass(thrown) : `HTTP ${status}`;
      if (open.get(nameOf(key)) !== kind) forget(key);
      open.set(nameOf(key), kind);
      const argumentsHash = hashCall(record.call, false);
      const before = now(tracker.status(key, record.context));
      const earlier = (before?.history ?? []).filter(
        ({ attempt }) => attempt !== before?.turnAttempt,
      );
      const latest = earlier.slice(1 - SAME);
      const isSame =
        latest.length === SAME - 1 && latest.every((one) => one.argumentsHash === argumentsHash);
      const counted = now(
        tracker.recordFailure(key, {
          ...record.context,
          argumentsHash,
          errors: [
            {
              errorCode: "VAL-016",
              fieldPath: "",
              summary: writeReason({ kind: "fails-again", how: kind }),
            },
          ],
          closes: isSame,
        }),
      );
      if (counted?.status !== "blocked") return undefined;
      const { attempt, history } = counted;
      if (record.context.knowsRun === false) forget(key);
      const place = { closed: true, settled: false, announced: counted.announced === true };
      return { ...place, lane: LANE, attempt, maxAttempts: maxFailures, history };
    },
    succeeded(record) {
      if (open.size === 0) return;
      const key = keyOf(record);
      if (key && open.get(nameOf(key)) !== undefined) forget(key);
    },
  };
}

/** Its store is in memory, and answers at once. */
function now<T>(answer: MaybePromise<T>): T | undefined {
  return isPromiseLike(answer) ? undefined : answer;
}
