import { expect, test } from "vitest";
import { writtenFacts } from "../words/index.ts";
import { createSanitizer } from "../sanitize/index.ts";
import type { Finding } from "../shared/index.ts";
import { buildErrors } from "./build-errors.ts";

test("a secret that was sent stays out of the expectation, shortened or not", async () => {
  const secret = "correct-horse-battery";
  const finding: Finding = {
    code: "VAL-008",
    path: ["mode"],
    message: "not this one",
    expected: { kind: "values", values: [secret, "b"] },
  };
  const [error] = await buildErrors([finding], {
    tool: "t",
    sanitizer: createSanitizer({ maxValuePreview: 100 }),
    redactors: [],
    root: { password: secret, mode: "x" },
  });
  const shown = [error?.expectedValue, error && writtenFacts(error)?.brief?.()];
  for (const words of shown) {
    expect(words).toContain('"b"');
    expect(words).not.toContain(secret);
  }
});
