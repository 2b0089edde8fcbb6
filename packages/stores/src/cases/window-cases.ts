import type { Ledger, LedgerTotals } from "@toolcontract/core";
import type { MaybePromise } from "@toolcontract/core/adapter";
import { same } from "./same.ts";
import { claimOf, reservedEntry } from "./spending-job.ts";

/** The totals of an account that nobody has used. */
export const NOTHING: LedgerTotals = { spent: 0, reserved: 0, inDoubt: 0 };

/** What every ledger must do, of ledgers that are opened at one place. */
export interface LedgerCase {
  readonly name: string;
  run(open: () => MaybePromise<Ledger>): Promise<void>;
}

/** Accounts whose amounts count for a time alone, whatever the clocks of processes say. */
export const WINDOW_CASES: readonly LedgerCase[] = [
  {
    name: "a clock that is ahead frees nothing, nor does reading, and what ended late counts by when it ended",
    async run(open) {
      const [own, ahead] = [await open(), await open()];
      const MINUTE = 60_000;
      const at = async (ledger: Ledger, now: number, amount: number) => {
        const entry = reservedEntry(`${now}`, [claimOf("a", amount, 10, now - MINUTE)], now);
        const short = await ledger.reserve(entry);
        if (short.length === 0) await ledger.end(entry, { state: "spent", at: now });
        return short.map(({ totals }) => totals);
      };
      const now = 100 * MINUTE;
      same(await at(own, now, 10), [], "it fits");
      same(
        await ahead.totals({ account: "a", after: now + 4 * MINUTE }),
        NOTHING,
        "nothing counts in a later window",
      );
      same(await at(ahead, now + 5 * MINUTE, 1), [], "it fits in a later window");
      // What is ahead counts too.
      const used = { ...NOTHING, spent: 11 };
      same(await at(own, now + 1, 1), [used], "what is in the way");
      same(await own.totals({ account: "a", after: now - MINUTE }), used, "what counts now");
      same(
        await own.totals({ account: "a", after: now }),
        { ...NOTHING, spent: 1 },
        "what counts a minute later",
      );
      const late = reservedEntry("late", [claimOf("a", 3, 20, now - MINUTE)], now);
      same(await own.reserve(late), [], "it fits");
      await own.end(late, { state: "spent", at: now + 2 });
      same(
        await own.totals({ account: "a", after: now + 1 }),
        { ...NOTHING, spent: 4 },
        "what counts of what ended late",
      );
      same(
        await own.totals({ account: "a", after: now + 4 * MINUTE }),
        { ...NOTHING, spent: 1 },
        "what counts in a later window",
      );
    },
  },
  {
    name: "what ended before a window does not count, and what may be running counts in every one",
    async run(open) {
      const ledger = await open();
      const ended: readonly (readonly [string, number | undefined])[] = [
        ["old", 100],
        ["new", 101],
        ["running", undefined],
      ];
      for (const [id, at] of ended) {
        for (const account of ["spent", "doubt"]) {
          const entry = reservedEntry(`${account}-${id}`, [claimOf(account, 1, 10, 0)], 50);
          await ledger.reserve(entry);
          if (account === "doubt") {
            await ledger.end(entry, { state: "in-doubt", ...(at !== undefined && { at }) });
          } else if (at !== undefined) await ledger.end(entry, { state: "spent", at });
        }
      }
      const totals = async (account: string, after?: number) =>
        ledger.totals({ account, ...(after !== undefined && { after }) });
      same(
        await totals("spent", 100),
        { spent: 1, reserved: 1, inDoubt: 0 },
        "spent in the window",
      );
      same(await totals("doubt", 100), { ...NOTHING, inDoubt: 2 }, "in doubt in the window");
      const short = await ledger.reserve(reservedEntry("x", [claimOf("spent", 9, 10, 100)], 200));
      same(short[0]?.totals, { spent: 1, reserved: 1, inDoubt: 0 }, "what is in the way");
      same(
        await ledger.reserve(reservedEntry("y", [claimOf("spent", 8, 10, 100)], 200)),
        [],
        "it fits",
      );
      same(
        await ledger.reserve(reservedEntry("z", [claimOf("doubt", 8, 10, 100)], 200)),
        [],
        "it fits",
      );
      same(await totals("spent", 100), { spent: 1, reserved: 9, inDoubt: 0 }, "what counts now");
      same(await totals("doubt", 101), { spent: 0, reserved: 8, inDoubt: 1 }, "what counts later");
    },
  },
];
