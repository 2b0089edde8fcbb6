import type { Runner } from "@openai/agents";
import { isAnyObject, viewOf } from "@toolcontract/core/adapter";

/** Names runs by what the SDK hands to each call of a tool: one that goes on from a stored state has the same name if that is used twice. */
export interface StoredRuns {
  /** The runner, which tells from which state it goes on. */
  readonly guard: (runner: Runner) => Runner;
  /** Names the run of a call. */
  readonly of: (context: object) => StoredRun;
}

/** A run, and the state from which it goes on, if it does. */
interface StoredRun {
  readonly runId: string;
  /** Names the message of the state, the same in every process. */
  readonly message?: string;
  /** The calls of that message that waited for a person, by their ids. */
  readonly waiting?: ReadonlySet<string>;
}

/** Creates the register of runs. */
export function createStoredRuns(): StoredRuns {
  const known = new WeakMap<object, StoredRun>();
  return {
    guard(runner) {
      const run = async (agent: never, input: unknown, options: never): Promise<unknown> => {
        if (isState(input) && !known.has(input._context)) {
          const name = `state ${await fingerprintOf(input)}`;
          const waiting = new Set(waitingIn(input));
          known.set(input._context, { runId: name, message: name, waiting });
        }
        return runner.run(agent, input as never, options);
      };
      return viewOf(runner, { run: run as Runner["run"] });
    },
    of(context) {
      const run = known.get(context) ?? { runId: globalThis.crypto.randomUUID() };
      known.set(context, run);
      return run;
    },
  };
}

/** What tells the state of a run from those of others; who approved what is not part of it. */
interface State {
  readonly _context: { readonly context?: unknown };
  readonly _originalInput: unknown;
  readonly _generatedItems: unknown;
  readonly _modelResponses: readonly { readonly responseId?: string }[];
  readonly _trace?: { readonly traceId?: string } | null;
  readonly getInterruptions: () => readonly { readonly rawItem?: { readonly callId?: string } }[];
}

function waitingIn(state: State): readonly string[] {
  return state.getInterruptions().flatMap(({ rawItem }) => rawItem?.callId ?? []);
}

// The SDK's own members. If they change, a state that is used twice is not known, and the tests fail.
function isState(input: unknown): input is State {
  if (!isAnyObject(input)) return false;
  const { _context, _modelResponses } = input as Partial<State>;
  return isAnyObject(_context) && Array.isArray(_modelResponses);
}

async function fingerprintOf(state: State): Promise<string> {
  const { _originalInput, _generatedItems, _modelResponses, _trace, _context } = state;
  const responses = _modelResponses.map(({ responseId }) => responseId);
  const parts = [_originalInput, _generatedItems, responses, _trace?.traceId, _context.context];
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
