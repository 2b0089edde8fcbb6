/** The text of a message's content, which is a string, a list of parts, or an object that a program made. */
export function contentText(content: unknown): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(textOfPart).join("\n");
}

function textOfPart(part: unknown): string {
  if (typeof part === "string") return part;
  if (typeof part === "object" && part !== null && "text" in part) return contentText(part.text);
  return JSON.stringify(part);
}

/** The value as an object, so that its members can be read. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** The value as a list; one that is not is empty. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a string; one that is not is empty. */
export function stringOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Whether the arguments of a call are a JSON object, as formats without strings need them. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
