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
