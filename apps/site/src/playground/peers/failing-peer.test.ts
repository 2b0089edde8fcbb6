import { expect, test, vi } from "vitest";
import { askPeers } from "./ask-peers.ts";

vi.mock("./langchain.ts", () => {
  throw new Error("gone");
});

test("a peer that cannot be loaded does not stop the others", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  const answers = await askPeers({ tool: { name: "do_it", schema }, text: "{}" });
  const outcomes = answers
    .filter(({ declared }) => declared === "zod")
    .map(({ peer, outcome, how }) => [peer, outcome, how === ""]);
  expect(outcomes).toEqual([
    ["AI SDK", "answered", false],
    ["LangChain", "not asked", true],
    ["MCP SDK", "answered", false],
  ]);
  const [failed] = answers.filter(({ peer }) => peer === "LangChain");
  expect(failed?.note).toMatch(/^It could not be loaded: /);
});
