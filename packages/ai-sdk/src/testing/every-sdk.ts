import { isWhole } from "@toolcontract/case-table/whole";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { loadSdk, type Mode, MODES, type Sdk } from "./sdk.ts";

/** Why a test cannot run in a version or a mode; the reason is reported with the skipped test. */
type Cannot = Readonly<Partial<Record<Sdk["version"] | Mode, string>>>;

/** The supported versions of the SDK, newest first; the newest and the oldest, unless everything is run. */
export const SDKS: readonly Sdk[] = isWhole
  ? [await loadSdk(7), await loadSdk(6), await loadSdk(5)]
  : [await loadSdk(7), await loadSdk(5)];
const FUNCTIONS: readonly Mode[] = ["generateText", "streamText"];

/** Runs the same tests on every version. */
export function describeVersions(cases: (sdk: Sdk) => void, cannot: Cannot = {}): void {
  for (const sdk of SDKS)
    describe(`ai ${sdk.version}`, () => {
      const reason = cannot[sdk.version];
      if (reason === undefined) cases(sdk);
      else cannotRun(reason);
    });
}

/** Runs the same tests on every version in every mode. */
export function describeModes(cases: (sdk: Sdk, mode: Mode) => void, cannot: Cannot = {}): void {
  describeVersions((sdk) => {
    // Agents of older versions call the functions that are run here.
    for (const mode of sdk.version === 7 || isWhole ? MODES : FUNCTIONS) {
      describe(`in ${mode}`, () => {
        const reason = cannot[mode];
        if (reason === undefined) cases(sdk, mode);
        else cannotRun(reason);
      });
    }
  }, cannot);
}

function cannotRun(reason: string): void {
  test("cannot run", ({ skip }) => {
    skip(reason);
    expect.unreachable();
  });
}

/** Ends the loop after some steps, in every version. */
export function steps(count: number): (run: { readonly steps: readonly unknown[] }) => boolean {
  return (run) => run.steps.length >= count;
}

/** The error text or output for a call in the messages. */
export function outputOf(
  messages: readonly { readonly role: string; readonly content: unknown }[],
  id: string,
): { readonly type: string; readonly value?: unknown } | undefined {
  const results = messages.flatMap((message) =>
    message.role === "tool" ? (message as Extract<ModelMessage, { role: "tool" }>).content : [],
  );
  const part = results.find((one) => one.type === "tool-result" && one.toolCallId === id);
  return part?.type === "tool-result" ? part.output : undefined;
}

/** The text for a call in the messages. */
export function textOf(messages: Parameters<typeof outputOf>[0], id: string): string {
  return String(outputOf(messages, id)?.value);
}
