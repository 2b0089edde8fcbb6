import { isRecord } from "../shared/index.ts";

/** Tells the messages that the author of a validator wrote from those of its library. */
export interface OwnWords {
  /** Whether an issue's message is the author's; `sent` is what was sent at its place. */
  wrote(message: string, issue: Readonly<Record<string, unknown>>, sent: unknown): boolean;
}

type AnyFunction = (...args: readonly unknown[]) => unknown;

// Schemas are large only if they are generated, and then without messages.
const MAX_NODES = 10_000;
const MAX_FUNCTIONS = 200;
/** Stands for the library's message where a function is asked for its own. */
const DEFAULT = "\u0000default";
/** The members of zod's and valibot's schemas in which an author says what is wrong. */
const SAYING: ReadonlySet<string> = new Set(["message", "error", "errorMap"]);
/** The members that are functions and return parts of the schema. */
const LAZY: ReadonlySet<string> = new Set(["shape", "getter"]);
/** Members that hold no part of a schema. */
const SKIPPED: ReadonlySet<string> = new Set(["~standard", "~run", "reference", "defaultValue"]);

const known = new WeakMap<object, OwnWords>();

/** Finds the messages that an author wrote into a schema of zod or valibot, wherever in it. */
export function ownWords(validator: object): OwnWords {
  const found = known.get(validator) ?? readOwnWords(validator);
  known.set(validator, found);
  return found;
}

function readOwnWords(validator: object): OwnWords {
  const texts = new Set<string>();
  const functions = new Set<AnyFunction>();
  const seen = new Set<unknown>();
  const pending: unknown[] = [validator];
  while (pending.length > 0 && seen.size < MAX_NODES) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const [name, member] of membersOf(value)) {
      if (SAYING.has(name) && typeof member === "string") texts.add(member);
      else if (SAYING.has(name) && isFunction(member)) functions.add(member);
      else pending.push(LAZY.has(name) && isFunction(member) ? made(member) : member);
    }
  }
  const asked = [...functions].slice(0, MAX_FUNCTIONS);
  return {
    wrote: (message, issue, sent) =>
      message !== "" &&
      (texts.has(message) || asked.some((one) => says(one, message, issue, sent))),
  };
}

/** The parts of a schema by name; a library's class keeps them in its definition. */
function membersOf(value: object): readonly (readonly [string, unknown])[] {
  try {
    if (value instanceof Map) return [...value].map(([, part]) => ["", part] as const);
    const definition = definitionOf(value);
    return Object.entries(definition ?? value).filter(([name]) => !SKIPPED.has(name));
  } catch {
    // A getter may throw.
    return [];
  }
}

function definitionOf(value: object): object | undefined {
  const { _zod, _def } = value as { readonly _zod?: unknown; readonly _def?: unknown };
  const definition = isRecord(_zod) ? _zod["def"] : _def;
  return isRecord(definition) ? definition : undefined;
}

function made(make: AnyFunction): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Whether a function of the author says this of an issue; zod 3 and 4 call it differently, valibot like zod 4. */
function says(
  say: AnyFunction,
  message: string,
  issue: Readonly<Record<string, unknown>>,
  sent: unknown,
): boolean {
  try {
    const said = say({ ...issue, input: sent }, { data: sent, defaultError: DEFAULT });
    return (isRecord(said) ? said["message"] : said) === message;
  } catch {
    return false;
  }
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === "function";
}
