import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema, ValidationError } from "@toolcontract/explain";
import type { MaybePromise } from "@toolcontract/explain/adapter";
import type { Lane } from "./lane.ts";

/** A tool call as the model sent it. */
export interface ToolCall {
  /** The provider's id of this call; the result carries the same id. */
  readonly id: string;
  /** The tool's name, as the model wrote it. */
  readonly name: string;
  /** The arguments: the model's JSON text, or the parsed value. */
  readonly arguments: unknown;
  /** The model's text, if the host itself parsed or completed `arguments`. */
  readonly rawText?: string;
  /** The text of a call of free text, whose `arguments` it is: it is judged as it is, and not read as JSON. */
  readonly text?: string;
  /** What the answer needs beside the id, such as who called, as `read` of `@toolcontract/core/wire` gives it; the result carries it. */
  readonly wire?: Readonly<Record<string, unknown>>;
}

/**
 * A call of free text, such as one of a custom tool of OpenAI, in place of {@link ToolCall}. The schema of its tool has the type `string`.
 */
export interface TextCall extends Omit<ToolCall, "arguments" | "text"> {
  /** The text, as the model sent it. */
  readonly text: string;
  readonly arguments?: undefined;
}

/** An error that a rule reports; only the message is required (defaults: VAL-016, severity `"error"`, at the root). */
export type RuleError = Partial<Omit<ValidationError, "actualValue">> &
  Pick<ValidationError, "message"> & {
    /** The raw value that was sent; it is masked, truncated and quoted before it is shown. */
    readonly actualValue?: unknown;
  };

/**
 * What the host knows about who calls: whatever it passes as `context` with a call. The model neither sees it nor sets it.
 *
 * @remarks Declare your own members by merging: `declare module "@toolcontract/core" { interface HostContext { role?: string } }`.
 */
export interface HostContext {
  /** Who the call is made for, such as `"u-17"`: limits and state of the scope `user` are kept apart by it. */
  readonly user?: string | number;
  /** The customer that the user belongs to: limits and state of the scope `tenant` are kept apart by it. */
  readonly tenant?: string;
  /** Grants of a person for calls that a guardrail asks about. */
  readonly grants?: readonly string[];
  readonly [member: string]: unknown;
}

/**
 * What a rule or a stage gets besides the arguments.
 *
 * @remarks Only the tool is always known: check() has no call, and not every host has turns and runs.
 */
export interface RuleContext {
  /** The tool's name. */
  readonly tool: string;
  /** The provider's id of the call. */
  readonly callId?: string;
  /** The conversation in which the call was made. */
  readonly conversationId?: string;
  /** What the host passed as `context`. */
  readonly context?: HostContext;
  /** The run, usually one per user message. */
  readonly runId?: string;
  /** The model turn; parallel calls share it. */
  readonly turnId?: string;
  /** The number of this attempt in its lane, from 1. */
  readonly attempt?: number;
  /** What a failure would be counted under. */
  readonly lane?: Lane;
  /** Aborts when the call is cancelled. */
  readonly signal?: AbortSignal;
}

/**
 * A requirement of one tool beyond its schema.
 *
 * It gets arguments that the schema accepted and returns what is wrong with them; no errors means they pass. If
 * it throws or rejects, the call is rejected (VAL-016).
 */
export type Rule<TArguments = unknown> = (
  args: TArguments,
  context: RuleContext,
) => MaybePromise<readonly RuleError[] | undefined | void>;

/** What a formatter gets besides the errors. */
export interface FormatterContext {
  /** The tool's name. */
  readonly tool: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** How many attempts the tool has. */
  readonly maxAttempts: number;
}

/** Returns one paragraph of guidance that is added to a tool's rejection message. */
export type Formatter = (
  errors: readonly ValidationError[],
  context: FormatterContext,
) => MaybePromise<string | undefined>;

/** What a tool's function knows about its call. */
export interface ExecuteContext {
  readonly call: ToolCall;
  readonly signal?: AbortSignal;
}

/** Runs a tool with its validator's output; a function for tools of many kinds gets `unknown`. */
export type Execute<TResult = unknown, TArguments = unknown> = (
  args: TArguments,
  context: ExecuteContext,
) => TResult;

/**
 * A tool: its name, and what its arguments must look like.
 *
 * @typeParam TArguments - What its rules get. `never` stands for any tool, since a rule of any arguments fits it.
 */
export interface ToolDefinition<TArguments = never> {
  readonly name: string;
  /** What the tool does, for the model. */
  readonly description?: string;
  /** Describes the arguments; with a `validator` beside it, it only explains faults. */
  readonly inputSchema?: JsonSchema;
  /** The tool's own validator (zod, valibot, arktype, any Standard Schema); it alone decides what is valid. */
  readonly validator?: StandardSchemaV1;
  readonly rules?: readonly Rule<TArguments>[];
  readonly formatter?: Formatter;
}

/**
 * A tool that carries the function that runs it.
 *
 * @typeParam TArguments - What its function and its rules get. `never` stands for any tool.
 */
export interface RunnableTool<
  TArguments = never,
  TResult = unknown,
> extends ToolDefinition<TArguments> {
  /** Runs the tool with arguments that its schema and its rules accept, unless the host passes an `execute` of its own. */
  readonly execute: Execute<TResult, TArguments>;
}

/** What a tool's function gets: its validator's output, or else what its rules take; `unknown` if the definition has no such type. */
export type ArgumentsOf<TTool> = TTool extends {
  readonly validator: infer TValidator extends StandardSchemaV1;
}
  ? StandardSchemaV1.InferOutput<TValidator>
  : TTool extends ToolDefinition<infer TArguments>
    ? [TArguments] extends [never]
      ? unknown
      : TArguments
    : unknown;

/** A tool whose function takes what its validator gives: for tools that defineTool() has not seen. */
export type Fitting<TTool> = TTool extends {
  readonly validator: infer TValidator extends StandardSchemaV1;
}
  ? TTool & { readonly execute: Execute<unknown, StandardSchemaV1.InferOutput<TValidator>> }
  : TTool;
