import { expect, test, vi } from "vitest";
import { createGuardrails, currentAttempt, slotStore } from "./index.ts";

test("a contract and a tool may use other copies of core and of this package than the guardrails", async () => {
  const store = slotStore({ seen: [] as string[] });
  const guardrails = createGuardrails({
    store,
    effects: { look: "state" },
    guardrails: [{ name: "no_b", check: ({ args }) => args.key === "b" && "not b" }],
  });
  vi.resetModules();
  const other = await import("./index.ts");
  const { createContract } = await import("@toolcontract/core");
  expect(other.currentAttempt).not.toBe(currentAttempt);
  const contract = createContract({ guardrails, logger: false });
  const look = async (key: string): Promise<string> => {
    const call = { id: key, name: "look", arguments: { key } };
    const { result } = await contract.handle(call, {
      tool: { name: "look", inputSchema: { type: "object" } },
      conversationId: "thread-7",
      execute: () => other.currentAttempt<{ seen: string[] }>().state.seen.push(key),
    });
    return result.content;
  };
  expect(await look("a")).toBe("1");
  expect(await look("b")).toContain("• (arguments) (GRD-001): not b");
  expect(store.state).toEqual({ seen: ["a"] });
});
