import { tool as sdkTool } from "@openai/agents";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { isStandardSchema } from "@toolcontract/core/adapter";
import type { AnyFunctionTool } from "./sdk.ts";

const schemas = new WeakMap<object, StandardSchemaV1>();
const failures = new WeakMap<object, { readonly thrown: unknown }>();

type ToolOptions = Parameters<typeof sdkTool>[0];

/** The part of what a tool's function knows that names its call. */
interface Details {
  readonly toolCall?: object;
}

/**
 * Makes a tool as the SDK's `tool` does, for `withContract`. It keeps the schema, which judges in place of the JSON Schema that the
 * provider is shown, and what the function throws, which guardrails must see before the SDK answers it with a text.
 *
 * @example
 * ```ts
 * const book = tool({ name: "book", description: "Books", parameters: z.object({ seats: z.number() }), execute: () => "booked" });
 * ```
 */
export const tool: typeof sdkTool = ((options: ToolOptions) => {
  const { execute } = options as { readonly execute?: (...given: readonly unknown[]) => unknown };
  if (typeof execute !== "function") return sdkTool(options);
  const noting = async (...given: readonly unknown[]): Promise<unknown> => {
    try {
      return await execute(...given);
    } catch (thrown) {
      const { toolCall } = (given[2] ?? {}) as Details;
      if (toolCall) failures.set(toolCall, { thrown });
      throw thrown;
    }
  };
  // The SDK names a tool after its function.
  Object.defineProperty(noting, "name", { value: execute.name });
  const built = sdkTool({ ...options, execute: noting } as ToolOptions);
  const { parameters } = options as { readonly parameters?: unknown };
  // As the SDK does it: copies of a tool, such as those in a namespace, have its function.
  if (isStandardSchema(parameters)) schemas.set(built.invoke, parameters);
  return built;
}) as typeof sdkTool;

/** The schema that a tool was made with, if it was made here. */
export function schemaOf({ invoke }: AnyFunctionTool): StandardSchemaV1 | undefined {
  return schemas.get(invoke);
}

/** What the function of a tool that was made here threw in a call. */
export function failureOfCall(
  toolCall: object | undefined,
): { readonly thrown: unknown } | undefined {
  return toolCall && failures.get(toolCall);
}
