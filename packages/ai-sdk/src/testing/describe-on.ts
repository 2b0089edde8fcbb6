import { isWhole } from "@toolcontract/case-table/whole";
import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { type Mode, MODES, type Sdk } from "./sdk.ts";

/** Why a test cannot run in a version or a mode; the reason is reported with the skipped test. */
type Cannot = Readonly<Partial<Record<Sdk["version"] | Mode, string>>>;

const FUNCTIONS: readonly Mode[] = ["generateText", "streamText"];

export interface Describe {
  /** Runs the same tests on every version. */
  readonly describeVersions: (cases: (sdk: Sdk) => void, cannot?: Cannot) => void;
  /** Runs the same tests on every version in every mode. */
  readonly describeModes: (cases: (sdk: Sdk, mode: Mode) => void, cannot?: Cannot) => void;
}

/** The functions that run tests on these versions, the newest first. */
export function describeOn(sdks: readonly Sdk[]): Describe {
  const describeVersions: Describe["describeVersions"] = (cases, cannot = {}) => {
    for (const sdk of sdks)
      describe(`ai ${sdk.version}`, () => {
        const reason = cannot[sdk.version];
        if (reason === undefined) cases(sdk);
        else cannotRun(reason);
      });
  };
  return {
    describeVersions,
    describeModes: (cases, cannot = {}) =>
      describeVersions((sdk) => {
        // Agents of older versions call the functions that are run here.
        for (const mode of sdk.version === 7 || isWhole ? MODES : FUNCTIONS) {
          describe(`in ${mode}`, () => {
            const reason = cannot[mode];
            if (reason === undefined) cases(sdk, mode);
            else cannotRun(reason);
          });
        }
      }, cannot),
  };
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
