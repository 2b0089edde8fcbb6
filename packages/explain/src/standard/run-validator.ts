import type { StandardSchemaV1 } from "@standard-schema/spec";
import { type MaybePromise, chain, isRecord } from "../shared/index.ts";
import { type Zod3Schema, parseUnlessPromised } from "./zod-3.ts";

interface Parser {
  safeParse(input: unknown, params?: { readonly jitless: true }): unknown;
  safeParseAsync(input: unknown): PromiseLike<unknown>;
}

/**
 * Runs a validator as its library runs it, and returns its result in the form of Standard Schema.
 *
 * `mayWait` if the caller can wait for a promise.
 *
 * @remarks Only zod needs more than its Standard Schema entry, which tries every validator synchronously first: that
 * runs asynchronous parts twice, leaves their promises unhandled, and takes an ordinary bug for an asynchronous part.
 */
export function runValidator(
  validator: StandardSchemaV1,
  input: unknown,
  mayWait: boolean,
): MaybePromise<unknown> {
  const parser = isPlain(validator) ? undefined : zodParser(validator);
  if (!parser) return validator["~standard"].validate(input);
  return mayWait ? chain(parser.safeParseAsync(input), parserResult) : parseNow(parser, input);
}

function zodParser(validator: StandardSchemaV1): Parser | undefined {
  const { safeParse, safeParseAsync } = validator as Partial<Parser>;
  const isZod = validator["~standard"].vendor === "zod";
  return isZod && typeof safeParse === "function" && typeof safeParseAsync === "function"
    ? (validator as StandardSchemaV1 & Parser)
    : undefined;
}

const plainSchemas = new WeakMap<object, boolean>();

/**
 * Whether a zod 4 schema holds no function of its author, so that nothing in it can be asynchronous: its compiled
 * parser is several times as fast as the asynchronous one.
 */
function isPlain(validator: object): boolean {
  const known = plainSchemas.get(validator);
  if (known !== undefined) return known;
  const found = "_zod" in validator && !holdsFunction(validator, new Set());
  plainSchemas.set(validator, found);
  return found;
}

/** The members of definitions that are zod's own functions, or cannot be asynchronous. */
const OWN_FUNCTIONS: ReadonlySet<string> = new Set(["defaultValue", "when"]);

interface Definition {
  readonly type?: string;
  readonly check?: string;
}

/** Looks through the definitions of a schema, which zod documents for authors of libraries. */
function holdsFunction(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value === "function") return !("_zod" in value) || holdsFunction(value._zod, seen);
  if (typeof value !== "object" || value === null || seen.has(value)) return false;
  seen.add(value);
  if ("_zod" in value) {
    const { def } = value._zod as { readonly def: Definition };
    // A refinement keeps its function elsewhere.
    return def.type === "promise" || def.check === "custom" || holdsFunction(def, seen);
  }
  if (value instanceof RegExp || value instanceof Set) return false;
  return Object.keys(value).some(
    (name) => !OWN_FUNCTIONS.has(name) && holdsFunction(Reflect.get(value, name), seen),
  );
}

/** Parses synchronously; a promise is returned only for a validator that is certainly asynchronous. */
function parseNow(parser: Parser, input: unknown): MaybePromise<unknown> {
  const wait = (): MaybePromise<unknown> => chain(parser.safeParseAsync(input), parserResult);
  try {
    const parsed = isZod3Parser(parser)
      ? parseUnlessPromised(parser, input)
      : parser.safeParse(input);
    return parsed === undefined ? wait() : parserResult(parsed);
  } catch (error) {
    if (isAsynchronous(error) || tripsCompiler(parser, input, error)) return wait();
    throw error;
  }
}

/** Whether zod's words for an asynchronous part are in an error; its class is private. */
function isAsynchronous(error: unknown): boolean {
  return error instanceof Error && error.message.includes("parseAsync");
}

/** Whether the compiled parser of zod 4 has read a promise in an object; the other parser says so, or accepts it. */
function tripsCompiler(parser: Parser, input: unknown, error: unknown): boolean {
  if (!(error instanceof TypeError) || !("_zod" in parser)) return false;
  try {
    parser.safeParse(input, { jitless: true });
    return true;
  } catch (other) {
    return isAsynchronous(other);
  }
}

function isZod3Parser(parser: Parser): parser is Parser & Zod3Schema {
  return !("_zod" in parser) && "_def" in parser && isRecord(parser._def);
}

interface ParserResult {
  readonly value?: unknown;
  readonly issues?: unknown;
}

function parserResult(parsed: unknown): ParserResult {
  const { success, data, error } = parsed as {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: unknown };
  };
  return success ? { value: data } : { issues: error?.issues };
}
