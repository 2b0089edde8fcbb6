import type { StageContext } from "@toolcontract/core/stage";
import { type GuardrailContext, type Spender, lazily } from "../shared/index.ts";
import { readOnlyCopy } from "../state/index.ts";

/** The call that guardrails are asked about. */
export interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
  /** The tool as the host defines it, if it is known. */
  readonly definition?: StageContext["definition"];
  /** Absent if the host has not named it yet. */
  readonly callId?: string | undefined;
  readonly conversationId?: string | undefined;
  /** Called with what a guardrail threw; it may throw itself. */
  readonly onGuardrailError?:
    | ((
        error: unknown,
        context: { readonly guardrail: string; readonly tool: string; readonly callId?: string },
      ) => void)
    | undefined;
  /** Where the call is made and for whom. */
  readonly spender: Spender;
  /** How much of a limit is used. */
  readonly usage: GuardrailContext["usage"];
  /** How many calls of a tool have begun. */
  readonly ran: GuardrailContext["ran"];
  /** The number of the attempt in the guardrail lane. */
  readonly guardrailAttempt: number;
  readonly signal?: AbortSignal | undefined;
  /** Writes to the log; never a value. */
  readonly log: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

/** What they see besides the call. */
export interface Seen {
  /** Called when a check reads the state. */
  readonly state: () => unknown;
  readonly result?: unknown;
}

/** Checks that are asked together about a call; none can change what another gets. */
export interface CheckRound {
  readonly call: AskedCall;
  /** Makes what one check gets: its own signal, and what to do when it reads the state, or asks about limits or earlier calls. */
  readonly contextOf: (
    signal: () => AbortSignal,
    onState: () => void,
    onLook: () => void,
  ) => GuardrailContext;
}

/** Begins to ask about a call. */
export function askingAbout(call: AskedCall, { state, result }: Seen): CheckRound {
  const args = lazily(() => readOnlyCopy(call.args));
  const readOnlyResult = lazily(() => readOnlyCopy(result));
  return {
    call,
    contextOf: (signal, onState, onLook) =>
      new CheckContext(call, onLook, {
        args,
        result: readOnlyResult,
        signal,
        state: () => (onState(), state()),
      }),
  };
}

/** What is made when a check reads it. */
interface ReadLate {
  readonly args: () => unknown;
  readonly state: () => unknown;
  readonly result: () => unknown;
  readonly signal: () => AbortSignal;
}

const NO_CONTEXT = Object.freeze({});

/** A class, because a getter of an object literal costs a hidden class for each object. Copies have what the getters return. */
class CheckContext implements GuardrailContext {
  declare readonly args: unknown;
  declare readonly state: unknown;
  declare readonly result: unknown;
  declare readonly signal: AbortSignal;
  readonly tool: string;
  readonly context: GuardrailContext["context"];
  readonly usage: GuardrailContext["usage"];
  readonly ran: GuardrailContext["ran"];
  readonly attempt: number;
  declare readonly callId?: string;
  declare readonly conversationId?: string;
  readonly #late: ReadLate;

  constructor(asked: AskedCall, onLook: () => void, late: ReadLate) {
    const { tool, callId, conversationId, spender, guardrailAttempt } = asked;
    this.tool = tool;
    this.context = spender.context ?? NO_CONTEXT;
    this.usage = (limit) => (onLook(), asked.usage(limit));
    this.ran = (name, scope) => (onLook(), asked.ran(name, scope));
    this.attempt = guardrailAttempt;
    if (callId !== undefined) this.callId = callId;
    if (conversationId !== undefined) this.conversationId = conversationId;
    this.#late = late;
    for (const [name, member] of CheckContext.#members) Object.defineProperty(this, name, member);
  }

  static #member(read: (late: ReadLate) => unknown): PropertyDescriptor {
    return {
      enumerable: true,
      get(this: CheckContext) {
        return read(this.#late);
      },
    };
  }

  static readonly #members = [
    ["args", CheckContext.#member(({ args }) => args())],
    ["state", CheckContext.#member(({ state }) => state())],
    ["result", CheckContext.#member(({ result }) => result())],
    ["signal", CheckContext.#member(({ signal }) => signal())],
  ] as const;
}
