import {
  isRecord,
  keysOfPointer,
  type ServerResponse,
  METHOD_NOT_FOUND,
  INVALID_PARAMS,
  INTERNAL_ERROR,
} from "../../wire/index.ts";
import { issuesInText, issuesOf, type ReportedIssue } from "./reported-issues.ts";

/** A server's rejection of a call. */
export interface UpstreamRejection {
  /** The server's own content, if it says more than that the arguments are wrong. */
  readonly extra: readonly unknown[];
}

/** The call that a server may have rejected. */
export interface RejectedCall {
  /** The tool's name. */
  readonly name: string;
  /** JSON Pointers of the arguments that do not fit the schema. */
  readonly faults: readonly string[];
}

/** Reads a rejection of a call; undefined for a success, and for failures of the connection or the server. */
export function readUpstreamRejection(
  response: ServerResponse,
  call: RejectedCall,
): UpstreamRejection | undefined {
  if (response.kind === "result") {
    const { isError, content } = response.result;
    if (isError !== true) return undefined;
    const parts: readonly unknown[] = Array.isArray(content) ? content : [];
    return { extra: isAboutArguments(firstText(parts), call) ? [] : parts };
  }
  const { code, message, data } = response.error;
  const text = typeof message === "string" ? message : "";
  if (code === INVALID_PARAMS) return isDisabled(call.name, text) ? undefined : { extra: [] };
  if (code === METHOD_NOT_FOUND) return UNKNOWN_TOOL.test(text) ? { extra: [] } : undefined;
  if (code !== INTERNAL_ERROR) return undefined;
  const isSaid =
    text === "" || isAboutArguments(text, call) || areAboutFaults(issuesOf(data), call);
  return { extra: isSaid ? [] : [{ type: "text", text }] };
}

/** A rejection of arguments says so at its beginning. */
const MAX_READ = 2_000;
const START = String.raw`^(?:### Error\s+)?(?:Error: )?(?:MCP error -3260[123]: )?`;

/** How the SDKs reject arguments; no tool speaks of itself like this. */
const SDK_WORDS = new RegExp(
  `${START}(?:Input validation error|Invalid (?:arguments for tool|tools/call request|task creation result))\\b`,
);
const UNKNOWN_TOOL = new RegExp(
  `${START}(?:(?:Unknown|No such) tool\\b|Tool not found\\b|(?:Tool|Method) .{1,600} not found$)`,
  "i",
);
/** Nothing is wrong with a call of such a tool, and the server's reason is the only one. */
const DISABLED_TOOL = new RegExp(String.raw`${START}Tool .{1,600} disabled$`);

/** The SDK takes `constructor` and the like for tools, because it looks them up in an object. */
function isDisabled(name: string, text: string): boolean {
  return DISABLED_TOOL.test(text) && !(name in Object.prototype);
}
/** serde's words. What it says of another server's response does not begin like this. */
const RUST_WORDS = new RegExp(
  `${START}(?:[\\w ]*parameters: )?invalid type: .{1,600}, expected\\b`,
);

function isAboutArguments(text: string, call: RejectedCall): boolean {
  const beginning = text.slice(0, MAX_READ);
  return (
    [SDK_WORDS, UNKNOWN_TOOL, RUST_WORDS].some((words) => words.test(beginning)) ||
    new RegExp(`${START}Invalid arguments for ${literal(call.name)}(?!\\w)`).test(beginning) ||
    call.faults.slice(0, MAX_FAULTS).some((fault) => namesFault(beginning, fault)) ||
    areAboutFaults(issuesInText(text), call)
  );
}

const MAX_FAULTS = 20;
const ZOD_WORDS =
  "(?:Required\\b|Unrecognized key|Too (?:big|small)\\b|(?:Number|String|Array) must\\b|Expected .{1,200}, received |Invalid (?:input|option|enum value|literal value)\\b)";

/**
 * Whether a text says of an argument with a fault what validators say. A tool that has run may use the same words of
 * something else, such as the response of an API, and must not be run again.
 */
function namesFault(text: string, fault: string): boolean {
  const segments = keysOfPointer(fault);
  if (segments.length === 0) return false;
  const names = segments.map(literal);
  const dotted = names.join("\\.");
  // As `a.0.b`, `a[0].b` and `a[].b`.
  const indexed = names.map((name) => (/^\d+$/.test(name) ? `\\[(?:${name})?\\]` : `\\.${name}`));
  const path = `(?:${dotted}|${indexed.join("").replace(/^\\\./, "")})`;
  return [
    `(?<![\\w.])${path}["'\`]?: ${ZOD_WORDS}`,
    `${START}Invalid ${path}: `,
    // Go, .NET and pydantic, whose servers deserialize arguments into types.
    `\\bcannot unmarshal [a-z]+ into Go (?:struct field \\w+\\.${dotted}|value) of type\\b`,
    `\\bJSON value could not be converted to\\b[^]*\\bPath: \\$\\.${path}(?!\\w)`,
    `\\bvalidation errors? for\\b[^]*\\n${dotted}(?:\\.|\\n)`,
  ].some((pattern) => new RegExp(pattern).test(text));
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Whether each issue is at an argument with a fault, or next to one: a validator may report a union as a whole. */
function areAboutFaults(issues: readonly ReportedIssue[], { faults }: RejectedCall): boolean {
  const places = faults.map(keysOfPointer);
  return issues.some(({ path }) =>
    places.some((place) => {
      // Arguments that are not an object are at fault as a whole.
      if (path.length === 0 || place.length === 0) return place.length === 0;
      const shared = Math.min(path.length, place.length);
      return place.slice(0, shared).join("/") === path.slice(0, shared).join("/");
    }),
  );
}

function firstText(content: readonly unknown[]): string {
  const [part] = content;
  const text = isRecord(part) ? part["text"] : undefined;
  return typeof text === "string" ? text : "";
}
