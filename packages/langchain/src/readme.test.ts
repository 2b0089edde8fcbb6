import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseRejection } from "@toolcontract/core";
import { z } from "zod";
import { LABS } from "./testing/every-langchain.ts";
import { textOfMessage } from "./messages.ts";
import { contractOf, runAgent } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("both parts of the README are short enough to be read", () => {
  const [contract = "", session = ""] = page.split("\n## Sessions\n");
  expect(contract.split("\n").length).toBeLessThanOrEqual(108);
  expect(session.split("\n").length).toBeLessThanOrEqual(50);
});

describe.each(LABS)("the README on langchain $version", (lab) => {
  test("the answer in it is the contract's answer to the call in it", async () => {
    const args = /^For `([^`]+)`/m.exec(page)?.[1] ?? "";
    const answer = /```txt\n(.*?)\n```/s.exec(page)?.[1];
    const schema = z.object({ from: z.string().length(3), seats: z.number().int() });
    const { tool, runs } = spied(lab, "book", schema);
    const turns = [{ calls: [{ id: "call_1", name: "book", args }] }];
    const { results } = await runAgent(lab, { turns, tools: [tool] });
    expect(results[0]?.content).toBe(answer);
    expect(runs).toEqual([]);
  });

  test("a chat as in it shows words and the escalation, and no attempts", async () => {
    const { tool } = spied(lab, "book", z.object({ from: z.string().length(3) }));
    const bad = { calls: [{ id: "c", name: "book", args: '{"from":"Lisbon"}' }] };
    const { model } = lab.script([bad, bad, bad, { text: "I could not book it." }]);
    const middleware = [contractOf(lab, { escalate: "drop-tool" })];
    const agent = lab.langchain.createAgent({ model, tools: [tool], middleware });
    const input = { messages: [new lab.messages.HumanMessage("Lisbon")] };
    const shown: string[] = [];
    for await (const [message] of await agent.stream(input, { streamMode: "messages" })) {
      const text = textOfMessage(message);
      if (!lab.messages.ToolMessage.isInstance(message)) shown.push(text);
      else if (parseRejection(text)?.status === "blocked") shown.push("A person will look at it.");
    }
    expect(shown.filter((text) => text !== "").join(" | ")).toBe(
      "A person will look at it. | I could not book it.",
    );
  });

  test("every name that it imports is there", () => {
    const lists = [...page.matchAll(/import \{(.*)\} from "@toolcontract\/langchain"/g)];
    const names = lists.flatMap(([, list = ""]) => list.split(",").map((name) => name.trim()));
    expect(names.length).toBeGreaterThan(3);
    expect(Object.keys(lab.adapter)).toEqual(expect.arrayContaining(names));
  });
});
