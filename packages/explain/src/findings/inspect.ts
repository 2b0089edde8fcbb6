import {
  type Finding,
  type MaybePromise,
  type ValidationError,
  chain,
  isBlocking,
} from "../shared/index.ts";
import type { Validation } from "../standard/index.ts";
import { aggregate, findingsWithin } from "./aggregate.ts";
import { type ErrorBuilding, buildErrors, withoutRepeats } from "./build-errors.ts";
import { withSentDigits } from "./rounded-numbers.ts";
import { type UnknownFields, withUnknownFields } from "./unknown-fields.ts";
import type { Validator } from "./validator.ts";

/** What was found in a value, before it is put into words. */
export interface Found {
  /** What the validator made of the value; the value itself if it was refused. */
  readonly output: unknown;
  /** What the validator refused it for; undefined if it was accepted. */
  readonly refusedFor?: readonly Finding[];
  /** The same, and the undeclared fields. */
  readonly findings: readonly Finding[];
  /** Whether there may be more. */
  readonly atLeast: boolean;
}

/** How a value is judged. */
export interface Judging extends UnknownFields {
  /** Whether the caller can wait for the validator. */
  readonly mayWait: boolean;
}

/** Judges a value. A validator that throws accepts it, which is a fault that is reported. */
export function judge(value: unknown, validator: Validator, options: Judging): MaybePromise<Found> {
  return chain(validated(value, validator, options), (validation) => {
    const refusedFor = validation.ok ? [] : validation.findings;
    const findings = withUnknownFields(refusedFor, value, validator, options);
    return validation.ok
      ? { output: validation.output, findings, atLeast: false }
      : { output: value, refusedFor, findings, atLeast: validation.atLeast };
  });
}

function validated(
  value: unknown,
  validator: Validator,
  { mayWait, onFault }: Judging,
): MaybePromise<Validation> {
  try {
    return validator.validate(value, mayWait);
  } catch (thrown) {
    onFault("validate", thrown);
    return { ok: true, output: value };
  }
}

/** How findings are put into words. */
export interface Writing extends ErrorBuilding {
  /** The text of the arguments, if it is known. */
  readonly text?: string | undefined;
  /** Errors that read alike share a bullet, so more of them may be shown. */
  readonly maxErrors: number;
}

/** What was found, in words: one error for each place. */
export interface Written {
  readonly errors: readonly ValidationError[];
  /** Warnings and remarks. */
  readonly advisories: readonly ValidationError[];
  /** The number of errors, with those that are not shown. */
  readonly total: number;
  /** The errors that are not shown. */
  readonly hidden: readonly Finding[];
}

/** Puts findings into words. */
export function write(found: readonly Finding[], writing: Writing): MaybePromise<Written> {
  const { text, maxErrors } = writing;
  const findings = aggregate(found).map((finding) => withSentDigits(finding, text));
  const errors = findings.filter(isBlocking);
  const advisories = findings.filter((one) => !isBlocking(one)).slice(0, maxErrors);
  const named = findingsWithin(errors, maxErrors);
  return chain(buildErrors([...named, ...advisories], writing), (built) => {
    const shown = built.length - advisories.length;
    const blocking = withoutRepeats(built.slice(0, shown));
    return {
      errors: blocking,
      advisories: withoutRepeats(built.slice(shown)),
      total: errors.length - (shown - blocking.length),
      hidden: errors.length > named.length ? errors.filter((one) => !named.includes(one)) : [],
    };
  });
}
