import { asSchema, type ToolSet } from "ai";
import { hasForbiddenKeys } from "./forbidden-keys.ts";

/**
 * Tells whether the SDK will take a mended call.
 *
 * @remarks One that it does not take is answered with its own text, which holds every argument: it asks only once.
 */
export async function sdkAccepts(
  { toolName, input }: { readonly toolName: string; readonly input: string },
  tools: ToolSet,
): Promise<boolean> {
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined || hasForbiddenKeys(input)) return false;
  try {
    const value: unknown = input.trim() === "" ? {} : JSON.parse(input);
    const verdict = await asSchema(tool.inputSchema).validate?.(value);
    return verdict?.success ?? true;
  } catch {
    return false;
  }
}
