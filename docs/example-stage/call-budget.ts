import { ToolContractError } from "@toolcontract/core";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { registerErrorCodes } from "@toolcontract/core/adapter";

declare module "@toolcontract/core" {
  interface ErrorCodeMap {
    "BUD-001": string;
  }
}

registerErrorCodes({
  prefix: "BUD",
  codes: { "BUD-001": "Call budget spent" },
  page: "https://example.com/errors/{code}",
});

/** Lets each tool run a number of times in a conversation, then closes it. */
export function callBudget(budgets: Readonly<Record<string, number>>): ExecutionStage {
  const runs = new Map<string, number>();
  return {
    name: "call budget",
    lanes: { guardrail: 1 },
    checkTools(names) {
      const unknown = Object.keys(budgets).find((name) => !names.includes(name));
      if (unknown === undefined) return;
      throw new ToolContractError(`callBudget: the host has no tool '${unknown}'.`);
    },
    async around({ tool, conversationId, runId, run }) {
      const key = JSON.stringify([conversationId, runId, tool]);
      const count = (runs.get(key) ?? 0) + 1;
      const budget = budgets[tool] ?? Number.POSITIVE_INFINITY;
      if (count > budget) {
        const message = `'${tool}' may run ${budget} times`;
        return { action: "stop", lane: "guardrail", errors: [{ errorCode: "BUD-001", message }] };
      }
      runs.set(key, count);
      return { action: "return", value: await run() };
    },
  };
}
