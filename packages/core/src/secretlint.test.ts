import { afterEach, describe, expect, test, vi } from "vitest";
import { secretlintRedactor } from "./secretlint.ts";
import { ToolContractError } from "./tool-contract-error.ts";

const SLACK = ["xoxb", "123456789012", "1234567890123", "a8Kd03jfLq92mZx7Qw41RtYu"].join("-");
const GITHUB = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

describe("secretlintRedactor", () => {
  afterEach(() => {
    vi.doUnmock("@secretlint/core");
    vi.resetModules();
  });

  test("NFR-009 NFR-010 masks what secretlint's recommended rules report, and nothing else", async () => {
    const redact = secretlintRedactor();
    expect(await redact(`first ${SLACK} then ${GITHUB}.`)).toBe(
      "first [redacted] then [redacted].",
    );
    expect(await redact("nothing to see here")).toBe("nothing to see here");
    expect(await redact("")).toBe("");
  });

  test("NFR-010 cannot be switched off by a comment in the value", async () => {
    const text = `// secretlint-disable\n${SLACK}\n// secretlint-enable`;
    expect(await secretlintRedactor()(text)).not.toContain(SLACK.slice(0, 20));
  });

  test("passes changes to single rules on", async () => {
    const redact = secretlintRedactor({
      rules: [{ id: "@secretlint/secretlint-rule-slack", disabled: true }],
    });
    expect(await redact(`${SLACK} ${GITHUB}`)).toBe(`${SLACK} [redacted]`);
  });

  test("names the install command where secretlint is missing", async () => {
    vi.doMock("@secretlint/core", () => {
      throw new Error("Cannot find package");
    });
    const error: unknown = await secretlintRedactor()("x").catch((reason: unknown) => reason);
    expect(ToolContractError.isInstance(error)).toBe(true);
    expect(String(error)).toContain(
      "npm install @secretlint/core @secretlint/secretlint-rule-preset-recommend",
    );
  });
});
