import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeVersions } from "./testing/every-sdk.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("both parts of the README are short enough to be read", () => {
  const [contract = "", session = ""] = page.split("\n## Sessions\n");
  expect(contract.split("\n").length).toBeLessThanOrEqual(106);
  expect(session.split("\n").length).toBeLessThanOrEqual(50);
});

describeVersions((sdk) => {
  test("the answer in the README is the contract's answer to the call in the README", async () => {
    const input = /^For `([^`]+)`/m.exec(page)?.[1] ?? "";
    const answer = /```txt\n(.*?)\n```/s.exec(page)?.[1];
    const book = sdk.ai.tool({
      inputSchema: z.object({ from: z.string().length(3), seats: z.number().int() }),
      execute: async () => "booked",
    });
    const options = { logger: () => undefined, tools: { book }, stopWhen: steps(1) };
    const model = sdk.script([{ calls: [{ id: "call_1", name: "book", input }] }]);
    const settings = sdk.adapter.withContract(options);
    const { messages } = await sdk.run("generateText", { model, settings });
    expect(textOf(messages, "call_1")).toBe(answer);
  });
});
