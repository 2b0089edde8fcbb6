import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { describeFailingTool } from "./describe-failing-tool.ts";
import type { PayCall, UsersKit } from "./users-kit.ts";
import { createRounds } from "./rounds.ts";
import { type PaymentEnd, USER_CASES, type UserCase } from "./user-case.ts";

const PAYMENT = JSON.stringify({ amount: 10 });

/** Registers the table of users for one host. */
export function describeUsers<Contract, Guardrails>(
  name: string,
  kit: UsersKit<Contract, Guardrails>,
): void {
  describe(`${name} keeps users apart`, () => {
    for (const ids of ["unique", "equal"] as const) {
      test.each(USER_CASES)(`$name [${ids} call ids]`, async (userCase) => {
        const { keys, degraded } = await runUsers(userCase, ids, kit);
        expect(lettered(keys)).toEqual(userCase.keys);
        expect(degraded).toEqual([]);
      });
    }
  });
  describeFailingTool(name, kit);
}

type Keys = Readonly<Record<string, readonly (string | null | undefined)[]>>;

async function runUsers<Contract, Guardrails>(
  { users, rounds }: UserCase,
  ids: "unique" | "equal",
  { createContract, createGuardrails, currentAttempt, createHost }: UsersKit<Contract, Guardrails>,
): Promise<{ readonly keys: Keys; readonly degraded: readonly object[] }> {
  const degraded: object[] = [];
  const contract = createContract({
    guardrails: createGuardrails({ guardrails: [], effects: { pay: "idempotent" } }),
    logger: (fields, message) => {
      if (message === "Tool contract degraded") degraded.push(fields);
    },
  });
  const current = new AsyncLocalStorage<string>();
  const seen = new Map<string, string | undefined>();
  const ends = new Map<string, PaymentEnd>();
  const order = createRounds(rounds);
  const pay = async (): Promise<string> => {
    const { callId, idempotencyKey } = currentAttempt();
    const made = JSON.stringify([current.getStore(), callId]);
    seen.set(made, idempotencyKey);
    await new Promise((resolve) => setImmediate(resolve));
    return answerOf(ends.get(made));
  };
  const host = createHost(contract, pay);
  const calls = Object.entries(users).map(([user, turns]) => {
    const idOf = (turn: number, index: number): string =>
      `${ids === "unique" ? user : "call"}_${turn}_${index}`;
    return [
      user,
      turns.map((turn, at) => turn.map((end, index) => ({ id: idOf(at, index), end }))),
    ];
  }) as [string, { readonly id: string; readonly end: PaymentEnd }[][]][];
  await Promise.all(
    calls.map(async ([user, turns]) => {
      const left = turns.values();
      const next = async (): Promise<readonly PayCall[]> => {
        const { value: turn = [] } = left.next();
        if (turn.length === 0) order.end(user);
        else await order.next(user);
        for (const { id, end } of turn) ends.set(JSON.stringify([user, id]), end);
        return turn.map(({ id }) => ({ id, name: "pay", arguments: PAYMENT }));
      };
      await current.run(user, async () => host.run(next));
      order.end(user);
    }),
  );
  const keys = calls.map(([user, turns]) => [
    user,
    turns.flat().map(({ id }) => {
      const made = JSON.stringify([user, id]);
      return seen.has(made) ? seen.get(made) : null;
    }),
  ]);
  return { keys: Object.fromEntries(keys) as Keys, degraded };
}

/** What the payment service does. */
function answerOf(end: PaymentEnd | undefined): string {
  if (end === "paid") return "paid";
  if (end === undefined) throw new Error("This payment is not in the script");
  const status = end === "timeout" ? 504 : end;
  throw Object.assign(new Error(`HTTP ${status}`), { status });
}

/** The keys as letters, in the order in which they are first used by the users in turn. */
function lettered(keys: Keys): Readonly<Record<string, readonly (string | null | undefined)[]>> {
  const letters = new Map<string, string>();
  const letterOf = (key: string | null | undefined): string | null | undefined => {
    if (typeof key !== "string") return key;
    const letter = letters.get(key) ?? String.fromCodePoint(97 + letters.size);
    letters.set(key, letter);
    return letter;
  };
  return Object.fromEntries(Object.entries(keys).map(([user, own]) => [user, own.map(letterOf)]));
}
