import type { ToolSet } from "ai";

type AnyTool = ToolSet[string];

/** Tells whether the SDK's MCP client made the tool from what a server declares. */
export function isMcpTool(tool: AnyTool): boolean {
  return tool.type === "dynamic" && "_meta" in tool;
}

/** The words of a failed MCP result; undefined for every other output. */
export function mcpErrorText(output: unknown): string | undefined {
  if (typeof output !== "object" || output === null || !("isError" in output)) return undefined;
  const { isError, content } = output as { readonly isError: unknown; readonly content?: unknown };
  if (isError !== true || !Array.isArray(content)) return undefined;
  const texts = content.flatMap((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string"
      ? [part.text]
      : [],
  );
  return texts.length > 0 ? texts.join("\n") : "The tool failed and gave no reason";
}
