import { describe, expect, test } from "vitest";
import type { PayCall, UsersKit } from "./users-kit.ts";

const TURNS = 7;

/** Registers what becomes of a tool that only fails, for one host. */
export function describeFailingTool<Contract, Guardrails>(
  name: string,
  { createContract, createHost, tellsRunsApart = true }: UsersKit<Contract, Guardrails>,
): void {
  describe(`${name} with a tool that only fails`, () => {
    test.each<
      [what: string, amountOf: (turn: number) => number, maxFailures: number, runs: number]
    >([
      ["is closed after as many as are set", (turn) => turn, 4, 4],
      ["is closed after three with the same arguments", () => 1, 10, 3],
      ["is never closed if that is off", () => 1, 0, TURNS],
    ])("%s", async (_, amountOf, maxFailures, closedAfter) => {
      // Calls of unrelated users are not counted together.
      const expected = tellsRunsApart ? closedAfter : TURNS;
      const summaries: string[] = [];
      const contract = createContract({
        maxFailures,
        logger: () => undefined,
        onEscalation: ({ summary }) => void summaries.push(summary),
      });
      let runs = 0;
      const host = createHost(contract, async () => {
        runs += 1;
        throw Object.assign(new Error("HTTP 503"), { status: 503 });
      });
      let turn = 0;
      await host.run(async (): Promise<readonly PayCall[]> => {
        turn += 1;
        const amount = JSON.stringify({ amount: amountOf(turn) });
        return turn > TURNS ? [] : [{ id: `call_${turn}`, name: "pay", arguments: amount }];
      });
      expect(runs).toBe(expected);
      expect(summaries.map((summary) => summary.split("\n")[0])).toEqual(
        expected === TURNS ? [] : [`Tool 'pay' outcome failed after ${expected} attempts.`],
      );
    });
  });
}
