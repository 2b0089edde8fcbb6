import type { ToolSet } from "ai";
import { expect, test } from "vitest";
import { describeVersions } from "../testing/both-ends.ts";
import { type RawAnswer, rawModel, text } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";
import type { Mode, Sdk } from "../testing/sdk.ts";
import type { SessionResult } from "./index.ts";
import { isSdkTimeout } from "./sdk-timeout.ts";

const never = async (): Promise<RawAnswer> => new Promise(() => undefined);

/** Runs a session whose first model never answers, or stops after some words; the second one does. */
async function ran(
  sdk: Sdk,
  mode: Mode,
  stalls: () => RawAnswer | Promise<RawAnswer>,
  settings: object,
): Promise<SessionResult<unknown> & { readonly asked: number }> {
  const slow = rawModel(sdk.version, stalls, "slow");
  const { model, requests } = rawModel(sdk.version, [{ content: [text("done")] }], "quick");
  const targets = [{ model: slow.model }, { model }] as const;
  const session = sdk.session.agentSession<ToolSet>({ targets, tools: {}, logger: false } as never);
  const quiet = { onError: () => undefined };
  const result = await runSession(sdk, mode, session, { ...quiet, ...settings });
  return { ...result, asked: requests.length };
}

const WORDS: RawAnswer = {
  parts: [
    { type: "text-start", id: "0" },
    { type: "text-delta", id: "0", delta: "three words and" },
  ],
  stays: true,
};

const done = {
  success: true,
  finalReport: { content: "done" },
  asked: 1,
  accounting: [
    { provider: "slow", status: "failed" },
    { provider: "quick", status: "ok" },
  ],
};

describeVersions(
  (sdk) => {
    test.each([
      ["the session's time is over first", {}],
      // Functions of the application's own take the place of the session's.
      ["the SDK's time is over first", { onStart: undefined, experimental_onStart: undefined }],
    ])("a step has no time left: the next target is asked (%s)", async (_, own) => {
      const settings = { timeout: { stepMs: 30 }, ...own };
      expect(await ran(sdk, "generateText", never, settings)).toMatchObject(done);
    });

    test("a stream that falls silent is failed over within the SDK's time for a chunk", async ({
      skip,
    }) => {
      skip(sdk.version !== 7, "only version 7 asks again for a step whose stream broke");
      const { asked, ...result } = await ran(sdk, "streamText", () => WORDS, {
        timeout: { chunkMs: 500 },
      });
      expect({ asked, ...result }).toMatchObject(done);
    });

    test("a stream that the SDK ended was aborted by nobody", async () => {
      const result = await ran(sdk, "streamText", never, {
        onStart: undefined,
        experimental_onStart: undefined,
        timeout: { stepMs: 20 },
      });
      expect(result).toMatchObject({
        success: false,
        asked: 0,
        finalReport: { status: "failure" },
      });
      expect(result.error).toBe("Step timeout of 20ms exceeded");
    });

    test("the time of the whole call is the caller's abort", async () => {
      const result = await ran(sdk, "generateText", never, { timeout: 20 });
      expect(result).toMatchObject({ success: false, asked: 0 });
      expect(result.error).toContain("The run was aborted");
      expect(result.finalReport).toBeUndefined();
    });
  },
  { 5: "version 5 has no time limits" },
);

test.each([
  [new DOMException("Chunk timeout of 400ms exceeded", "TimeoutError"), true],
  [new DOMException("First chunk timeout of 4ms exceeded", "TimeoutError"), true],
  [new DOMException("The operation was aborted due to timeout", "TimeoutError"), false],
  [new Error("Step timeout of 400ms exceeded"), false],
  [undefined, false],
])("%s is a time of the SDK's: %s", (reason, isOne) => {
  expect(isSdkTimeout(reason)).toBe(isOne);
});
