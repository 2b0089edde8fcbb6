import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { countCost } from "@toolcontract/case-table/cost";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { secretlintRedactor } from "./secretlint.ts";
import { ToolContractError } from "@toolcontract/explain";

const SLACK = ["xoxb", "123456789012", "1234567890123", "a8Kd03jfLq92mZx7Qw41RtYu"].join("-");
const GITHUB = ["ghp", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"].join("_");

const PRESET = "@secretlint/secretlint-rule-preset-recommend";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** What values cost, and what the heap holds after them. */
async function measure(
  redact: (value: string) => Promise<string>,
  values: number,
): Promise<{ readonly cost: number; readonly heap: number }> {
  const cost = countCost();
  for (let index = 0; index < values; index += 1) await redact(`value ${index} is ${GITHUB}`);
  const spent = cost();
  collectGarbage();
  return { cost: spent, heap: process.memoryUsage().heapUsed };
}

describe("secretlintRedactor", () => {
  test("masks what secretlint's recommended rules report, and nothing else", async () => {
    const redact = secretlintRedactor();
    expect(await redact(`first ${SLACK} then ${GITHUB}.`)).toBe(
      "first [redacted] then [redacted].",
    );
    expect(await redact("nothing to see here")).toBe("nothing to see here");
    expect(await redact("")).toBe("");
  });

  test("cannot be switched off by a comment in the value", async () => {
    const text = `// secretlint-disable\n${SLACK}\n// secretlint-enable`;
    expect(await secretlintRedactor()(text)).not.toContain(SLACK.slice(0, 20));
  });

  test("applies changes to individual rules", async () => {
    const redact = secretlintRedactor({
      rules: [{ id: "@secretlint/secretlint-rule-slack", disabled: true }],
    });
    expect(await redact(`${SLACK} ${GITHUB}`)).toBe(`${SLACK} [redacted]`);
  });

  test("names the install command if secretlint is missing", async () => {
    onTestFinished(() => {
      vi.doUnmock(PRESET);
      vi.resetModules();
    });
    vi.doMock(PRESET, () => {
      throw new Error("Cannot find package");
    });
    const error: unknown = await secretlintRedactor()("x").catch((reason: unknown) => reason);
    expect(ToolContractError.isInstance(error)).toBe(true);
    expect(String(error)).toContain(`npm install ${PRESET}`);
  });

  test("passes options to individual rules", async () => {
    const rules = [{ id: "@secretlint/secretlint-rule-github", options: { allows: [GITHUB] } }];
    expect(await secretlintRedactor({ rules })(`${SLACK} ${GITHUB}`)).toBe(`[redacted] ${GITHUB}`);
  });

  test("masks the same characters after a byte order mark", async () => {
    expect(await secretlintRedactor()(`\ufeff${GITHUB}.`)).toBe("\ufeff[redacted].");
  });

  test("concurrent values do not mix", async () => {
    const redact = secretlintRedactor();
    const texts = [GITHUB, "nothing", `a ${SLACK} b`, "nothing at all, but longer than a token is"];
    expect(await Promise.all(texts.map(async (text) => redact(text)))).toEqual([
      "[redacted]",
      "nothing",
      "a [redacted] b",
      texts[3],
    ]);
  });

  test("8,000 values leave nothing behind, and the last ones cost no more", async () => {
    const redact = secretlintRedactor();
    const early = await measure(redact, 1_000);
    await measure(redact, 6_000);
    const late = await measure(redact, 1_000);
    expect(performance.getEntriesByType("mark")).toEqual([]);
    expect(late.heap - early.heap).toBeLessThan(4_000_000);
    expect(late.cost).toBeLessThan(5 * early.cost);
  });
});
