import { type Contract, ToolContractError } from "@toolcontract/core";
import {
  contractFrom,
  type OptionRule,
  type OptionRules,
  isBoolean,
  isFunction,
  isObject,
  isSchemaProvider,
  isString,
  oneOf,
  type SchemaProvider,
  type ShownSchema,
  schemasFor,
  type WithContract,
} from "@toolcontract/core/adapter";
import type { generateText, StopCondition, ToolCallRepairFunction, ToolSet } from "ai";
import {
  type Announcements,
  type AttemptCounter,
  createAnnouncements,
  createAttemptCounter,
  createRecentCalls,
  type RecentCalls,
} from "./attempts.ts";
import type { OutputOptions } from "./output-options.ts";
import { createToolDefinitions, type ToolDefinitions } from "./tool-definitions.ts";

/** What happens to the loop when a tool has no attempts left. */
export type Escalate = "drop-tool" | "stop" | "throw";

/**
 * What the SDK takes as `prepareStep`.
 *
 * @remarks Its own PrepareStepFunction accepts no ToolSet in versions 5 and 6 with `exactOptionalPropertyTypes`.
 */
export type PrepareStep<TOOLS extends ToolSet> = NonNullable<
  Parameters<typeof generateText<TOOLS>>[0]["prepareStep"]
>;

/**
 * The adapter's own options; all others are the contract's.
 *
 * @example
 * ```ts
 * const options: AdapterOptions<ToolSet> = { tools, escalate: "stop", conversationId: "chat-1" };
 * ```
 * @see packages/ai-sdk/README.md
 */
export interface AdapterOptions<TOOLS extends ToolSet> {
  /** All tools of the call; the guarded tools keep this exact type. */
  readonly tools: TOOLS;
  /**
   * `"drop-tool"` offers a blocked tool to the model no more, `"stop"` ends the loop, `"throw"` throws an EscalationError.
   *
   * @default "drop-tool"
   */
  readonly escalate?: Escalate;
  /** Your own repair function, called first; the call it returns is validated before the SDK sees it. */
  readonly repairToolCall?: ToolCallRepairFunction<NoInfer<TOOLS>>;
  /**
   * Your own stop conditions; the contract's are added to them.
   *
   * @remarks Pass them here: spreading the result overrides a `stopWhen` set earlier. Without any, the loop ends
   * after 20 steps.
   */
  readonly stopWhen?: StopCondition<NoInfer<TOOLS>> | readonly StopCondition<NoInfer<TOOLS>>[];
  /** Your own step preparation; its result is kept, without the tools that are blocked. */
  readonly prepareStep?: PrepareStep<NoInfer<TOOLS>>;
  /** The tools active in every step, as in the SDK's own settings: dropping a tool offers no other in either case. */
  readonly activeTools?: readonly (keyof NoInfer<TOOLS> & string)[];
  /**
   * Renames a call of an unknown tool to the one near name if the arguments fit that tool.
   *
   * @default false
   */
  readonly repairNames?: boolean;
  /**
   * The schema of the final answer: one that does not fit is asked for again in the same run, until its attempts are spent. The result
   * then has `output` for the SDK.
   *
   * @remarks What is streamed is the answer that fits: its text is held back until then.
   */
  readonly output?: OutputOptions;
  /**
   * `"tool-choice"`: after a refused call, the next request makes the model call that tool, once: it cannot wander off.
   *
   * @remarks Never for a blocked tool, and not after a second refusal.
   * @default the model is free
   */
  readonly retryWith?: "tool-choice";
  /**
   * Shows the model the schemas of the tools as this provider takes them, so that no tool's schema ends a request. The tools' own
   * schemas stay the judge of the calls.
   *
   * @default the schemas as they are
   */
  readonly provider?: SchemaProvider;
  /**
   * The conversation: named in logs and events, and shared by all runs that name it. Their guardrails give a repeated call
   * the same idempotency key, and a closed tool stays closed.
   *
   * @remarks Pass it only if the tools are guarded anew for each conversation. By default each run keeps to itself, also
   * if several users run the same guarded tools; attempts are counted from the messages in any case.
   */
  readonly conversationId?: string;
  /**
   * The agent that these tools are guarded for, as people call it: in logs and events, where several agents share a contract.
   *
   * @default none: the SDK names no agent
   */
  readonly agentName?: string;
}

/**
 * The adapter's options, with either a contract or the options of a new one.
 *
 * @example
 * ```ts
 * const options: WithContractOptions<ToolSet> = { tools, maxAttempts: 3, repairNames: true };
 * ```
 * @see packages/ai-sdk/README.md
 */
export type WithContractOptions<TOOLS extends ToolSet> = WithContract<AdapterOptions<TOOLS>>;

/** The options whose types do not depend on the tools. */
type OptionsOfGuard = Pick<
  AdapterOptions<ToolSet>,
  "tools" | "escalate" | "repairNames" | "retryWith" | "provider" | "conversationId" | "agentName"
> & { readonly activeTools?: readonly string[] };

/** What each option must be. */
export const ADAPTER_OPTIONS: OptionRules &
  Readonly<Record<keyof AdapterOptions<ToolSet>, OptionRule>> = {
  tools: { wants: "an object of tools by name, such as { read_file }", fits: isObject.fits },
  escalate: oneOf("drop-tool", "stop", "throw"),
  repairToolCall: isFunction,
  stopWhen: {
    wants: "a stop condition such as stepCountIs(8), or an array of them",
    fits: (value) => [value].flat().every(isFunction.fits),
  },
  prepareStep: isFunction,
  activeTools: {
    wants: "an array of tool names",
    fits: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  },
  repairNames: isBoolean,
  output: {
    wants: "an object such as { schema: z.object({ … }), maxAttempts: 3 }",
    fits: (value) => isObject.fits(value) && "schema" in (value as object),
  },
  retryWith: oneOf("tool-choice"),
  provider: isSchemaProvider,
  conversationId: isString,
  agentName: isString,
};

const TO_THE_SDK = "Pass it to generateText, streamText or the agent.";

/** Options of the SDK's own functions, and where they go. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  experimental_repairToolCall: "Pass your function as 'repairToolCall'.",
  experimental_prepareStep: "Pass your function as 'prepareStep'.",
  experimental_activeTools: "Pass the names as 'activeTools'.",
  maxSteps: "Pass stopWhen: stepCountIs(8).",
  ...Object.fromEntries(
    "model system instructions prompt messages toolChoice temperature maxOutputTokens abortSignal onFinish"
      .split(" ")
      .map((name) => [name, TO_THE_SDK]),
  ),
};

/** What the parts of one guarded tool set share. */
export interface Guard {
  readonly contract: Contract;
  /** The tools as they were declared. */
  readonly tools: ToolSet;
  readonly definitions: ToolDefinitions;
  readonly attempts: AttemptCounter;
  readonly recent: RecentCalls;
  readonly announcements: Announcements;
  readonly toolNames: readonly string[];
  readonly conversationId: string;
  /** False if the application named no conversation: then each run keeps to itself. */
  readonly isNamed: boolean;
  readonly agentName: string | undefined;
  readonly escalate: Escalate;
  readonly repairNames: boolean;
  /** Makes the next turn the last; absent if the model is then asked for words. */
  readonly endNext?: () => void;
  /** Whether a refused tool is the next request's tool choice. */
  readonly forcesRetry: boolean;
  /** Writes the schemas that the model is shown; undefined if they stay as they are. */
  readonly shown: ShownSchema | undefined;
}

/** Checks the options, those of a wider entry point among them, and creates the shared parts. */
export function createGuard(
  options: OptionsOfGuard,
  where = "withContract",
  more: OptionRules = {},
): Guard {
  checkGivenTools(options, where);
  const contract = contractFrom(where, options, { ...ADAPTER_OPTIONS, ...more }, ELSEWHERE);
  const { tools } = options;
  checkActive(options, where);
  const toolNames = Object.keys(tools);
  contract.settings.checkTools(toolNames);
  return {
    contract,
    tools,
    definitions: createToolDefinitions(tools, contract),
    ...createCounters(contract, toolNames),
    toolNames,
    conversationId: options.conversationId ?? "ai-sdk",
    isNamed: options.conversationId !== undefined,
    agentName: options.agentName,
    escalate: options.escalate ?? "drop-tool",
    repairNames: options.repairNames ?? false,
    forcesRetry: options.retryWith === "tool-choice",
    shown: schemasFor(options.provider),
  };
}

/**
 * The same guard for another run, which counts by itself: ids of calls may be the same in two runs.
 *
 * @param tools - Those of the run; `others` are offered too and have no contract.
 */
export function renewGuard(
  guard: Guard,
  tools: ToolSet,
  { others, endNext }: { readonly others: readonly string[] } & Required<Pick<Guard, "endNext">>,
): Guard {
  const toolNames = [...guard.toolNames, ...others];
  const counters = createCounters(guard.contract, guard.toolNames);
  return { ...guard, tools, toolNames, endNext, ...counters };
}

function createCounters(
  { settings: { scope } }: Contract,
  toolNames: readonly string[],
): Pick<Guard, "attempts" | "recent" | "announcements"> {
  const recent = createRecentCalls();
  const announcements = createAnnouncements();
  const facts = {
    markerOf: recent.markerOf,
    isAnnouncement: (message: never) => announcements.has(message),
  };
  return {
    attempts: createAttemptCounter({ scope, toolNames, ...facts }),
    recent,
    announcements,
  };
}

function checkGivenTools(options: Partial<OptionsOfGuard> | undefined, where: string): void {
  const tools: unknown = options?.tools;
  if (tools === undefined) {
    throw new ToolContractError(`${where}: pass the tools, such as { tools: { read_file } }.`);
  }
  if (!isObject.fits(tools)) return;
  if (isGuarded(tools)) {
    throw new ToolContractError(
      `${where}: option 'tools' is what withContract returned; pass the tools as they were declared.`,
    );
  }
  for (const [name, tool] of Object.entries(tools as object)) {
    if (isObject.fits(tool) && !isGuarded(tool)) continue;
    const isNothing = tool === undefined || tool === null;
    const fault = isGuarded(tool)
      ? "has a contract already"
      : `is ${isNothing ? String(tool) : "not a tool"}`;
    throw new ToolContractError(
      `${where}: option 'tools' must be ${ADAPTER_OPTIONS.tools.wants}; '${name.slice(0, 64)}' ${fault}.`,
    );
  }
}

const guardedTools = new WeakSet();

/** Remembers that tools have a contract: a second one would count and answer each call twice. */
export function markGuarded<T extends object>(value: T): T {
  guardedTools.add(value);
  return value;
}

const guards = new WeakMap<object, Guard>();

/** Remembers by which guard a set of tools is guarded. */
export function keepGuard(tools: ToolSet, guard: Guard): void {
  guards.set(tools, guard);
}

/** The guard of a set of tools; undefined if they have none. */
export function guardOf(tools: unknown): Guard | undefined {
  return isObject.fits(tools) ? guards.get(tools as object) : undefined;
}

function isGuarded(value: unknown): boolean {
  return typeof value === "object" && value !== null && guardedTools.has(value);
}

function checkActive({ tools, activeTools = [] }: OptionsOfGuard, where: string): void {
  const missing = activeTools.find((name) => !Object.hasOwn(tools, name));
  if (missing === undefined) return;
  throw new ToolContractError(
    `${where}: option 'activeTools' names '${missing.slice(0, 64)}', which is not among the tools.`,
  );
}
