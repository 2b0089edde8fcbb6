import type { Ledger, LedgerEntry } from "@toolcontract/core";
import type { MaybePromise } from "@toolcontract/core/adapter";
import type { RegisterTest } from "./describe-store.ts";
import { same } from "./same.ts";
import { type LedgerCase, NOTHING, WINDOW_CASES } from "./window-cases.ts";
import {
  MAX,
  PROCESSES,
  type SpendingJob,
  type SpendingResult,
  claimOf,
  reservedEntry,
  runSpendingJob,
} from "./spending-job.ts";

/** How the cases reach a ledger; `Place` is where it keeps amounts, such as a file or a prefix of keys. */
export interface LedgerHarness<Place> {
  /** Makes an empty place. */
  place(): MaybePromise<Place>;
  /** Opens a ledger there, as one of several processes would. */
  open(place: Place): MaybePromise<Ledger>;
  /**
   * Returns what runSpendingJob() returns in a process of its own, with a ledger that is opened there; without it, the ledgers
   * that should be in four processes are in one.
   */
  fork?(place: Place, job: SpendingJob): Promise<SpendingResult>;
}

const CASES: readonly LedgerCase[] = [
  {
    name: "an amount is reserved, spent, in doubt or given back, and another process sees it",
    async run(open) {
      const [own, other] = [await open(), await open()];
      const ends = [
        [{ state: "spent", at: 1 } as const, { spent: 10 }],
        [{ state: "spent", at: 1, amounts: { budget: 4 } } as const, { spent: 4 }],
        [{ state: "in-doubt" } as const, { inDoubt: 10 }],
        [{ state: "in-doubt", at: 1 } as const, { inDoubt: 10 }],
        [{ state: "not-done" } as const, {}],
      ] as const;
      for (const [index, [end, sums]] of ends.entries()) {
        const claim = { ...claimOf(`budget-${index}`, 10, 100), limit: "budget" };
        const entry = reservedEntry(`${index}`, [claim]);
        same(await own.reserve(entry), [], "what does not fit");
        same(await other.totals(claim), { ...NOTHING, reserved: 10 }, "while it is under way");
        await own.end(entry, end);
        same(await other.totals(claim), { ...NOTHING, ...sums }, "once it has ended");
      }
    },
  },
  {
    name: "an entry is reserved as a whole or not at all, and each claim that does not fit is named",
    async run(open) {
      const ledger = await open();
      await ledger.reserve(reservedEntry("first", [claimOf("a", 60, 100), claimOf("b", 1, 1)]));
      const claims = [claimOf("a", 60, 100), claimOf("b", 1, 1), claimOf("c", 1, 1)];
      const short = await ledger.reserve(reservedEntry("second", claims));
      same(
        short,
        [
          { limit: "a", totals: { ...NOTHING, reserved: 60 } },
          { limit: "b", totals: { ...NOTHING, reserved: 1 } },
        ],
        "what does not fit",
      );
      same(await ledger.totals({ account: "c" }), NOTHING, "what fits");
      same(
        (await ledger.open()).map(({ id }) => id),
        ["first"],
        "open entries",
      );
    },
  },
  {
    name: "what is spent, reserved and in doubt is in the way of what is reserved, up to the last unit",
    async run(open) {
      const ledger = await open();
      const [spent, doubt, reserved] = ["s", "d", "r"].map((id) =>
        reservedEntry(id, [claimOf("a", 30, 100)]),
      ) as [LedgerEntry, LedgerEntry, LedgerEntry];
      for (const entry of [spent, doubt, reserved])
        same(await ledger.reserve(entry), [], "it fits");
      await ledger.end(spent, { state: "spent", at: 1 });
      await ledger.end(doubt, { state: "in-doubt", at: 1 });
      const totals = { spent: 30, reserved: 30, inDoubt: 30 };
      same(
        await ledger.reserve(reservedEntry("over", [claimOf("a", 10.5, 100)])),
        [{ limit: "a", totals }],
        "half too much",
      );
      same(await ledger.reserve(reservedEntry("fits", [claimOf("a", 10, 100)])), [], "it fits");
    },
  },
  {
    name: "an end that comes twice, or after another one, changes nothing; one in doubt may still be decided",
    async run(open) {
      const ledger = await open();
      const claim = claimOf("a", 10, 100);
      const entry = reservedEntry("e", [claim]);
      await ledger.reserve(entry);
      await ledger.end(entry, { state: "in-doubt" });
      await ledger.end(entry, { state: "in-doubt", at: 5 });
      same((await ledger.open())[0]?.endedAt, 5, "when its tool ended");
      for (let times = 0; times < 2; times += 1) await ledger.end(entry, { state: "spent", at: 5 });
      await ledger.end(entry, { state: "not-done" });
      await ledger.end(entry, { state: "in-doubt" });
      same(await ledger.totals(claim), { ...NOTHING, spent: 10 }, "it is spent once");
      await ledger.end(reservedEntry("unknown", [claim]), { state: "spent", at: 5 });
      same(await ledger.totals(claim), { ...NOTHING, spent: 10 }, "an unknown one is not spent");
    },
  },
  {
    name: "an entry that is reserved again is there already, because its answer was lost",
    async run(open) {
      const [own, other] = [await open(), await open()];
      const claim = claimOf("a", 60, 100);
      const entry = reservedEntry("e", [claim]);
      for (const ledger of [own, other, own]) same(await ledger.reserve(entry), [], "it fits");
      same(await own.totals(claim), { ...NOTHING, reserved: 60 }, "it counts once");
      await other.end(entry, { state: "in-doubt", at: 5 });
      same(await own.reserve(entry), [], "it fits in doubt");
      same(await other.totals(claim), { ...NOTHING, inDoubt: 60 }, "it is still in doubt");
      await own.end(entry, { state: "spent", at: 5 });
      same(await other.totals(claim), { ...NOTHING, spent: 60 }, "it is spent once");
      same(await own.open(), [], "open entries");
    },
  },
  {
    name: "an entry that another call takes over counts once, and is in doubt again if that call does nothing",
    async run(open) {
      const [own, other] = [await open(), await open()];
      const claim = claimOf("a", 60, 100, 0);
      const again = { ...reservedEntry("e", [claim], 7), facts: { tool: "pay", process: "2" } };
      for (const [doubt, at] of [
        [{ state: "in-doubt", at: 5 } as const, 5],
        [{ state: "in-doubt" } as const, undefined],
        [undefined, undefined],
      ] as const) {
        const entry = reservedEntry("e", [claim]);
        await own.reserve(entry);
        if (doubt) await own.end(entry, doubt);
        same(await other.reserve(again), [], "it fits");
        same(await other.reserve(again), [], "it fits, though the answer was lost");
        same(await own.totals(claim), { ...NOTHING, reserved: 60 }, "it counts once");
        same(await own.open(), [again], "open entries");
        await other.end(again, { state: "not-done" });
        same(await own.totals(claim), { ...NOTHING, inDoubt: 60 }, "it is in doubt again");
        const endedAt = at === undefined ? {} : { endedAt: at };
        same(await own.open(), [{ ...again, state: "in-doubt", ...endedAt }], "what is in doubt");
        await other.end(again, { state: "not-done" });
        same(await own.totals(claim), NOTHING, "it is known that nothing happened");
      }
      await own.reserve(reservedEntry("e", [claim]));
      await own.end(again, { state: "in-doubt", at: 5 });
      const more = { ...again, claims: [claimOf("a", 101, 100, 0)] };
      same(
        await other.reserve(more),
        [{ limit: "a", totals: NOTHING }],
        "what does not fit without it",
      );
      same(await own.totals(claim), { ...NOTHING, inDoubt: 60 }, "it is still in doubt");
      same(await other.reserve(again), [], "it fits");
      await other.end(again, { state: "spent", at: 8 });
      same(await own.totals(claim), { ...NOTHING, spent: 60 }, "it is spent once");
      same(await own.open(), [], "open entries");
    },
  },
  {
    name: "open entries are listed oldest first, with everything that they hold",
    async run(open) {
      const ledger = await open();
      const entries = [2, 1, 3].map((time) =>
        reservedEntry(`${time}`, [claimOf("a", 0.5 * time, 100, -60_000)], time),
      ) as [LedgerEntry, LedgerEntry, LedgerEntry];
      for (const entry of entries) await ledger.reserve(entry);
      await ledger.end(entries[1], { state: "in-doubt", at: 7 });
      await ledger.end(entries[2], { state: "spent", at: 7 });
      const inDoubt = { ...entries[1], state: "in-doubt", endedAt: 7 } as const;
      same(await ledger.open(), [inDoubt, entries[0]], "open entries");
    },
  },
  {
    name: "sums are exact for whole numbers, and for fractions as a person adds them",
    async run(open) {
      const ledger = await open();
      for (const [index, amount] of [0.1, 0.2].entries()) {
        const entry = reservedEntry(`${index}`, [claimOf("cents", amount, 0.3)]);
        same(await ledger.reserve(entry), [], "it fits");
        await ledger.end(entry, { state: "spent", at: 1 });
      }
      same(await ledger.totals({ account: "cents" }), { ...NOTHING, spent: 0.3 }, "the sum");
      const most = 2 ** 53 - 1;
      await ledger.reserve(reservedEntry("large", [claimOf("large", most - 1, most)]));
      const short = await ledger.reserve(reservedEntry("one", [claimOf("large", 2, most)]));
      same(short.length, 1, "one too much");
      same(await ledger.reserve(reservedEntry("fits", [claimOf("large", 1, most)])), [], "it fits");
    },
  },
  {
    name: "accounts are kept apart, whatever their names are",
    async run(open) {
      const ledger = await open();
      const names = [
        "a",
        "a ",
        "A",
        "__proto__",
        "constructor",
        '["a","b"]',
        "x".repeat(200),
        "\u00e9",
      ];
      for (const [index, name] of names.entries()) {
        const short = await ledger.reserve(reservedEntry(`${index}`, [claimOf(name, 1, 1)]));
        same(short, [], `reserved in ${name.slice(0, 20)}`);
      }
      for (const account of names) {
        same(await ledger.totals({ account }), { ...NOTHING, reserved: 1 }, account.slice(0, 20));
      }
    },
  },
  ...WINDOW_CASES,
];

/**
 * Registers one test for each thing that a ledger must do: amounts that are reserved as a whole, ends that count once, windows,
 * sums, and four processes at once that never exceed what an account may hold.
 *
 * @example
 * ```ts
 * describeLedger({ place: () => "a name of its own", open: () => memoryLedger() }, test);
 * ```
 * @see docs/limits.md
 */
export function describeLedger<Place>(harness: LedgerHarness<Place>, test: RegisterTest): void {
  for (const one of CASES) {
    test(one.name, async () => {
      const place = await harness.place();
      await one.run(() => harness.open(place));
    });
  }
  test("four processes at once: exactly as much is granted as the account holds", async () => {
    const place = await harness.place();
    const results = await Promise.all(
      Array.from({ length: PROCESSES }, async (_, process) =>
        harness.fork
          ? harness.fork(place, { process })
          : runSpendingJob(await harness.open(place), { process }),
      ),
    );
    const granted = results.reduce((sum, result) => sum + result.granted, 0);
    same(granted, MAX, "reservations that were granted");
    const ledger = await harness.open(place);
    const { spent, reserved, inDoubt } = await ledger.totals({ account: "shared" });
    same(spent + reserved + inDoubt, MAX, "what the account holds");
    same((await ledger.open()).length, reserved + inDoubt, "open entries");
  });
}
