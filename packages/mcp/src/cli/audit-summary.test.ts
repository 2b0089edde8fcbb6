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
