import { asSchema, InvalidToolInputError, TypeValidationError } from "ai";
import { zodOfTool } from "../zod-of-tool.ts";
import type { Rejecting } from "./rejecting.ts";

/** The AI SDK's own check and error, without the loop around it: the steps that its tool calls go through. */
export const aiSdkCheck: Rejecting = {
  name: "AI SDK 7: its check and its error's text",
  prepare: (tool) => {
    const zod = zodOfTool(tool);
    if (zod === undefined) throw new Error(`zod cannot read the schema of ${tool.name}.`);
    const schema = asSchema(zod);
    return async (toolInput) => {
      const value: unknown = JSON.parse(toolInput);
      const checked = await schema.validate?.(value);
      if (checked === undefined || checked.success) throw new Error(`It accepts ${toolInput}.`);
      const cause = TypeValidationError.wrap({ value, cause: checked.error });
      return new InvalidToolInputError({ toolName: tool.name, toolInput, cause }).toString();
    };
  },
};
