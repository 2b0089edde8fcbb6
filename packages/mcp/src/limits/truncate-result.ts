import { truncateText, truncateTexts } from "@toolcontract/session/tools";
import { isRecord, type Message } from "../wire/index.ts";

/** A result within its limit, and how many bytes it had. */
export interface TruncatedResult {
  readonly result: Message;
  /** UTF-8 bytes of its text, or of its structured content if that is what exceeded the limit. */
  readonly size: number;
  /** True if its structured content is gone: cut, it would match no schema. */
  readonly isUnstructured: boolean;
}

/**
 * Cuts the text of a tool's result to at most `max` bytes; undefined if it fits. All text parts, and the texts of embedded
 * resources, have one limit together; images, audio, blobs and links stay. Structured content has the same limit for its
 * JSON and is left out if it exceeds it, because JSON that is cut is no longer JSON; if no text says the same, the model reads its beginning.
 */
export function truncateResult(result: unknown, max: number): TruncatedResult | undefined {
  if (!isRecord(result)) return undefined;
  const { content, structuredContent, ...rest } = result;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const texts = resultTexts(result);
  const cut = truncateTexts(texts, max);
  const structured = truncateText(JSON.stringify(structuredContent) ?? "", max);
  if (!cut.isTruncated && !structured.isTruncated) return undefined;
  const kept = withTexts(parts, cut.texts);
  const shown = texts.length > 0 ? kept : [...kept, { type: "text", text: structured.text }];
  const keepsStructure = structuredContent !== undefined && !structured.isTruncated;
  return {
    result: { ...rest, content: shown, ...(keepsStructure && { structuredContent }) },
    size: cut.isTruncated ? cut.size : structured.size,
    isUnstructured: structured.isTruncated,
  };
}

/** The texts that a model reads of a result. */
export function resultTexts(result: unknown): readonly string[] {
  const content = isRecord(result) ? result["content"] : undefined;
  return Array.isArray(content) ? content.flatMap((part: unknown) => partTextOf(part) ?? []) : [];
}

/** The text of a part that a model reads; undefined if it has none. */
function partTextOf(part: unknown): string | undefined {
  if (!isRecord(part)) return undefined;
  const { type, text, resource } = part;
  const found = type === "resource" && isRecord(resource) ? resource["text"] : text;
  return typeof found === "string" ? found : undefined;
}

/** Puts the texts into their parts again. A part of which nothing is left is gone: models' APIs refuse empty ones. */
function withTexts(parts: readonly unknown[], texts: readonly string[]): readonly unknown[] {
  const left = [...texts];
  return parts.flatMap((part) => {
    const before = partTextOf(part);
    if (before === undefined || !isRecord(part)) return [part];
    const text = left.shift() ?? "";
    if (text === "" && before !== "") return [];
    const { type, resource } = part;
    const isResource = type === "resource" && isRecord(resource);
    return [isResource ? { ...part, resource: { ...resource, text } } : { ...part, text }];
  });
}
