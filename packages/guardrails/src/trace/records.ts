import type { AttemptStore, AttemptState } from "@toolcontract/core";
import { errorClass, isPromiseLike, within } from "@toolcontract/core/adapter";
import type { MaybePromise } from "../shared/index.ts";

/** What is kept of guardrails beyond this process: small pieces of plain data by key. */
export interface Records {
  /** Reads a piece; undefined if there is none, or the store fails. */
  read(key: readonly unknown[]): Promise<RecordPiece | undefined>;
  /** Reads a piece, at once if the store answers at once. */
  readNow(key: readonly unknown[]): MaybePromise<RecordPiece | undefined>;
  /** Replaces a piece in one step, also beside other processes; undefined if the store fails. */
  change(
    key: readonly unknown[],
    change: (before: RecordPiece | undefined) => RecordPiece,
  ): Promise<RecordPiece | undefined>;
  /** Removes a piece. */
  remove(key: readonly unknown[]): Promise<void>;
}

/** Plain data: up to 4,000 characters as JSON, and in `kept` up to 65,536 more. */
type RecordPiece = Readonly<Record<string, unknown>>;

/** Keeps records in a store of attempts, whose engines and limits they share; what fails is logged and changes nothing else. */
export function recordsIn(
  store: AttemptStore,
  log: (message: string, fields: Readonly<Record<string, unknown>>) => void,
  milliseconds: number,
): Records {
  async function guarded<T>(ask: () => T | PromiseLike<T>): Promise<T | undefined> {
    try {
      return await within(Promise.resolve(ask()), milliseconds);
    } catch (thrown) {
      log("The store of records failed", { error: errorClass(thrown) });
      return undefined;
    }
  }
  return {
    readNow(key) {
      try {
        const state = store.get(recordName(key));
        return isPromiseLike(state) ? guarded(async () => pieceIn(await state)) : pieceIn(state);
      } catch (thrown) {
        log("The store of records failed", { error: errorClass(thrown) });
        return undefined;
      }
    },
    read: async (key) => guarded(async () => pieceIn(await store.get(recordName(key)))),
    change: async (key, change) =>
      guarded(async () => {
        const { after } = await store.update(recordName(key), (before) =>
          recordState(change(pieceIn(before))),
        );
        return pieceIn(after);
      }),
    remove: async (key) => guarded(() => store.delete(recordName(key))),
  };
}

function recordName(key: readonly unknown[]): string {
  return JSON.stringify(["guardrails", ...key]);
}

/** A store keeps states of attempts; the piece is in the place of an outcome, but for what may be long. */
function recordState({ kept, ...metadata }: RecordPiece): AttemptState {
  const outcome = {
    status: "error",
    error_type: "record",
    error_message: "",
    retriable: false,
  } as const;
  const counted = { failed: 1, history: [], turnId: "", turnOutcome: "counted" } as const;
  return {
    ...counted,
    outcome: { ...outcome, metadata },
    ...(kept !== undefined && { kept }),
  };
}

function pieceIn(state: AttemptState | null | undefined): RecordPiece | undefined {
  const { outcome, kept } = state ?? {};
  return outcome && { ...outcome.metadata, ...(kept !== undefined && { kept }) };
}
