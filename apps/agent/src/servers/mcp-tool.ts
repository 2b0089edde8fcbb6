import type { CallToolResult, ContentBlock, Tool } from "@modelcontextprotocol/client";
import { dynamicTool, type JSONSchema7, jsonSchema, type ToolSet } from "ai";
import type { Server } from "./open-server.ts";
import { connectionFault } from "./why-not-started.ts";

type Output = Awaited<ReturnType<NonNullable<ToolSet[string]["toModelOutput"]>>>;
type Part = Extract<Output, { readonly type: "content" }>["value"][number];

/** The longest that a timer takes: the session has its own limit. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** A tool of a server as one of the AI SDK. */
export function mcpTool({ name, description, inputSchema }: Tool, server: Server): ToolSet[string] {
  return dynamicTool({
    ...(description !== undefined && { description }),
    inputSchema: jsonSchema(inputSchema as JSONSchema7),
    async execute(input, { abortSignal }) {
      const options = { timeout: NO_LIMIT_MS, ...(abortSignal && { signal: abortSignal }) };
      await server.revive();
      const { client, child } = server;
      try {
        return await client.callTool(
          { name, arguments: input as Record<string, unknown> },
          options,
        );
      } catch (thrown) {
        const fault = connectionFault(thrown);
        const end = child?.end ?? (fault && `cannot be reached: ${fault}`);
        if (end === undefined) throw thrown;
        throw new Error(`the MCP server "${server.name}" ${end}`, { cause: thrown });
      }
    },
    toModelOutput: ({ output }) => outputOf(output as CallToolResult),
  });
}

/** What the model reads of a result; a failure stays one. */
export function outputOf({ content, structuredContent, isError }: CallToolResult): Output {
  const parts = content.length === 0 ? structuredParts(structuredContent) : content.map(partOf);
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const value = texts.join("\n");
  if (isError === true) {
    return { type: "error-text", value: value || "The tool failed and gave no reason" };
  }
  // Some providers show a result of parts as JSON, even if all of them are texts.
  return texts.length === parts.length
    ? { type: "text", value }
    : { type: "content", value: parts };
}

function structuredParts(structured: unknown): Part[] {
  return structured === undefined ? [] : [text(JSON.stringify(structured))];
}

function partOf(block: ContentBlock): Part {
  switch (block.type) {
    case "text":
      return text(block.text);
    case "image":
      return { type: "file", data: { type: "data", data: block.data }, mediaType: block.mimeType };
    case "resource":
      return text(
        "text" in block.resource
          ? block.resource.text
          : binary(block.resource.uri, block.resource.mimeType),
      );
    case "resource_link":
      return text(`[${block.title ?? block.name}](${block.uri})`);
    case "audio":
      return text(binary("audio", block.mimeType));
    default:
      return text(JSON.stringify(block));
  }
}

function text(value: string): Part {
  return { type: "text", text: value };
}

/** What is said of data that is not an image. */
function binary(what: string, mimeType: string | undefined): string {
  return `(${what}${mimeType === undefined ? "" : `, ${mimeType}`}: not shown)`;
}
