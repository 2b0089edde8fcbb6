import { describe, expect, test } from "vitest";
import type { PayCall, UsersKit } from "./users-kit.ts";

const TIMES = 9;

/** Registers what becomes of equal calls of one message, for one host. */
export function describeEqualCalls<Contract, Guardrails>(
  name: string,
  {
    createContract,
    createGuardrails,
    createHost,
    seesMessages = true,
  }: UsersKit<Contract, Guardrails>,
): void {
  describe(`${name} with nine equal payments of one message`, () => {
    test.each([
      { repeatedCalls: "once", runs: 1 },
      { repeatedCalls: "run", runs: TIMES },
    ] as const)("runs them as repeatedCalls: $repeatedCalls says", async (one) => {
      const { repeatedCalls } = one;
      const guardrails = createGuardrails({ guardrails: [], effects: { pay: "idempotent" } });
      const contract = createContract({ guardrails, repeatedCalls, logger: () => undefined });
      let runs = 0;
      const host = createHost(contract, async () => Promise.resolve(`paid ${(runs += 1)}`));
      const script = [calls("a"), calls("b"), []].values();
      await host.run(async () => Promise.resolve(script.next().value ?? []));
      // Those of another message are others.
      expect(runs).toBe(2 * (seesMessages ? one.runs : TIMES));
    });
  });
}

function calls(message: string): readonly PayCall[] {
  return Array.from({ length: TIMES }, (_, index) => ({
    id: `${message}_${index}`,
    name: "pay",
    arguments: JSON.stringify({ amount: 10 }),
  }));
}
