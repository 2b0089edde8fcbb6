import type { ModelMessage } from "ai";
import { describe } from "vitest";
import { loadSdk, type Mode, type Sdk } from "./sdk.ts";

/** The supported versions of the SDK, newest first. */
const SDKS: readonly Sdk[] = [await loadSdk(7), await loadSdk(6), await loadSdk(5)];

/** Runs the same tests on every version. */
export function describeVersions(
  cases: (sdk: Sdk) => void,
  versions: readonly number[] = [7, 6, 5],
): void {
  for (const sdk of SDKS.filter(({ version }) => versions.includes(version)))
    describe(`ai ${sdk.version}`, () => {
      cases(sdk);
    });
}

/** Runs the same tests on every version in every mode. */
export function describeModes(
  cases: (sdk: Sdk, mode: Mode) => void,
  versions?: readonly number[],
): void {
  describeVersions((sdk) => {
    for (const mode of sdk.modes) {
      describe(`in ${mode}`, () => {
        cases(sdk, mode);
      });
    }
  }, versions);
}

/** Ends the loop after some steps, in every version. */
export function steps(count: number): (run: { readonly steps: readonly unknown[] }) => boolean {
  return (run) => run.steps.length >= count;
}

/** The error text or output that the messages hold for a call. */
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

/** The text that the messages hold for a call. */
export function textOf(messages: Parameters<typeof outputOf>[0], id: string): string {
  return String(outputOf(messages, id)?.value);
}
