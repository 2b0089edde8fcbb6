import { isRecord } from "@toolcontract/explain/adapter";
import { FAILED_SILENTLY } from "../message/index.ts";
import { picturesLeftOut } from "../shared/index.ts";

/** The result of a tool call as the Model Context Protocol has it. */
export interface McpResult {
  /** Texts, pictures, files and links. */
  readonly content: readonly McpPart[];
  /** The result as a value. */
  readonly structuredContent?: unknown;
  /** Whether the tool failed. */
  readonly isError?: boolean;
}

/** A part of a result's content. */
type McpPart = Readonly<Record<string, unknown>>;

const MEMBERS: ReadonlySet<string> = new Set([
  "content",
  "structuredContent",
  "isError",
  "resultType",
  "_meta",
]);

/** The members of each type of part: those that must be strings, and those that may be there. */
const PARTS: ReadonlyMap<
  unknown,
  { readonly texts: readonly string[]; readonly all: ReadonlySet<string> }
> = new Map(
  Object.entries({
    text: { texts: ["text"], more: [] },
    image: { texts: ["data", "mimeType"], more: [] },
    audio: { texts: ["data", "mimeType"], more: [] },
    resource_link: {
      texts: ["uri", "name"],
      more: ["title", "description", "mimeType", "size", "icons"],
    },
    resource: { texts: [], more: ["resource"] },
  }).map(([type, { texts, more }]) => [
    type,
    { texts, all: new Set(["type", "annotations", "_meta", ...texts, ...more]) },
  ]),
);

/**
 * Whether a value is a result of MCP and nothing else: every part is one that the protocol has, and no member is foreign. A tool's own
 * mail, page or issue may have a list named `content` too, and whoever reads only its parts loses the rest.
 */
export function isMcpResult(value: unknown): value is McpResult {
  if (!isRecord(value) || !Array.isArray(value["content"])) return false;
  return Object.keys(value).every((name) => MEMBERS.has(name)) && value["content"].every(isPart);
}

function isPart(part: unknown): part is McpPart {
  if (!isRecord(part)) return false;
  const members = PARTS.get(part["type"]);
  if (members === undefined) return false;
  const { texts, all } = members;
  if (!texts.every((name) => typeof part[name] === "string")) return false;
  if (part["type"] === "resource" && !isResource(part["resource"])) return false;
  return Object.keys(part).every((name) => all.has(name));
}

function isResource(resource: unknown): boolean {
  if (!isRecord(resource) || typeof resource["uri"] !== "string") return false;
  return typeof resource["text"] === "string" || typeof resource["blob"] === "string";
}

/** What the model reads of a result: its texts, with a line for pictures, else its structured content. An error is never without words: APIs refuse that. */
export function mcpText({ content, structuredContent, isError }: McpResult): string {
  const text = content
    .filter(({ type }) => type !== "image")
    .map(partText)
    .join("\n");
  const pictures = content.filter(({ type }) => type === "image").length;
  const isSaid = text.trim() !== "" || structuredContent === undefined;
  const words = isSaid ? text : JSON.stringify(structuredContent);
  if (pictures > 0) return `${words}\n${picturesLeftOut(pictures)}`.trimStart();
  if (words.trim() !== "") return words;
  if (isError === true) return FAILED_SILENTLY;
  // It may be a tool's own object, and says as much as that.
  return content.length === 0 ? JSON.stringify({ content }) : text;
}

function partText(part: McpPart): string {
  if (part["type"] === "text") return String(part["text"]);
  return JSON.stringify(part, (name, value: unknown) =>
    isData(name) && typeof value === "string" ? `(${value.length} characters left out)` : value,
  );
}

/** Members that hold files as base64, which is nothing to read. */
function isData(name: string): boolean {
  return name === "data" || name === "blob";
}
