import {
  type AskRequest,
  type AttemptStore,
  type Contract,
  type MetricsSnapshot,
  ToolContractError,
} from "@toolcontract/core";
import {
  authorOf,
  contractFrom,
  isBoolean,
  isFunction,
  isSchemaProvider,
  oneOf,
  type SchemaProvider,
  type ShownSchema,
  schemasFor,
  wholeFrom,
  type WithContract,
} from "@toolcontract/core/adapter";
import {
  createToolLimiter,
  TOOL_LIMITS,
  type ToolLimiter,
  type ToolLimits,
} from "../limits/index.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { createFairStore } from "./fair-map.ts";
import { createToolLists, type ToolLists } from "./tool-lists.ts";
import { createOperations, type Operations } from "./operations.ts";
import { createPreparation } from "./preparation.ts";
import { type BeginTrace, createBeginTrace } from "./call-span.ts";
import { createModelTurns, type ModelTurns } from "./model-turns.ts";
import { createUnvalidated, type Unvalidated } from "./unvalidated.ts";
import { type CheckInGate, checkOf } from "./validation.ts";

/**
 * What happens to invalid calls: `"enforce"` answers them here, `"assist"` forwards them and rewrites the server's
 * rejection in the contract's words, `"audit"` only counts and logs them.
 */
export type GateMode = "enforce" | "assist" | "audit";

/**
 * The gate's own options, beside those of the contract. The limits are for all forwarded calls, in every mode.
 *
 * @example
 * ```ts
 * const settings: GateSettings = { mode: "enforce", soft: "reject", listTimeoutMs: 2000 };
 * ```
 */
export interface GateSettings extends ToolLimits {
  /**
   * Whether invalid calls are answered, or only reported.
   *
   * @default "enforce"
   */
  readonly mode?: GateMode;
  /**
   * Calls that many servers accept against their own schema (`"5"` for 5), and tools that they do not list.
   *
   * @default "assist"
   */
  readonly soft?: "assist" | "reject" | "forward";
  /**
   * Results that do not fit the `outputSchema` of their tool: `"report"` logs and counts them, `"enforce"` also answers
   * the call with an error of the tool that lists the faults, `"off"` does not look at results.
   *
   * @default "report"
   */
  readonly results?: "off" | "report" | "enforce";
  /**
   * Invalid calls of a tool with no attempts left are answered here, or forwarded.
   *
   * @default "answer"
   */
  readonly onExhausted?: "answer" | "forward";
  /** Tools whose calls are forwarded unchecked: `"off"` by name. */
  readonly tools?: Readonly<Record<string, "on" | "off">>;
  /**
   * Whether a call that cannot be validated is forwarded, for example without a tool list.
   *
   * @default true
   */
  readonly failOpen?: boolean;
  /**
   * How long a call waits for its schema, in milliseconds.
   *
   * @default 5_000
   */
  readonly listTimeoutMs?: number;
  /**
   * Attempts are forgotten after this many idle milliseconds. A `store` or `contract` has a time of its own.
   *
   * @default 600_000
   */
  readonly attemptWindowMs?: number;
  /**
   * Rejections of a tool within this many milliseconds count as one attempt.
   *
   * @default 100
   */
  readonly coalesceMs?: number;
  /**
   * Whether each tool call has a span of its own, from the client's request to its answer, which the contract marks if it
   * refuses the call; needs `telemetry` with traces and contexts. Without it, refused calls alone have spans.
   * @default false
   */
  readonly callSpans?: boolean;
  /**
   * Grants a call that a guardrail asks about once the person at the client has agreed by elicitation, such as
   * `(request) => guardrails.grant(request, { by: "client", expiresIn: 60_000 })`; undefined grants nothing. Without it, or if the
   * client cannot ask, the model reads that a person must agree first.
   */
  readonly grant?: (request: AskRequest) => string | undefined | Promise<string | undefined>;
  /**
   * Shows clients the schemas of the tools as this provider takes them, so that no tool's schema ends a request; calls are judged
   * by the server's own.
   *
   * @default the schemas as they are
   */
  readonly provider?: SchemaProvider;
  /** Called with the number of tools each time the gate has read a whole tool list. */
  readonly onToolList?: (tools: number) => void;
}

/**
 * The options of a gate, and a contract or the options to create one.
 *
 * @example
 * ```ts
 * const options: GateOptions = { mode: "audit", maxAttempts: 3 };
 * ```
 * @see packages/mcp/README.md
 */
export type GateOptions = WithContract<GateSettings>;

const SWITCHES = ["on", "off"];
/** Attempts are remembered for this many tools in all conversations together. */
export const MAX_COUNTED = 30_000;

const OWN = {
  mode: oneOf("enforce", "assist", "audit"),
  soft: oneOf("assist", "reject", "forward"),
  results: oneOf("off", "report", "enforce"),
  onExhausted: oneOf("answer", "forward"),
  tools: {
    wants: 'an object of "on" or "off" by tool name, such as { read_file: "off" }',
    fits: (value: unknown) =>
      typeof value === "object" &&
      value !== null &&
      Object.values(value).every((one) => SWITCHES.includes(one as string)),
  },
  failOpen: isBoolean,
  listTimeoutMs: wholeFrom(0),
  attemptWindowMs: wholeFrom(0),
  coalesceMs: wholeFrom(0),
  callSpans: isBoolean,
  grant: isFunction,
  provider: isSchemaProvider,
  onToolList: isFunction,
  ...TOOL_LIMITS,
};

/** How many results did not fit the schema that their tool declares, by what happened to them. */
export interface InvalidResultCounts {
  /** Relayed as they came. */
  readonly reported: number;
  /** Replaced by an error of the tool. */
  readonly replaced: number;
}

/** What the steps of one gate share. */
export interface GateServices {
  readonly contract: Contract;
  readonly settings: Required<
    Pick<GateSettings, "mode" | "soft" | "results" | "onExhausted" | "failOpen">
  > & {
    /** `soft` for tools that the server does not list but may still accept. */
    readonly onUnlisted: NonNullable<GateSettings["soft"]>;
  };
  /** Whether the user turned validation off for a tool. */
  readonly isOff: (name: string) => boolean;
  readonly check: CheckInGate;
  /** Counts a valid call that is forwarded whatever its count is. */
  readonly countValid: ReturnType<typeof authorOf>["countValid"];
  readonly unvalidated: Unvalidated;
  readonly invalidResults: { -readonly [Outcome in keyof InvalidResultCounts]: number };
  readonly lists: ToolLists;
  /** Writes the schemas that clients are shown; undefined if they stay as they are. */
  readonly shown: ShownSchema | undefined;
  readonly turns: ModelTurns;
  readonly conversations: Conversations;
  /** Grants what a person at a client has agreed to; undefined if nobody is asked. */
  readonly grantFor: GateSettings["grant"];
  /** Undefined without telemetry. */
  readonly operations: Operations | undefined;
  readonly beginTrace: BeginTrace;
  /** Undefined if the user has set no limit. */
  readonly limiter: ToolLimiter | undefined;
  /** Where attempts are counted, unless the user passed a store or a contract. */
  readonly ownStore: AttemptStore;
  /** How many calls enforcing would have refused, with the counts of the contracts before this one. */
  readonly counts: () => readonly MetricsSnapshot[];
}

/**
 * Checks the options and creates the gate's services.
 *
 * @param where - The function that received the options, named in errors.
 * @param softOfTools - The default of `soft` for listed tools.
 * @param kept - The services before these, if the options have changed: what was counted and learnt goes on.
 */
export function createGateServices(
  options: GateOptions,
  where: string,
  softOfTools: NonNullable<GateSettings["soft"]> = "assist",
  kept?: GateServices,
): GateServices {
  const { listTimeoutMs = 5_000, attemptWindowMs = 600_000, coalesceMs = 100 } = options;
  const isOwn = options.contract === undefined && options.store === undefined;
  const now = (): number => contract.settings.clock();
  const ownStore =
    kept?.ownStore ?? createFairStore({ max: MAX_COUNTED, idleTime: attemptWindowMs, clock: now });
  // A server behind a proxy may take a string as it is: unless the user says so, only assist repairs on the way.
  const isLeft = options.contract === undefined && options.unwrapStrings === undefined;
  const own = {
    ...(isOwn && { store: ownStore }),
    ...(isLeft && options.mode !== "assist" && { unwrapStrings: false }),
  };
  const contract = contractFrom(where, { ...options, ...own }, OWN);
  const unvalidated = kept?.unvalidated ?? createUnvalidated(contract);
  const { clock } = contract.settings;
  const checkNames = createNameCheck(contract, Object.keys(options.tools ?? {}));
  const author = authorOf(contract);
  const prepare = createPreparation((tool) => author.prepare(tool));
  const { mode = "enforce", soft = softOfTools, onExhausted = "answer", failOpen = true } = options;
  const { soft: onUnlisted = "assist", results = "report" } = options;
  const { tools: switches = {}, rules, redact, contract: given, onToolList } = options;
  if (contract.settings.runsTools && mode !== "enforce") {
    throw new ToolContractError(
      `${where}: 'guardrails' and 'maxCallsPerTurn' need mode "enforce": in mode "${mode}" nothing may be refused.`,
    );
  }
  const isSynchronous =
    given === undefined &&
    rules === undefined &&
    redact === undefined &&
    options.guardrails === undefined;
  return {
    contract,
    settings: { mode, soft, onUnlisted, results, onExhausted, failOpen },
    isOff: (name) => Object.hasOwn(switches, name) && switches[name] === "off",
    check: checkOf(contract, isSynchronous),
    countValid: author.countValid,
    unvalidated,
    invalidResults: kept?.invalidResults ?? { reported: 0, replaced: 0 },
    lists:
      kept?.lists ??
      createToolLists({
        clock,
        listTimeoutMs,
        onComplete: (listed) => {
          onToolList?.(listed.length);
          checkNames(listed.map(({ name }) => name));
          prepare(listed);
        },
        onFailure: (thrown) => unvalidated.report("tool-list", thrown),
      }),
    shown: schemasFor(options.provider),
    // In a store that processes share, only its state knows which calls others have answered.
    turns: kept?.turns ?? createModelTurns({ clock, coalesceMs: isOwn ? coalesceMs : 0 }),
    grantFor: options.grant,
    conversations: createConversations({ coalesceMs, isOwned: isOwn }),
    operations:
      kept?.operations ??
      createOperations(options.telemetry, (thrown) => {
        contract.settings.degraded("telemetry", thrown);
      }),
    beginTrace: createBeginTrace(options.telemetry, options.callSpans ?? false),
    // It holds the places of calls in flight.
    limiter: kept?.limiter ?? (hasLimits(options) ? createToolLimiter(options, where) : undefined),
    ownStore,
    counts: () => [...(kept?.counts() ?? []), contract.metrics()],
  };
}

function hasLimits(options: ToolLimits): boolean {
  return Object.keys(TOOL_LIMITS).some((name) => options[name as keyof ToolLimits] !== undefined);
}

const MAX_REPORTS = 100;

const NOT_LISTED = "Tools that are turned on or off by name are not in the server's list";

/**
 * Shows a stage the names of the server's tools, and logs each thing that is wrong with them once: a server may have other
 * tools for each user, and more of them later. Calls of a tool that the stage cannot guard are refused.
 */
function createNameCheck(
  { settings }: Contract,
  switched: readonly string[],
): (names: readonly string[]) => void {
  const reported = new Set<string>();
  const check = (names: readonly string[], areAll: boolean): void => {
    try {
      settings.checkTools(names, areAll);
    } catch (thrown) {
      if (!ToolContractError.isInstance(thrown)) return settings.degraded("stage", thrown);
      const { message } = thrown;
      if (reported.has(message) || reported.size >= MAX_REPORTS) return;
      reported.add(message);
      settings.log({ level: "warn", package: "mcp" }, message);
    }
  };
  const missing = new Set(switched);
  let isFirst = true;
  return (names) => {
    for (const name of names) missing.delete(name);
    if (isFirst && missing.size > 0) {
      const tools = [...missing].join(", ");
      settings.log({ level: "warn", package: "mcp", tools }, NOT_LISTED);
    }
    isFirst = false;
    check(names, true);
    // A name that is missing must not hide what is wrong with the others.
    check(names, false);
  };
}
