import { isRecord } from "../explain/json-type.ts";

/** What a tool's return value is on the wire. */
export interface WireOutput {
  readonly content: string;
  readonly isError: boolean;
}

/**
 * The text of what a tool returned: text as it is, an MCP result's text parts with its error flag, all else as JSON.
 *
 * A stream is not read: its content is empty, and the value itself stays with the host.
 */
export function toWireOutput(output: unknown): WireOutput {
  try {
    return readOutput(output);
  } catch {
    // The tool has run: what it returned reaches the host, whether it can be read or not.
    return { content: "", isError: false };
  }
}

function readOutput(output: unknown): WireOutput {
  if (typeof output === "string") return { content: output, isError: false };
  if (isRecord(output) && Array.isArray(output["content"])) {
    return {
      content: output["content"].map(partText).join("\n"),
      isError: output["isError"] === true,
    };
  }
  return { content: isStream(output) ? "" : jsonText(output), isError: false };
}

function partText(part: unknown): string {
  return isRecord(part) && typeof part["text"] === "string" ? part["text"] : jsonText(part);
}

function isStream(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (Symbol.asyncIterator in value || "getReader" in value)
  );
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
