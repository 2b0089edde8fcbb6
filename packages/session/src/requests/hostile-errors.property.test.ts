import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { classifyError, isErrorKind } from "./classify-error.ts";
import { messageOf } from "./message-of.ts";
import { retryAfterMs } from "./retry-after.ts";

const throwing = (): never => {
  throw new Error("no");
};

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Every property is another object like it. */
function endless(): object {
  return new Proxy({}, { get: () => endless() });
}

const cyclic: Record<string, unknown> = { message: "a" };
cyclic["cause"] = cyclic;
cyclic["errors"] = [cyclic, { error: cyclic }];

const wide = {
  errors: Array.from({ length: 100_000 }, (_, index) => ({ message: String(index) })),
};

const HOSTILE: readonly (readonly [string, () => unknown])[] = [
  ["getters that throw", () => new Proxy({}, { get: throwing, has: throwing, ownKeys: throwing })],
  [
    "a message whose getter throws",
    () => Object.defineProperty(new Error("x"), "message", { get: throwing }),
  ],
  ["a revoked proxy", revoked],
  ["a revoked proxy as the cause", () => new Error("x", { cause: revoked() })],
  ["a revoked proxy as the headers", () => ({ headers: revoked(), errors: revoked() })],
  ["endless properties", endless],
  ["a circle", () => cyclic],
  ["a hundred thousand errors", () => wide],
  ["no prototype", () => Object.assign(Object.create(null) as object, { message: "x" })],
  ["a function", () => throwing],
  ["a symbol", () => Symbol("x")],
  ["a bigint", () => 1n],
  ["headers without keys", () => ({ headers: new Proxy({}, { ownKeys: throwing }) })],
  ["a megabyte of blanks", () => " ".repeat(1_000_000)],
  ["a megabyte of a pattern's start", () => "invalid ".repeat(125_000)],
];

function expectRead(error: unknown): void {
  expect(isErrorKind(classifyError(error))).toBe(true);
  const waits = retryAfterMs(error, 0);
  expect(waits === undefined || (Number.isSafeInteger(waits) && waits >= 0)).toBe(true);
  const line = messageOf(error);
  expect(line.length).toBeGreaterThan(0);
  expect(line.length).toBeLessThanOrEqual(300);
  expect(line).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
}

describe("is read without an exception", () => {
  test.each(HOSTILE)("%s", (_, create) => {
    expectRead(create());
  });

  test("anything that can be thrown", () => {
    fc.assert(
      fc.property(
        fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
        expectRead,
      ),
    );
  });

  test("errors with anything where SDKs keep what they know", () => {
    const leaf = fc.oneof(
      fc.anything(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("429", 429, 401, "insufficient_quota", "Retry-After", "try again in 5s"),
    );
    const { error } = fc.letrec<{ readonly error: unknown }>((tie) => ({
      error: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.record(
          {
            name: leaf,
            message: leaf,
            status: leaf,
            statusCode: leaf,
            code: leaf,
            type: leaf,
            kind: leaf,
            headers: fc.oneof(leaf, fc.dictionary(fc.constantFrom("retry-after", "x"), leaf)),
            retryAfterMs: leaf,
            responseBody: leaf,
            cause: tie("error"),
            error: tie("error"),
            lastError: tie("error"),
            errors: fc.array(tie("error"), { maxLength: 3 }),
            response: tie("error"),
          },
          { requiredKeys: [] },
        ),
      ),
    }));
    fc.assert(fc.property(error, expectRead));
  });
});
