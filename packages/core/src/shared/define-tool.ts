import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkDefinition } from "./check-definition.ts";
import type { RunnableTool, ToolDefinition } from "./tool.ts";

/** A definition whose validator keeps its own type. */
type Validated<TDefinition, TValidator> = Omit<TDefinition, "validator"> & {
  /** The tool's own validator; it alone decides what is valid. */
  readonly validator: TValidator;
};

/** A definition whose arguments no validator types. */
interface WithoutValidator {
  readonly validator?: undefined;
}

/**
 * Defines a tool that carries its function: `handle` and `handleTurn` then need no `execute`. The function and the rules get
 * the arguments as the validator types them.
 *
 * @example
 * ```ts
 * const getWeather = defineTool({
 *   name: "get_weather",
 *   validator: z.object({ city: z.string() }),
 *   execute: ({ city }) => `Sunny in ${city}`,
 * });
 * ```
 * @throws ToolContractError if the definition is unusable.
 * @see docs/your-own-loop.md
 */
export function defineTool<TValidator extends StandardSchemaV1, TResult>(
  definition: Validated<
    RunnableTool<StandardSchemaV1.InferOutput<TValidator>, TResult>,
    TValidator
  >,
): Validated<RunnableTool<StandardSchemaV1.InferOutput<TValidator>, TResult>, TValidator>;
/** Defines a tool; its rules get the arguments as the validator types them. */
export function defineTool<TValidator extends StandardSchemaV1>(
  definition: Validated<ToolDefinition<StandardSchemaV1.InferOutput<TValidator>>, TValidator>,
): Validated<ToolDefinition<StandardSchemaV1.InferOutput<TValidator>>, TValidator>;
/** Defines a tool that carries its function; the function and the rules get the arguments as `T`. */
export function defineTool<T = unknown, TResult = unknown>(
  definition: RunnableTool<T, TResult> & WithoutValidator,
): RunnableTool<T, TResult>;
/** Defines a tool; its rules get the arguments as `T`. */
export function defineTool<T = unknown>(definition: ToolDefinition<T>): ToolDefinition<T>;
export function defineTool(definition: ToolDefinition): ToolDefinition {
  checkDefinition(definition);
  return definition;
}
