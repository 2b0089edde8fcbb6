import { ToolContractError, type RuleError } from "@toolcontract/core";
import { errorClass, isPromiseLike, within } from "@toolcontract/core/adapter";
import type { Spender } from "../shared/index.ts";
import type { GuardrailViolation } from "../outcome/index.ts";
import { TERMINAL_REASONS, isTerminalReason, lazily } from "../shared/index.ts";
import type {
  Guardrail,
  GuardrailContext,
  MaybePromise,
  TerminalReason,
  Violation,
} from "../shared/index.ts";
import { readOnlyCopy } from "../state/index.ts";
import { lazySignal } from "./lazy-signal.ts";

/** A guardrail as the engine runs it: whatever the state, the arguments and the result are. */
export type AnyGuardrail = Guardrail<unknown, never, never>;

/** A violation, and the guardrail that found it. */
export interface Found {
  /** The guardrail's name. */
  readonly type: string;
  readonly error: RuleError;
  readonly message: string;
  readonly location?: string;
  readonly correction?: string;
  /** True if a person is asked, and nothing is wrong. */
  readonly asks?: boolean;
  /** Set if no other call can succeed. */
  readonly terminal?: TerminalReason | "guardrail_failed";
}

/** The call that guardrails are asked about. */
export interface AskedCall {
  readonly tool: string;
  readonly args: unknown;
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
interface Seen {
  /** AskedCall when a check reads the state. */
  readonly state: () => unknown;
  readonly result?: unknown;
}

/** What is done with guardrails that must be asked again once the call runs. */
export interface Early {
  /** Called with a guardrail that read the state: its answer does not count. */
  readonly deferred?: ((guardrail: AnyGuardrail) => void) | undefined;
  /** Called with a guardrail that asked about limits or earlier calls: its answer counts, and may change. */
  readonly unsettled?: (guardrail: AnyGuardrail) => void;
}

const NOT_EARLY: Early = {};

const FAILED = "A guardrail could not be checked";

/**
 * Asks guardrails about a call, and returns what they found in their order; nothing is waited for unless one is asynchronous.
 *
 * @param limit - Milliseconds that one check may take.
 * @param early - Set if the call is not about to run.
 */
export function runChecks(
  guardrails: readonly AnyGuardrail[],
  asked: AskedCall,
  seen: Seen,
  limit: number,
  early: Early = NOT_EARLY,
): MaybePromise<readonly Found[]> {
  if (guardrails.length === 0) return NONE;
  const contextOf = contextsFor(asked, seen);
  const answers = guardrails.map((guardrail) =>
    runCheck(guardrail, asked, contextOf, limit, early),
  );
  if (!answers.some(isPromiseLike)) return (answers as (readonly Found[])[]).flat();
  const waiting = answers.map(async (answer) => answer);
  return Promise.all(waiting).then((all) => all.flat());
}

const NONE: readonly never[] = Object.freeze([]);
const NO_CONTEXT = Object.freeze({});

function runCheck(
  guardrail: AnyGuardrail,
  asked: AskedCall,
  contextOf: ContextOf,
  limit: number,
  { deferred, unsettled }: Early,
): MaybePromise<readonly Found[]> {
  let readsState = false;
  const onState = (): void => {
    readsState = deferred !== undefined;
  };
  const defer = (): readonly Found[] => {
    deferred?.(guardrail);
    return NONE;
  };
  const onLook = (): void => unsettled?.(guardrail);
  return verdictOf(
    guardrail,
    asked,
    { contextOf, onState, onLook, limit },
    {
      read: (verdict) => (readsState ? defer() : readVerdict(guardrail, verdict)),
      failed: () => [foundFailed(guardrail)],
      skipped: () => (readsState ? defer() : undefined),
    },
  );
}

/** What an output guardrail says of a result. */
export type JudgedResult =
  | { readonly kind: "shown" }
  | { readonly kind: "replaced"; readonly value: unknown }
  | { readonly kind: "withheld"; readonly why: string };

/** Asks an output guardrail; one that fails withholds the result. */
export function runOutputCheck(
  guardrail: AnyGuardrail,
  asked: AskedCall,
  seen: Seen,
  limit: number,
): MaybePromise<JudgedResult> {
  const asking = { contextOf: contextsFor(asked, seen), onState: nothing, onLook: nothing, limit };
  return verdictOf(guardrail, asked, asking, {
    read: (verdict) => readResultVerdict(guardrail, verdict),
    failed: () => ({ kind: "withheld", why: FAILED }),
    skipped: () => undefined,
  });
}

const nothing = (): void => undefined;

function readResultVerdict(guardrail: AnyGuardrail, verdict: unknown): JudgedResult {
  const replaced = Object(verdict) as { readonly replace?: unknown };
  if (verdict !== null && typeof verdict === "object" && Object.hasOwn(replaced, "replace")) {
    return { kind: "replaced", value: replaced.replace };
  }
  const found = readVerdict(guardrail, verdict);
  if (found.length === 0) return { kind: "shown" };
  return { kind: "withheld", why: found.map(({ message }) => message).join("; ") };
}

/** How a check is asked. */
interface CheckServices {
  readonly contextOf: ContextOf;
  /** Called when the check reads the state. */
  readonly onState: () => void;
  /** Called when it asks about limits or earlier calls. */
  readonly onLook: () => void;
  /** Milliseconds that it may take. */
  readonly limit: number;
}

/** How its answer is treated. */
interface VerdictReading<T> {
  /** Reads the verdict; throws if it is invalid. */
  readonly read: (verdict: unknown) => T;
  readonly failed: () => T;
  /** The answer to assume if a failure does not count. */
  readonly skipped: () => T | undefined;
}

function verdictOf<T>(
  guardrail: AnyGuardrail,
  { signal, log, tool, callId, onGuardrailError }: AskedCall,
  { contextOf, onState, onLook, limit }: CheckServices,
  { read, failed: whenFailed, skipped }: VerdictReading<T>,
): MaybePromise<T> {
  const own = lazySignal(signal);
  const context = contextOf(own.signal, onState, onLook);
  const fail = (thrown: unknown): MaybePromise<T> => {
    const other = skipped();
    if (other !== undefined) return other;
    // A check that stops because the call was cancelled did not fail.
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    log("A guardrail failed", { guardrail: guardrail.name, error: errorClass(thrown) });
    try {
      const named = callId === undefined ? {} : { callId };
      onGuardrailError?.(thrown, { guardrail: guardrail.name, tool, ...named });
    } catch (error) {
      log("onGuardrailError() failed", { error: errorClass(error) });
    }
    return whenFailed();
  };
  const settle = (verdict: unknown): MaybePromise<T> => {
    try {
      return read(verdict);
    } catch (thrown) {
      return fail(thrown);
    }
  };
  try {
    const verdict: unknown = guardrail.check(context as never);
    if (!isPromiseLike(verdict)) return settle(verdict);
    return within(verdict, limit, signal).then(settle, (thrown: unknown) => {
      own.abort(thrown);
      return fail(thrown);
    });
  } catch (thrown) {
    return fail(thrown);
  }
}

/** Makes what one check gets: its own signal, and what to do when it reads the state. */
type ContextOf = (
  signal: () => AbortSignal,
  onState: () => void,
  onLook: () => void,
) => GuardrailContext;

/** What checks get that are asked together; they cannot change what others get. */
function contextsFor(asked: AskedCall, { state, result }: Seen): ContextOf {
  const args = lazily(() => readOnlyCopy(asked.args));
  const readOnlyResult = lazily(() => readOnlyCopy(result));
  return (signal, onState, onLook) =>
    new CheckContext(asked, onLook, {
      args,
      result: readOnlyResult,
      signal,
      state: () => (onState(), state()),
    });
}

/** What is made when a check reads it. */
interface ReadLate {
  readonly args: () => unknown;
  readonly state: () => unknown;
  readonly result: () => unknown;
  readonly signal: () => AbortSignal;
}

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

/** A guardrail that failed refuses the call and closes the tool: nobody knows what it would have said. */
function foundFailed({ name }: AnyGuardrail): Found {
  const error = { errorCode: "GRD-004", message: FAILED } as const;
  return { type: name, error, message: FAILED, terminal: "guardrail_failed" };
}

function readVerdict(guardrail: AnyGuardrail, verdict: unknown): readonly Found[] {
  if (verdict === undefined || verdict === null || verdict === false) return NONE;
  const violations: readonly unknown[] = Array.isArray(verdict) ? verdict : [verdict];
  return violations.map((one) => toFound(guardrail, one));
}

/** What a tool itself found while it ran. */
export function foundBy({ type, violation }: GuardrailViolation): readonly Found[] {
  return [toFound({ name: type, stage: "commit" }, violation)];
}

type Judge = Pick<AnyGuardrail, "name" | "stage" | "hint"> & {
  readonly class?: unknown;
  readonly reason?: unknown;
};

function toFound(guardrail: Judge, given: unknown): Found {
  const { ask } = Object(given) as { readonly ask?: unknown };
  const isBefore = (guardrail.stage ?? "validate") === "validate";
  if (typeof ask === "string" && ask.trim() !== "" && isBefore) {
    const error = { errorCode: "GRD-001", message: ask } as const;
    return { type: guardrail.name, message: ask, error, asks: true };
  }
  const violation: unknown = typeof given === "string" ? { message: given } : given;
  const { message, fieldPath, hint = guardrail.hint } = Object(violation) as Partial<Violation>;
  if (typeof message !== "string" || message.trim() === "") {
    throw new ToolContractError(
      `Guardrail '${guardrail.name}': check() must answer nothing, a message, or { message, fieldPath, hint }.`,
    );
  }
  const terminal =
    terminalReasonOf(Object(violation) as Judge, guardrail) ??
    terminalReasonOf(guardrail, guardrail);
  const code = guardrail.stage === "commit" ? "GRD-002" : "GRD-001";
  return {
    type: guardrail.name,
    message,
    error: {
      errorCode: terminal === undefined ? code : "GRD-003",
      message,
      ...(typeof fieldPath === "string" && { fieldPath }),
      ...(typeof hint === "string" && { hint }),
    },
    ...(typeof fieldPath === "string" && { location: fieldPath }),
    ...(typeof hint === "string" && { correction: hint }),
    ...(terminal !== undefined && { terminal }),
  };
}

function terminalReasonOf(given: Omit<Judge, "name">, { name }: Judge): TerminalReason | undefined {
  if (given.class !== "terminal_guardrail") return undefined;
  if (isTerminalReason(given.reason)) return given.reason;
  throw new ToolContractError(
    `Guardrail '${name}': a terminal violation needs a reason, one of ${TERMINAL_REASONS.join(", ")}.`,
  );
}
