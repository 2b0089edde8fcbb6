import type { StandardSchemaV1 } from "@standard-schema/spec";
import { chain, type MaybePromise } from "../maybe-promise.ts";

interface Parser {
  safeParse(input: unknown): unknown;
  safeParseAsync(input: unknown): Promise<unknown>;
}

const asynchronous = new WeakSet<object>();

/**
 * Runs a validator, synchronously wherever it can be, and answers what it answered.
 *
 * @remarks Where a refinement throws, the Standard Schema entry of zod starts over asynchronously, so
 * that an ordinary bug looks like an asynchronous validator; and it tries every asynchronous one
 * synchronously first, which runs its refinements twice and leaves a promise that nobody handles.
 */
export function runValidator(validator: StandardSchemaV1, input: unknown): MaybePromise<unknown> {
  const parser = parserOf(validator);
  if (!parser) return validator["~standard"].validate(input);
  if (asynchronous.has(validator)) return chain(parser.safeParseAsync(input), resultOf);
  try {
    return resultOf(parser.safeParse(input));
  } catch (error) {
    if (!wantsPromise(error)) throw error;
    asynchronous.add(validator);
    return chain(parser.safeParseAsync(input), resultOf);
  }
}

function parserOf(validator: StandardSchemaV1): Parser | undefined {
  const { safeParse, safeParseAsync } = validator as Partial<Parser>;
  const isZod = validator["~standard"].vendor === "zod";
  return isZod && typeof safeParse === "function" && typeof safeParseAsync === "function"
    ? (validator as StandardSchemaV1 & Parser)
    : undefined;
}

/** Every version says so in these words; the class of the error is private to it. */
function wantsPromise(error: unknown): boolean {
  return error instanceof Error && error.message.includes("parseAsync");
}

function resultOf(parsed: unknown): unknown {
  const { success, data, error } = parsed as {
    readonly success: boolean;
    readonly data?: unknown;
    readonly error?: { readonly issues: unknown };
  };
  return success ? { value: data } : { issues: error?.issues };
}
