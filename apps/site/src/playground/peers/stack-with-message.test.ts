import type { StructuredToolInterface } from "@langchain/core/tools";
import { langchainTool } from "@toolcontract/frameworks/langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { stackWithMessage } from "./stack-with-message.ts";

/** As Firefox and Safari make it. */
function firefoxError(message: string): Error {
  return Object.assign(new Error(message), { stack: "call@https://x/a.js:1:2\n" });
}

function throwing(thrown: unknown): Pick<StructuredToolInterface, "invoke"> {
  return { invoke: async () => Promise.reject(thrown) };
}

test.each([
  ["no message in stacks", firefoxError("sample"), "TypeError: no\ncall@https://x/a.js:1:2\n"],
  ["V8's stacks", new Error("sample"), "call@https://x/a.js:1:2\n"],
])("%s", async (_, sample, expected) => {
  const thrown = Object.assign(firefoxError("no"), { name: "TypeError" });
  const tool = stackWithMessage(throwing(thrown), sample);
  await expect(tool.invoke({})).rejects.toHaveProperty("stack", expected);
});

test("what is not an error is thrown on", async () => {
  const tool = stackWithMessage(throwing("text"), firefoxError("sample"));
  await expect(tool.invoke({})).rejects.toBe("text");
});

test("a tool of LangChain returns what it returned", async () => {
  const schema = z.object({ a: z.string() });
  const tool = langchainTool({ name: "do_it", schema }, () => "done");
  const wrapped = stackWithMessage(tool, firefoxError("sample"));
  await expect(wrapped.invoke({ a: "b" })).resolves.toBe("done");
});
