import { readFileSync } from "node:fs";
import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { createGuardrails } from "./index.ts";

const page = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README is short enough to be read", () => {
  expect(page.split("\n").length).toBeLessThanOrEqual(270);
});

test("the table of options has every option, and no other", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name = ""]) => name);
  let message = "";
  try {
    createGuardrails({ guardrails: [], unheardOf: true } as never);
  } catch (thrown) {
    message = (thrown as Error).message;
  }
  const [, names = ""] = /The options are (.*)\.$/.exec(message) ?? [];
  expect(rows.toSorted()).toEqual(names.split(", ").toSorted());
});

test("the outcome in the README is that of its rule, broken three times", async () => {
  const guardrails = createGuardrails({
    effects: { add_item: "state" },
    guardrails: [
      { name: "stock_not_negative", stage: "commit", check: () => "order exceeds stock" },
    ],
  });
  const contract = createContract({ guardrails, logger: false });
  const tool = { name: "add_item", inputSchema: {} };
  const outcomes: unknown[] = [];
  for (const id of ["call_1", "call_2", "call_3"]) {
    const call = { id, name: "add_item", arguments: {} };
    const context = { tool, conversationId: "readme", turnId: id, execute: () => "added" };
    const handled = await contract.handle(call, context);
    if (handled.status === "blocked") outcomes.push(handled.escalation.outcome);
  }
  expect(outcomes).toEqual([JSON.parse(/```json\n(.*?)\n```/s.exec(page)?.[1] ?? "")]);
});
