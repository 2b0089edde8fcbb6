import type { ToolSet } from "ai";

type AnyTool = ToolSet[string];
type Output = Awaited<ReturnType<NonNullable<AnyTool["toModelOutput"]>>>;
type Failure = Extract<Output, { readonly type: "error-text" | "error-json" }>;

/** Tells whether the SDK's MCP client made the tool from what a server declares. */
export function isMcpTool(tool: AnyTool): boolean {
  return tool.type === "dynamic" && "_meta" in tool;
}

/** A failed MCP result as the model reads it, its error flag kept; undefined for every other output. */
export function mcpFailure(result: unknown): Failure | undefined {
  if (typeof result !== "object" || result === null || !("isError" in result)) return undefined;
  const { isError, content } = result as { readonly isError: unknown; readonly content?: unknown };
  if (isError !== true || !Array.isArray(content)) return undefined;
  if (!content.every(isText) || (content.length === 0 && "structuredContent" in result)) {
    return { type: "error-json", value: JSON.parse(JSON.stringify(result)) };
  }
  const text = content.map((part) => part.text).join("\n");
  return { type: "error-text", value: text || "The tool failed and gave no reason" };
}

function isText(part: unknown): part is { readonly text: string } {
  if (typeof part !== "object" || part === null) return false;
  return "text" in part && typeof part.text === "string";
}
