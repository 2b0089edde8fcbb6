import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "./json.ts";
import type { MaybePromise } from "./maybe-promise.ts";
import { ToolContractError } from "./tool-contract-error.ts";
import type { ValidationError } from "./validation-error.ts";

/** A tool call as the model made it. */
export interface ToolCall {
  /** The provider's id of this call; the answer carries the same one. */
  readonly id: string;
  /** The tool's name, as the model wrote it. */
  readonly name: string;
  /** The arguments as the model sent them: JSON text, or an already parsed value. */
  readonly arguments: unknown;
  /** The text from which the host made `arguments`, where it parsed or completed them itself. */
  readonly rawText?: string;
}

/** What a rule reports: an error with at least a message; it is VAL-016 of severity error at the root unless it says otherwise. */
export type RuleError = Partial<Omit<ValidationError, "actualValue">> &
  Pick<ValidationError, "message"> & {
    /** The value that was sent, as it is: it is masked, cut and quoted before it is shown. */
    readonly actualValue?: unknown;
  };

/** What a rule may know beside the arguments. */
export interface RuleContext {
  /** The tool's name. */
  readonly tool: string;
  /** Aborts when the call is cancelled. */
  readonly signal?: AbortSignal;
}

/**
 * A requirement of one tool beyond its schema.
 *
 * It gets arguments that the schema accepted and returns what is wrong with them; an empty list lets
 * them pass. A rule that throws or rejects refuses the call (VAL-016).
 */
export type Rule<TArguments = unknown> = (
  args: TArguments,
  context: RuleContext,
) => MaybePromise<readonly RuleError[] | undefined | void>;

/** What a tool-specific formatter may know beside the errors. */
export interface FormatterContext {
  readonly tool: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly maxAttempts: number;
}

/** Adds one paragraph of guidance to a tool's rejections; it joins the message and never replaces it. */
export type Formatter = (
  errors: readonly ValidationError[],
  context: FormatterContext,
) => MaybePromise<string | undefined>;

/** A tool as the contract knows it. */
export interface ToolDefinition<TArguments = never> {
  readonly name: string;
  readonly description?: string;
  /** What the arguments must look like; beside a `validator` it only explains the faults. */
  readonly inputSchema?: JsonSchema;
  /** The tool's own validator (zod, valibot, arktype, any Standard Schema): it judges first and alone. */
  readonly validator?: StandardSchemaV1;
  readonly rules?: readonly Rule<TArguments>[];
  readonly formatter?: Formatter;
}

type ValidatedTool<TValidator extends StandardSchemaV1> = Omit<
  ToolDefinition<StandardSchemaV1.InferOutput<TValidator>>,
  "validator"
> & { readonly validator: TValidator };

/** Describes a tool; its rules get the arguments as the validator types them. */
export function defineTool<TValidator extends StandardSchemaV1>(
  definition: ValidatedTool<TValidator>,
): ValidatedTool<TValidator>;
/** Describes a tool; its rules get the arguments as `T`. */
export function defineTool<T = unknown>(definition: ToolDefinition<T>): ToolDefinition<T>;
export function defineTool(definition: ToolDefinition): ToolDefinition {
  checkDefinition(definition);
  return definition;
}

/** What others call the schema; a tool with one of these and no other schema would accept everything. */
const SCHEMA_NAMES: readonly string[] = [
  "parameters",
  "input_schema",
  "schema",
  "jsonSchema",
  "args_schema",
];

/** Throws where a tool's definition could not work, saying what is wrong and how to fix it. */
export function checkDefinition(definition: ToolDefinition): void {
  const name: unknown = definition?.name;
  if (typeof name !== "string" || name === "") {
    throw new ToolContractError(
      'A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.',
    );
  }
  const where = `Tool '${name.slice(0, 64)}'`;
  const { inputSchema, validator, rules, formatter } = definition;
  const misnamed = SCHEMA_NAMES.find((other) => Object.hasOwn(definition, other));
  if (inputSchema === undefined && validator === undefined && misnamed !== undefined) {
    throw new ToolContractError(
      `${where}: there is no '${misnamed}'; pass the JSON Schema as \`inputSchema\`, or a zod schema as \`validator\`.`,
    );
  }
  if (
    inputSchema !== undefined &&
    typeof inputSchema !== "boolean" &&
    !isPlainObject(inputSchema)
  ) {
    throw new ToolContractError(
      `${where}: inputSchema must be a JSON Schema object. A zod schema goes to \`validator\`.`,
    );
  }
  if (isPlainObject(inputSchema) && "~standard" in inputSchema) {
    throw new ToolContractError(
      `${where}: inputSchema is a Standard Schema validator; pass it as \`validator\`.`,
    );
  }
  if (validator !== undefined && typeof validator?.["~standard"]?.validate !== "function") {
    throw new ToolContractError(
      `${where}: validator must be a Standard Schema (zod 3.24+, valibot 1, arktype 2, …).`,
    );
  }
  if (
    rules !== undefined &&
    !(Array.isArray(rules) && rules.every((rule) => typeof rule === "function"))
  ) {
    throw new ToolContractError(
      `${where}: rules must be a list of functions (args, { tool, signal }) => errors.`,
    );
  }
  if (formatter !== undefined && typeof formatter !== "function") {
    throw new ToolContractError(
      `${where}: formatter must be a function (errors, context) => text or undefined.`,
    );
  }
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
