import { compress, decompress } from "./compress.ts";
import { OPTION_NAMES, isOptionName, misfit } from "./options.ts";
import {
  DEFAULT_OPTIONS,
  MAX_CALLS,
  type PlaygroundOptions,
  type PlaygroundState,
  type ToolText,
} from "./playground-state.ts";

/** The longest fragment; some browsers refuse addresses of a million characters. */
export const MAX_LINK = 200_000;
/** The longest JSON in a link, in bytes. */
const MAX_STATE = 4_000_000;
const VERSION = "v1";
const LINT_VERSION = "lint-v1";

/** Why there is no link, or no state in a link; for a person. */
interface LinkFault {
  readonly fault: string;
}

/** A state as a fragment, without its `#`. */
export type EncodedLink = { readonly fragment: string } | LinkFault;

/** What a fragment says. */
export type DecodedLink =
  | { readonly state: PlaygroundState }
  /** The id of an example that is unchanged. */
  | { readonly example: string }
  | LinkFault;

/** An example by its id, so that the link to it is short. */
export interface NamedState {
  readonly id: string;
  readonly state: PlaygroundState;
}

/** Writes a state as a fragment; `example` is what it began with. */
export async function encodeLink(
  state: PlaygroundState,
  example?: NamedState,
): Promise<EncodedLink> {
  const json = JSON.stringify(storedOf(state));
  if (example !== undefined && json === JSON.stringify(storedOf(example.state)))
    return { fragment: `example=${example.id}` };
  return packed(VERSION, json);
}

/** Writes tools to lint as a fragment. */
export async function encodeLintLink(text: string): Promise<EncodedLink> {
  return packed(LINT_VERSION, text);
}

async function packed(version: string, text: string): Promise<EncodedLink> {
  // Every character takes a byte or more.
  const bytes = text.length > MAX_STATE ? text.length : new TextEncoder().encode(text).length;
  if (bytes > MAX_STATE) return tooLarge("The state", bytes, MAX_STATE, "bytes");
  const fragment = `${version}.${await compress(text)}`;
  return fragment.length > MAX_LINK
    ? tooLarge("The link", fragment.length, MAX_LINK, "characters")
    : { fragment };
}

function tooLarge(what: string, size: number, max: number, unit: string): LinkFault {
  const [is, most] = [size, max].map((count) => count.toLocaleString("en-US"));
  return { fault: `This is too large for a link. ${what} has ${is} ${unit}, at most ${most} fit.` };
}

/** Reads a fragment without its `#`, whoever wrote it; undefined if it is empty. Never throws. */
export async function decodeLink(fragment: string): Promise<DecodedLink | undefined> {
  if (fragment === "") return undefined;
  if (fragment.length > MAX_LINK) return { fault: "This link is too long to come from this page." };
  const [, example] = /^example=([a-z0-9-]{1,64})$/.exec(fragment) ?? [];
  if (example !== undefined) return { example };
  const read = await unpacked(VERSION, fragment);
  return "fault" in read ? read : readStored(read.text);
}

/** Whether a fragment is of tools to lint. */
export function isLintLink(fragment: string): boolean {
  return /^lint(?:-v\d|$)/.test(fragment);
}

/** Reads the tools to lint from a fragment without its `#`; undefined if it holds none. Never throws. */
export async function decodeLintLink(
  fragment: string,
): Promise<{ readonly text: string } | LinkFault | undefined> {
  if (fragment === "lint") return undefined;
  if (fragment.length > MAX_LINK) return { fault: "This link is too long to come from this page." };
  return unpacked(LINT_VERSION, fragment);
}

async function unpacked(
  known: string,
  fragment: string,
): Promise<{ readonly text: string } | LinkFault> {
  const [, version, data = ""] = /^((?:lint-)?v\d{1,4})\.([\w-]*)$/.exec(fragment) ?? [];
  if (version === undefined) return { fault: "This link is not from this page, or it is damaged." };
  if (version !== known)
    return { fault: `This link has the format ${version}; this page reads ${known}.` };
  const read = await decompress(data, MAX_STATE);
  if (read === "damaged") return { fault: "This link is damaged, or its end is missing." };
  if (read === "large") return { fault: "This link holds more than this page reads." };
  return read;
}

/** What is written: the names are part of the format. */
interface Stored {
  readonly tool: string;
  readonly language?: ToolText["language"];
  readonly call: string;
  readonly sent?: readonly string[];
  readonly options?: Partial<PlaygroundOptions>;
}

/** A state without its defaults. */
function storedOf({ tool, call, sent, options }: PlaygroundState): Stored {
  const changed = OPTION_NAMES.filter((name) => options[name] !== DEFAULT_OPTIONS[name]);
  return {
    tool: tool.text,
    ...(tool.language !== "json" && { language: tool.language }),
    call,
    ...(sent.length > 0 && { sent }),
    ...(changed.length > 0 && {
      options: Object.fromEntries(changed.map((name) => [name, options[name]])),
    }),
  };
}

function readStored(json: string): DecodedLink {
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch {
    return { fault: "This link is damaged: its content is not JSON." };
  }
  const reason = misformOf(stored);
  if (reason !== undefined)
    return { fault: `This link does not hold a state of this page: ${reason}.` };
  const { tool, language = "json", call, sent = [], options } = stored as Stored;
  return {
    state: {
      tool: { language, text: tool },
      sent,
      call,
      options: { ...DEFAULT_OPTIONS, ...options },
    },
  };
}

const FIELDS: readonly string[] = ["tool", "language", "call", "sent", "options"];

/** Why a value is not what `storedOf` writes. */
function misformOf(stored: unknown): string | undefined {
  if (!isObject(stored)) return "it is not an object";
  const unknown = Object.keys(stored).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) return `it has the unknown field ${quote(unknown)}`;
  const { tool, language = "json", call, sent = [], options = {} } = stored;
  if (typeof tool !== "string") return "tool must be a string";
  if (language !== "json" && language !== "zod") return "language must be json or zod";
  if (typeof call !== "string") return "call must be a string";
  if (!Array.isArray(sent) || !sent.every((text) => typeof text === "string"))
    return "sent must be a list of strings";
  if (sent.length >= MAX_CALLS)
    return `it has ${sent.length + 1} calls, and a conversation here has ${MAX_CALLS} at most`;
  if (!isObject(options)) return "options must be an object";
  for (const [name, value] of Object.entries(options)) {
    if (!isOptionName(name)) return `there is no option ${quote(name)}`;
    const reason = misfit(name, value);
    if (reason !== undefined) return `the option ${name} ${reason}`;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 40));
}
