import type { FileOption } from "@toolcontract/core/options";
import { expect, test, vi } from "vitest";
import { ownLayers, readArguments } from "./command-line.ts";
import { toGateOptions } from "./gate-options.ts";
import { flagTable, helpText } from "./help.ts";
import { readSettings } from "./settings.ts";

vi.mock(import("@toolcontract/core/options"), async (original) => {
  const { OPTIONS } = await original();
  const row = OPTIONS["format.style"] as FileOption;
  const style = { ...row, fallback: "wide", schema: { type: "string", enum: ["wide", "tall"] } };
  return { OPTIONS: { ...OPTIONS, "format.style": style } };
});

const settingsOf = (...argv: readonly string[]) => readSettings(ownLayers(readArguments(argv), {}));

test("what costs too much to check is accepted by its own flag alone", () => {
  const overBudgetOf = (...argv: readonly string[]): unknown =>
    toGateOptions(settingsOf(...argv), {}, () => undefined, {}).overBudget;
  expect(overBudgetOf("--fail-open")).toBe("refuse");
  expect(overBudgetOf("--no-fail-open", "--over-budget", "accept")).toBe("accept");
});

test("a flag has the values and the default of its option's row", () => {
  expect(helpText()).toContain("--style wide|tall");
  expect(helpText()).toContain("layout of the message for the model; default wide");
  expect(flagTable()).toContain("| `--style wide\\|tall` | `TOOLCONTRACT_STYLE` | `wide` |");
  expect(() => settingsOf("--style", "compact")).toThrow("--style must be wide or tall");
  const { format } = toGateOptions(settingsOf("--style", "tall"), {}, () => undefined, {});
  expect(format).toMatchObject({ style: "tall", maxErrors: 10 });
});

test("what clients quote is read by a word of the switch, with a blank or an equals sign", () => {
  const unwrapOf = (...argv: readonly string[]): unknown =>
    toGateOptions(settingsOf(...argv), {}, () => undefined, {}).unwrapStrings;
  expect(unwrapOf("--unwrap-strings", "scalars", "--", "server")).toBe("scalars");
  expect(unwrapOf("--unwrap-strings=scalars")).toBe("scalars");
  expect(unwrapOf("--unwrap-strings", "server", "scalars")).toBe(true);
  expect(unwrapOf("--no-unwrap-strings")).toBe(false);
  expect(readArguments(["--unwrap-strings", "scalars", "server", "-x"]).command).toEqual([
    "server",
    "-x",
  ]);
  expect(() => settingsOf("--unwrap-strings=scalar")).toThrow("must be on, off or scalars");
});
