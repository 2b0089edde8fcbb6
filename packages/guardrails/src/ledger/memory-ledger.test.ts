import { describeLedger } from "@toolcontract/stores/testing";
import { expect, test } from "vitest";
import { memoryLedger } from "./memory-ledger.ts";

describeLedger({ place: memoryLedger, open: (ledger) => ledger }, test);

test("accounts with a window are forgotten once nothing in them counts", () => {
  const ledger = memoryLedger();
  const day = 24 * 3_600_000;
  const spend = (account: string, now: number): void => {
    const claims = [{ limit: "a", account, amount: 1, max: 1e6, after: now - 60_000 }];
    const entry = {
      id: `${account} ${now}`,
      claims,
      state: "reserved",
      reservedAt: now,
      facts: {},
    } as const;
    void ledger.reserve(entry);
    void ledger.end(entry, { state: "spent", at: now });
  };
  for (let user = 0; user < 1_000; user += 1) spend(`user ${user}`, 0);
  // Seen through a window that reaches back to the first day: whatever is left would still be summed up.
  const kept = () => ledger.totals({ account: "user 7", after: -1 });
  expect(kept()).toMatchObject({ spent: 1 });
  for (let call = 0; call < 1_000; call += 1) spend("busy", 3 * day);
  expect(kept()).toMatchObject({ spent: 0 });
});

test("an account with a window is kept as long as anything in it counts", () => {
  const ledger = memoryLedger();
  const now = 3 * 24 * 3_600_000;
  const spend = (account: string): void => {
    const claims = [{ limit: "a", account, amount: 1, max: 1e6, after: now - 60_000 }];
    const entry = { id: account, claims, state: "reserved", reservedAt: now, facts: {} } as const;
    void ledger.reserve(entry);
    void ledger.end(entry, { state: "spent", at: now });
  };
  for (let user = 0; user < 2_000; user += 1) spend(`user ${user}`);
  const left = Array.from({ length: 2_000 }, (_, user) =>
    ledger.totals({ account: `user ${user}`, after: now - 60_000 }),
  );
  expect(left).toEqual(left.map(() => ({ spent: 1, reserved: 0, inDoubt: 0 })));
});

test("what a window no longer counts is still in doubt for a limit that lasts", async () => {
  const ledger = memoryLedger();
  const claims = [
    { limit: "hourly", account: "hourly", amount: 1, max: 9, after: -1 },
    { limit: "all", account: "all", amount: 1, max: 9 },
  ];
  const entry = { id: "e", claims, state: "reserved", reservedAt: 0, facts: {} } as const;
  void ledger.reserve(entry);
  void ledger.end(entry, { state: "in-doubt", at: 0 });
  expect(ledger.totals({ account: "hourly", after: -1 })).toMatchObject({ inDoubt: 1 });
  expect(ledger.totals({ account: "hourly", after: 0 })).toMatchObject({ inDoubt: 0 });
  expect(ledger.totals({ account: "all" })).toMatchObject({ inDoubt: 1 });
  expect(await ledger.open()).toMatchObject([{ id: "e" }]);
  void ledger.end(entry, { state: "spent", at: 0 });
  expect(ledger.totals({ account: "all" })).toEqual({ spent: 1, reserved: 0, inDoubt: 0 });
});

test("calls that end in any order stop counting one by one, at their own times", () => {
  const ledger = memoryLedger();
  const place = { limit: "a", account: "a", after: 0 };
  for (const [at, amount] of [
    [10, 1],
    [30, 4],
    [20, 2],
    [40, 8],
  ] as const) {
    const claims = [{ ...place, amount, max: 99 }];
    const entry = { id: `${at}`, claims, state: "reserved", reservedAt: 0, facts: {} } as const;
    void ledger.reserve(entry);
    void ledger.end(entry, { state: "spent", at });
  }
  const left = [0, 10, 20, 30, 40].map((after) => ledger.totals({ ...place, after }));
  expect(left).toMatchObject([15, 14, 12, 8, 0].map((spent) => ({ spent })));
});
