import { describe, expect, test } from "vitest";
import { aiSdk } from "./recovery/systems/ai-sdk.ts";
import { langchainAgent } from "./recovery/systems/langchain.ts";
import type { System } from "./recovery/systems/system.ts";
import { agentToolNode, aiSdkCheck, allRejecting } from "./rejecting.ts";
import { typicalCall, typicalMistake, typicalTool } from "./typical-call.ts";

/** Removes the stack, whose lines depend on the caller. */
function withoutStack(text: string): string {
  return text.replaceAll(/\n {4}at .*/g, "");
}

describe("a part that is measured without its framework's loop answers as it does in the loop", () => {
  test.each([
    [aiSdkCheck, aiSdk("zod")],
    [agentToolNode, langchainAgent("zod")],
  ] as const)("$name", async ({ prepare }, system: System) => {
    const reject = await prepare(typicalTool);
    const outcome = await (await system.offer(typicalTool))(typicalMistake.text);
    if (outcome.status !== "answered") throw new Error(`The loop's call is ${outcome.status}.`);
    expect(withoutStack(await reject(typicalMistake.text))).toBe(withoutStack(outcome.text));
  });
});

describe.each(allRejecting())("$name", ({ prepare, close }) => {
  test("answers an invalid call, and does not take a valid one for it", async () => {
    const reject = await prepare(typicalTool);
    expect((await reject(typicalMistake.text)).length).toBeGreaterThan(20);
    await expect(async () => reject(typicalCall.text)).rejects.toThrow();
    await close?.();
  });
});
