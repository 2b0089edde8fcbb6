import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { auditSummary } from "./audit-summary.ts";

const tool = { name: "add", inputSchema: { required: ["a"] } };

test("says what was refused or would have been, over all contracts of a run, without values", async () => {
  const contracts = [1, 2].map(() => createContract({ maxAttempts: 2, logger: false }));
  for (const contract of contracts) {
    for (const args of [{ a: 1 }, { secret: 1 }, { secret: 2 }, { secret: 3 }]) {
      const call = { id: "c", name: "add", arguments: args };
      await contract.admit(call, { tool, conversationId: "one", turnId: `${args.secret}` });
    }
  }
  const counts = contracts.map((contract) => contract.metrics());
  expect(auditSummary(counts, "audit")).toBe(
    `toolcontract-mcp: mode audit, 8 tool calls; enforcing would have refused 6 of them
  add: 6 of 8, 4 with no attempts left
  faults: VAL-001 6
`,
  );
  expect(auditSummary([], "enforce")).toBe(
    "toolcontract-mcp: mode enforce, 0 tool calls; refused 0 of them\n",
  );
});

test("names the tools with most refusals first, and 20 at most", () => {
  const counts = (calls: number, rejected: number, blocked = 0) => ({
    ...createContract().metrics(),
    calls,
    rejected,
    blocked,
  });
  const tools = Array.from({ length: 22 }, (_, index) => [`t${index}`, counts(30, index)] as const);
  const summary = auditSummary(
    [
      {
        ...counts(690, 232, 1),
        byTool: { ...Object.fromEntries(tools), spent: counts(30, 1, 29) },
        byCode: { "VAL-002": 1, "VAL-001": 231 },
        byLane: {},
      },
    ],
    "enforce",
  ).split("\n");
  expect(summary.slice(0, 3)).toEqual([
    "toolcontract-mcp: mode enforce, 690 tool calls; refused 233 of them",
    "  spent: 30 of 30, 29 with no attempts left",
    "  t21: 21 of 30",
  ]);
  expect(summary.slice(-4)).toEqual([
    "  t3: 3 of 30",
    "  and 2 more tools",
    "  faults: VAL-001 231, VAL-002 1",
    "",
  ]);
});
