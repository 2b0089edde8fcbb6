import { readMember } from "@toolcontract/core/adapter";
import type { TokenUsage } from "../shared/index.ts";
import { type Ceiling, type GuardedTarget, ceilingsOf } from "./target-limits.ts";

/** A projection over the limit, in the words that the contract logs it with. */
export interface Exceeded {
  /** All counters, with what was to be added. */
  readonly projected_tokens: number;
  /** The limit of the smallest target. */
  readonly limit_tokens: number;
  /** What was left before; 0 if the limit was passed already. */
  readonly remaining_tokens: number;
  /** The targets into which the projection does not fit. */
  readonly blocked: readonly Pick<GuardedTarget, "provider" | "model">[];
}

/** The tokens of the request that is about to be sent. */
export interface TurnProjection {
  /** Committed by the previous answer; 0 on the first turn. */
  readonly ctxTokens: number;
  /** Added since. */
  readonly newTokens: number;
  /** The estimate of the tools that the request offers. */
  readonly schemaTokens: number;
  /** `ctxTokens + newTokens + schemaTokens`. */
  readonly expectedTokens: number;
  /** Set if the request does not fit (`turn_preflight`). */
  readonly exceeded?: Exceeded;
}

/** Counts the tokens of one run, and says what does not fit. */
export interface ContextGuard {
  /**
   * Projects the next request (`turn_preflight`). For the reduced list of tools of a forced final turn, call it again: nothing is
   * counted twice.
   */
  turn(request: {
    /** The estimate of the tools that the request offers. */
    readonly schemaTokens: number;
    /** The estimate of all messages since the last answer; by default, what was admitted and added. */
    readonly pendingTokens?: number;
    /** Whether the request does not continue the last one, so that what was committed says nothing about it. */
    readonly isNew?: boolean;
  }): TurnProjection;
  /** Adds a tool's output if it fits; otherwise returns why not, and adds nothing (`tool_preflight`). */
  admit(tokens: number): Exceeded | undefined;
  /** Adds what the model reads in any case: stubs, notices, the user's messages. */
  add(tokens: number): void;
  /**
   * Takes over what the provider counted, and returns whether that can be true. Usage that is missing or makes no sense is replaced
   * by the projection without the schema, which the next projection adds again, and by the estimate of the answer. On one target,
   * a prompt that only grew cannot have fewer tokens than the one before: then the larger of both numbers counts.
   *
   * @param target - What answered; without it, the prompt is not compared with the one before.
   */
  commit(usage: TokenUsage | undefined, outputTokens: number, target?: unknown): boolean;
  /** Whether an output was dropped: no new tool may start. */
  readonly isExceeded: boolean;
}

/**
 * Creates the context guard of one run (AI Agent Contract, section 2).
 *
 * It promises that no tool output is admitted whose estimate passes the limit, which is the smallest
 * `contextWindow - contextWindowBufferTokens - maxOutputTokens` of the targets, and that measured usage which can be true replaces
 * the estimates with every answer. Tokens are estimated before a request, so a provider may still refuse one. Without a
 * `contextWindow`, everything fits. From the second turn on the schema counts twice, as in the contract's formula: once
 * in the measured prompt and once by its own estimate.
 *
 * @throws {@link ToolContractError} for a limit that is not a number, or a window that its buffer and answer use up.
 * @example
 * ```ts
 * const guard = createContextGuard({ targets: [{ provider: "own", model: "fast", contextWindow: 8192 }] });
 * ```
 * @see packages/session/README.md
 */
export function createContextGuard({
  targets,
}: {
  readonly targets: readonly GuardedTarget[];
}): ContextGuard {
  const ceilings = ceilingsOf(targets);
  const limit = Math.min(...ceilings.map((ceiling) => ceiling.limit));
  // The contract's currentCtxTokens, pendingCtxTokens, newCtxTokens and schemaCtxTokens.
  let current = 0;
  let pending = 0;
  let fresh = 0;
  let schema = 0;
  let isExceeded = false;
  /** The last prompt, if the next one can be compared with it. */
  let before:
    | { readonly target: unknown; readonly tokens: number; readonly schema: number }
    | undefined;

  /** The fewest tokens that the prompt of this answer can have; 0 if it cannot be compared with the one before. */
  function fewest(target: unknown): number {
    if (before === undefined || target === undefined || before.target !== target) return 0;
    // Fewer tools may take any number of tokens away. An estimate of what was added may be several times too high.
    return schema < before.schema ? 0 : before.tokens + Math.floor(pending / ESTIMATED_AT_MOST);
  }

  function check(added: number): Exceeded | undefined {
    const held = current + pending + fresh + schema;
    const projected = held + added;
    if (projected <= limit) return undefined;
    return {
      projected_tokens: projected,
      limit_tokens: limit,
      remaining_tokens: Math.max(0, limit - held),
      blocked: ceilings.filter((ceiling) => projected > ceiling.limit).map(blockedTarget),
    };
  }

  return {
    turn({ schemaTokens, pendingTokens, isNew = false }) {
      if (isNew) {
        current = 0;
        before = undefined;
      }
      pending = pendingTokens === undefined ? pending + fresh : wholeTokens(pendingTokens);
      fresh = 0;
      schema = wholeTokens(schemaTokens);
      const exceeded = check(0);
      return {
        ctxTokens: current,
        newTokens: pending,
        schemaTokens: schema,
        expectedTokens: current + pending + schema,
        ...(exceeded && { exceeded }),
      };
    },
    admit(tokens) {
      const exceeded = check(wholeTokens(tokens));
      if (exceeded) isExceeded = true;
      else fresh += wholeTokens(tokens);
      return exceeded;
    },
    add(tokens) {
      fresh += wholeTokens(tokens);
    },
    commit(usage, outputTokens, target) {
      const measured = measuredTokens(usage);
      const estimated = current + pending + wholeTokens(outputTokens);
      const prompt =
        measured === undefined ? undefined : measured - (countIn(usage, "outputTokens") ?? 0);
      const isTrue = prompt === undefined || prompt >= fewest(target);
      before = {
        target,
        schema,
        tokens: isTrue && prompt !== undefined ? prompt : current + pending,
      };
      current = isTrue ? (measured ?? estimated) : Math.max(measured ?? 0, estimated);
      pending = 0;
      return isTrue;
    },
    get isExceeded() {
      return isExceeded;
    },
  };
}

/** How many times more tokens an estimate may have than what it is of. */
const ESTIMATED_AT_MOST = 8;

function blockedTarget({ provider, model }: Ceiling): Exceeded["blocked"][number] {
  return { provider, model };
}

/** An estimator is the application's: what it returns may be a fraction, or no number. */
function wholeTokens(tokens: number): number {
  return tokens > 0 ? Math.ceil(tokens) : 0;
}

/** The tokens of prompt and answer; undefined if the usage cannot be true. No prompt has zero tokens. */
function measuredTokens(usage: TokenUsage | undefined): number | undefined {
  const input = countIn(usage, "inputTokens");
  const output = countIn(usage, "outputTokens");
  if (input === undefined || output === undefined || input === 0) return undefined;
  const cached = countIn(usage, "cachedTokens") ?? 0;
  // More cached tokens than tokens: this provider does not include them.
  return input + output + (cached > input ? cached : 0);
}

function countIn(usage: unknown, name: keyof TokenUsage): number | undefined {
  const value = readMember(usage, name);
  return typeof value === "number" && value >= 0 && Number.isFinite(value) ? value : undefined;
}
