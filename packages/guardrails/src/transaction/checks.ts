import { ToolContractError, type RuleError } from "@toolcontract/core";
import { errorClass, isPromiseLike, within } from "@toolcontract/core/adapter";
import type { Spender } from "../shared/index.ts";
import type { GuardrailViolation } from "../outcome/index.ts";
import { TERMINAL_REASONS } from "../shared/index.ts";
import type {
  Guardrail,
  GuardrailContext,
  MaybePromise,
  TerminalReason,
  Violation,
} from "../shared/index.ts";
import { readOnlyCopy } from "../state/index.ts";
import { lazily, lazySignal } from "./lazy-signal.ts";

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
  readonly touched: readonly string[];
  readonly result?: unknown;
}

const FAILED = "A guardrail could not be checked";

/**
 * Asks guardrails about a call, and returns what they found in their order; nothing is waited for unless one is asynchronous.
 *
 * @param limit - Milliseconds that one check may take.
 * @param deferred - Called with a guardrail that read the state: what it answered does not count.
 */
export function runChecks(
  guardrails: readonly AnyGuardrail[],
  asked: AskedCall,
  seen: Seen,
  limit: number,
  deferred?: (guardrail: AnyGuardrail) => void,
): MaybePromise<readonly Found[]> {
  if (guardrails.length === 0) return NONE;
  const contextOf = contextsFor(asked, seen);
  const answers = guardrails.map((guardrail) =>
    runCheck(guardrail, asked, contextOf, limit, deferred),
  );
  if (!answers.some(isPromiseLike)) return (answers as (readonly Found[])[]).flat();
  const waiting = answers.map(async (answer) => answer);
  return Promise.all(waiting).then((all) => all.flat());
}

const NONE: readonly never[] = Object.freeze([]);
const NO_CONTEXT = Object.freeze({});

function runCheck(
  guardrail: AnyGuardrail,
  { signal, log, tool, callId, onGuardrailError }: AskedCall,
  contextOf: ContextOf,
  limit: number,
  deferred: ((guardrail: AnyGuardrail) => void) | undefined,
): MaybePromise<readonly Found[]> {
  let readsState = false;
  const own = lazySignal(signal);
  const context = contextOf(own.signal, () => {
    readsState = deferred !== undefined;
  });
  const judge = (verdict: unknown): readonly Found[] => {
    if (readsState) return defer();
    return readVerdict(guardrail, verdict);
  };
  const defer = (): readonly Found[] => {
    deferred?.(guardrail);
    return NONE;
  };
  const fail = (thrown: unknown): MaybePromise<readonly Found[]> => {
    if (readsState) return defer();
    // A check that stops because the call was cancelled did not fail.
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    log("A guardrail failed", { guardrail: guardrail.name, error: errorClass(thrown) });
    try {
      const named = callId === undefined ? {} : { callId };
      onGuardrailError?.(thrown, { guardrail: guardrail.name, tool, ...named });
    } catch (error) {
      log("onGuardrailError() failed", { error: errorClass(error) });
    }
    return [failed(guardrail)];
  };
  const settle = (verdict: unknown): MaybePromise<readonly Found[]> => {
    try {
      return judge(verdict);
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
type ContextOf = (signal: () => AbortSignal, onState: () => void) => GuardrailContext;

/** What checks get that are asked together; they cannot change what others get. */
function contextsFor(
  { tool, args, callId, conversationId, spender, usage, guardrailAttempt }: AskedCall,
  { state, touched, result }: Seen,
): ContextOf {
  const readOnlyArgs = lazily(() => readOnlyCopy(args));
  const readOnlyResult = lazily(() => readOnlyCopy(result));
  return (signal, onState) => ({
    tool,
    get args() {
      return readOnlyArgs();
    },
    get state() {
      onState();
      return state();
    },
    context: spender.context ?? NO_CONTEXT,
    usage,
    touched,
    get result() {
      return readOnlyResult();
    },
    attempt: guardrailAttempt,
    ...(callId !== undefined && { callId }),
    ...(conversationId !== undefined && { conversationId }),
    get signal() {
      return signal();
    },
  });
}

/** A guardrail that failed refuses the call and closes the tool: nobody knows what it would have said. */
function failed({ name }: AnyGuardrail): Found {
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
  if (typeof ask === "string" && ask.trim() !== "" && guardrail.stage !== "commit") {
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
    reasonOf(Object(violation) as Judge, guardrail) ?? reasonOf(guardrail, guardrail);
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

function reasonOf(given: Omit<Judge, "name">, { name }: Judge): TerminalReason | undefined {
  if (given.class !== "terminal_guardrail") return undefined;
  const known = TERMINAL_REASONS.find((reason) => reason === given.reason);
  if (known !== undefined) return known;
  throw new ToolContractError(
    `Guardrail '${name}': a terminal violation needs a reason, one of ${TERMINAL_REASONS.join(", ")}.`,
  );
}
