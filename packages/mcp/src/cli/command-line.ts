import { parseArgs } from "node:util";
import { UnknownFlag, UsageError } from "./failure.ts";
import { expectedValue, OFF, pairOf, parseFlag } from "./flag.ts";
import { FLAG_ENTRIES, FLAGS, type FlagName, type Settings } from "./flags.ts";
import { environmentLayer, readSettings, type SettingsLayer } from "./settings.ts";

/** A parsed command line. */
export interface Arguments {
  /** The values of each given flag, in their order. */
  readonly flags: ReadonlyMap<FlagName, readonly string[]>;
  /** The server's command and arguments: everything from the first word that is not a flag. */
  readonly command: readonly string[];
  /** What is requested instead of a proxy. */
  readonly asks?: "help" | "version";
}

/** The proxy to run. */
export type Plan =
  | {
      readonly run: "stdio";
      readonly settings: Settings;
      readonly command: string;
      readonly args: readonly string[];
    }
  | { readonly run: "http"; readonly settings: Settings; readonly upstream: URL };

const TYPES = FLAG_ENTRIES.map(([name, { kind }]) => [
  name,
  { type: kind.type === "switch" ? ("boolean" as const) : ("string" as const) },
]);
const OPTIONS = {
  ...Object.fromEntries(TYPES),
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** Parses the command line up to the server's command; throws a UsageError if it is invalid. */
export function readArguments(argv: readonly string[]): Arguments {
  const flags = new Map<FlagName, string[]>();
  const { tokens } = parseArgs({ args: [...argv], options: OPTIONS, strict: false, tokens: true });
  let last = "";
  for (const token of tokens) {
    if (token.kind === "positional") {
      if (isWordOf(last, token.value)) {
        flags.get(last as FlagName)?.splice(-1, 1, token.value);
        last = "";
        continue;
      }
      refuseSwitchValue(last, token.value);
      return { flags, command: argv.slice(token.index) };
    }
    if (token.kind === "option-terminator") return { flags, command: argv.slice(token.index + 1) };
    const { name, rawName, value, inlineValue } = token;
    if (name === "help" || name === "version") return { flags, command: [], asks: name };
    if (isSwitchedOff(name)) {
      if (inlineValue === true) throw new UsageError(`${rawName} takes no value`);
      add(flags, name.slice("no-".length) as FlagName, OFF);
      continue;
    }
    if (!isFlag(name)) throw new UnknownFlag(rawName);
    if (
      FLAGS[name].kind.type !== "switch" &&
      (value === undefined || looksLikeFlag(value, inlineValue))
    ) {
      throw new UsageError(`${rawName} needs a value: ${rawName} ${exampleOf(name)}`);
    }
    add(flags, name, value ?? "on");
    last = inlineValue === true ? "" : name;
  }
  return { flags, command: [] };
}

/** The command line and the environment, in order of precedence. */
export function ownLayers(given: Arguments, env: NodeJS.ProcessEnv): readonly SettingsLayer[] {
  return [flagLayer(given), environmentLayer(env)].map((layer) => withVariables(layer, env));
}

/** Creates the plan from the command line and all settings; throws a UsageError if there is no server to guard. */
export function planOf(given: Arguments, layers: readonly SettingsLayer[]): Plan {
  const settings = readSettings(layers);
  checkQueueFlags(settings);
  const [command, ...args] = given.command;
  if (command !== undefined) {
    const stray = [...given.flags.keys()].find((name) => FLAGS[name].section === "HTTP");
    if (stray === "upstream") {
      throw new UsageError("pass either a server's command or --upstream <url>, not both");
    }
    if (stray !== undefined) {
      throw new UsageError(
        `--${stray} belongs to an HTTP proxy: pass --upstream <url>, or leave it out`,
      );
    }
    return { run: "stdio", settings, command, args };
  }
  if (settings.upstream === undefined) {
    throw new UsageError(
      "name the server to guard: toolcontract-mcp -- <command> [arguments], or --upstream <url>",
    );
  }
  return { run: "http", settings, upstream: urlOf(settings.upstream) };
}

function checkQueueFlags({ queue, "queue-of": queueOf }: Settings): void {
  const known = new Set(["default", ...queue.map((text) => pairOf(text)[0])]);
  const unknown = queueOf.map((text) => pairOf(text)[1]).find((name) => !known.has(name));
  if (unknown === undefined) return;
  const name = unknown.slice(0, 64);
  throw new UsageError(
    `queue "${name}" is not defined; known queues: ${[...known].join(", ")}; add --queue ${name}=<n>`,
  );
}

/** Whether a word is the value of the switch before it, such as `--unwrap-strings scalars`. */
function isWordOf(flag: string, word: string): boolean {
  if (!isFlag(flag)) return false;
  const { kind } = FLAGS[flag];
  return kind.type === "switch" && kind.words?.includes(word) === true;
}

/** `--fail-open true` would start the command `true` instead. */
function refuseSwitchValue(flag: string, word: string): void {
  if (!isFlag(flag) || FLAGS[flag].kind.type !== "switch") return;
  if (parseFlag(FLAGS[flag].kind, word) === undefined) return;
  throw new UsageError(`a switch takes its value with an equals sign: --${flag}=${word}`);
}

function add(flags: Map<FlagName, string[]>, name: FlagName, text: string): void {
  const texts = flags.get(name);
  if (texts) texts.push(text);
  else flags.set(name, [text]);
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name);
}

function isSwitchedOff(name: string): boolean {
  const rest = name.startsWith("no-") ? name.slice("no-".length) : "";
  return isFlag(rest) && (FLAGS[rest].kind.type === "switch" || FLAGS[rest].mayBeOff === true);
}

function looksLikeFlag(value: string, inlineValue: boolean | undefined): boolean {
  return inlineValue !== true && value.startsWith("-");
}

function exampleOf(name: FlagName): string {
  const { kind, value } = FLAGS[name];
  return value ?? expectedValue(kind, value);
}

function flagLayer({ flags }: Arguments): SettingsLayer {
  return { texts: (name) => flags.get(name), called: (name) => `--${name}` };
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Puts the environment's values in place of `${NAME}` in headers: a token must not be in a command line that others can list. */
function withVariables(layer: SettingsLayer, env: NodeJS.ProcessEnv): SettingsLayer {
  const expand = (text: string): string =>
    text.replaceAll(VARIABLE, (_, name: string) => {
      const value = env[name];
      if (value !== undefined) return value;
      const [header = ""] = text.split(":");
      throw new UsageError(`${layer.called("header")} ${header}: there is no variable ${name}`);
    });
  return {
    ...layer,
    texts: (name) => (name === "header" ? layer.texts(name)?.map(expand) : layer.texts(name)),
  };
}

function urlOf(text: string): URL {
  if (!URL.canParse(text)) {
    throw new UsageError("--upstream must be a URL such as https://example.com/mcp");
  }
  return new URL(text);
}
