import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SecretPlace } from "./mask-value.ts";
import { sentSecrets, withoutSecrets } from "./sent-secrets.ts";

const SEAL: SecretPlace = { hidden: true, inside: () => SEAL };
const PLACE: SecretPlace = {
  hidden: false,
  inside: (segment) => (segment === "seal" ? SEAL : undefined),
};

describe("secrets in arguments", () => {
  test("are found by name and by schema, the longest first", () => {
    const args = {
      note: "no secret",
      password: "hunter2",
      seal: ["correct horse", { deep: 48213 }],
      pair: { name: "Authorization", value: "Basic abc" },
      pin: "123",
    };
    expect(sentSecrets(args, PLACE)).toEqual(["correct horse", "Basic abc", "hunter2", "48213"]);
    expect(sentSecrets("a long note", undefined)).toEqual([]);
    expect(sentSecrets("a long note", undefined, true)).toEqual(["a long note"]);
  });

  test("are bounded, whatever is sent", () => {
    const cyclic: Record<string, unknown> = { password: "hunter2" };
    cyclic["self"] = cyclic;
    expect(sentSecrets(cyclic, undefined)).toEqual(["hunter2"]);
    const huge = { rows: Array.from({ length: 100_000 }, () => "row"), password: "hunter2" };
    expect(sentSecrets(huge, undefined)).toEqual(["hunter2"]);
    const many = { password: Array.from({ length: 1_000 }, (_, index) => `secret ${index}`) };
    expect(sentSecrets(many, undefined).length).toBeLessThanOrEqual(110);
    const unreadable = new Proxy({}, { ownKeys: () => expect.fail("must not escape") });
    expect(sentSecrets({ password: "hunter2", unreadable }, undefined)).toEqual(["hunter2"]);
  });

  test("never throw, and nothing of them remains in a string", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 1_200 }),
        fc.string(),
        fc.string(),
        (body, before, after) => {
          fc.pre(!before.includes(body.slice(0, 4)) && !"[redacted]".includes(body));
          const secrets = sentSecrets(body, undefined, true);
          const clean = withoutSecrets(`${before} ${body} ${after}`, secrets);
          expect(clean.startsWith(before)).toBe(true);
          expect(clean.slice(before.length + 1)).toMatch(/^\[?\[redacted\]|^\s*\[redacted\]/);
        },
      ),
      { numRuns: 200 },
    );
  });

  const CLEANED: readonly (readonly [name: string, secret: string, text: string, clean: string])[] =
    [
      ["as it is", "hunter2", "hunter2, not hunter", "[redacted], not hunter"],
      ["digits only as a whole number", "1234", "12345 or 1234", "12345 or [redacted]"],
      ["as JSON writes it", 'a"bcd', 'not "a\\"bcd"', 'not "[redacted]"'],
      ["with signs of a replacement", "$&$1 x", "not $&$1 x", "not [redacted]"],
      [
        "by the beginning of a long one",
        "x".repeat(900),
        `not ${"x".repeat(600)} and more`,
        "not [redacted]",
      ],
    ];

  test.each(CLEANED)("are replaced %s", (_, secret, text, clean) => {
    expect(withoutSecrets(text, sentSecrets(secret, undefined, true))).toBe(clean);
  });

  test("stay away from what is shown of a string that is too long to search", () => {
    const secret = "a secret of a hundred units".repeat(4);
    const text = secret.repeat(1_000);
    expect(withoutSecrets(text, [secret]).slice(0, 5_000)).not.toContain("secret");
    const unit = "x".repeat(480);
    expect(withoutSecrets(`-${unit.repeat(200)}`, [unit])).toBe("[redacted]");
  });
});
