import type { ServerResponse } from "./server-response.ts";
import { isRecord } from "./record.ts";

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;

/** Whoever refuses arguments says so at once. */
const MAX_READ = 2_000;

/** How the SDKs of several languages begin when they refuse arguments or a tool's name. */
const WORDS: readonly RegExp[] = [
  /^(?:MCP error -3260[23]: )?Input validation error\b/,
  /^(?:MCP error -3260[23]: )?Invalid (?:arguments for tool|tools\/call request|task creation result)\b/,
  /^(?:MCP error -3260[23]: )?(?:(?:Unknown|No such) tool\b|Tool not found\b|Tool .{1,600} not found$)/i,
  // Go, Rust and .NET, whose servers read arguments into types.
  /\bcannot unmarshal [a-z]+ into Go\b/,
  /\binvalid type: .{1,600}, expected\b/,
  /\bJSON value could not be converted to\b/,
  /\bvalidation errors? for\b/,
  /^\s*\[\s*\{[^]{0,400}"(?:code|path)"\s*:/,
];

/** A server's refusal, with whatever in it is more than words about the arguments. */
export interface UpstreamRejection {
  /** The content that the model still needs, after the contract's own. */
  readonly own: readonly unknown[];
}

/**
 * Reads an error answer to a call that the contract found invalid; undefined where it is a success or a fault of the
 * connection.
 */
export function readRejection(response: ServerResponse): UpstreamRejection | undefined {
  if (response.kind === "result") {
    const { isError, content } = response.result;
    if (isError !== true) return undefined;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [];
    return { own: isAboutArguments(firstText(parts)) ? [] : parts };
  }
  const { code, message } = response.error;
  if (code === INVALID_PARAMS) return { own: [] };
  if (code !== INTERNAL_ERROR) return undefined;
  const text = typeof message === "string" ? message : "";
  return { own: text === "" || isAboutArguments(text) ? [] : [{ type: "text", text }] };
}

function isAboutArguments(text: string): boolean {
  const beginning = text.slice(0, MAX_READ);
  return WORDS.some((words) => words.test(beginning));
}

function firstText(content: readonly unknown[]): string {
  const [part] = content;
  const text = isRecord(part) ? part["text"] : undefined;
  return typeof text === "string" ? text : "";
}
