import { type MaybePromise, chain, isPromiseLike } from "../shared/index.ts";

/** Where the value that a redactor gets was sent. */
export interface RedactionContext {
  /** The tool's name. */
  readonly tool: string;
  /** JSON Pointer of the value, as messages show it. */
  readonly fieldPath: string;
}

/**
 * Extra redaction of one echoed value, after the built-in masking and before cutting and quoting.
 *
 * It gets the value's text and returns what may be shown. One that throws, rejects or returns no text
 * hides the value.
 */
export type Redactor = (value: string, context: RedactionContext) => MaybePromise<string>;

/** Runs redactors one after the other; undefined where one of them failed. */
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
    if (isPromiseLike(redacted)) return Promise.resolve(redacted).then(textOnly, () => undefined);
    return textOnly(redacted);
  } catch {
    return undefined;
  }
}

function textOnly(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
