import { type MaybePromise, chain, isPromiseLike } from "../shared/index.ts";

/** Where the value was sent. */
export interface RedactionContext {
  /** The tool's name. */
  readonly tool: string;
  /** JSON Pointer of the value, as shown in messages. */
  readonly fieldPath: string;
}

/**
 * Redacts one echoed value, after the built-in masking and before truncation and quoting.
 *
 * It gets the value as a string and returns what may be shown. If it throws, rejects or returns anything but a
 * string, the value is hidden.
 */
export type Redactor = (value: string, context: RedactionContext) => MaybePromise<string>;

/** Runs redactors in order; undefined if one of them failed. */
export function redactText(
  text: string,
  redactors: readonly Redactor[],
  context: RedactionContext,
): MaybePromise<string | undefined> {
  return redactors.reduce<MaybePromise<string | undefined>>(
    (before, redactor) =>
      chain(before, (shown) =>
        shown === undefined ? undefined : runRedactor(redactor, shown, context),
      ),
    text,
  );
}

function runRedactor(
  redactor: Redactor,
  text: string,
  context: RedactionContext,
): MaybePromise<string | undefined> {
  try {
    const redacted: MaybePromise<unknown> = redactor(text, context);
    if (isPromiseLike(redacted)) return Promise.resolve(redacted).then(asString, () => undefined);
    return asString(redacted);
  } catch {
    return undefined;
  }
}

function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
