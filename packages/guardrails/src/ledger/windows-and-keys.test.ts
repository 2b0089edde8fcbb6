import type { Ledger } from "@toolcontract/core";
import { sqliteLedger } from "@toolcontract/stores/sqlite";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import {
  type Effect,
  type Guardrails,
  type LimitOptions,
  type Spend,
  Outcome,
  createGuardrails,
  currentAttempt,
  memoryLedger,
} from "../index.ts";
import { gate, idle, loopOf } from "../testing/index.ts";

const MINUTE = 60_000;
const START = Date.parse("2026-03-02T09:00:00Z");
const LEDGERS: Readonly<Record<string, () => Ledger>> = {
  memory: memoryLedger,
  SQLite: () => sqliteLedger(new DatabaseSync(":memory:")),
};

const lost = (): never => {
  throw Object.assign(new Error("timeout"), { code: "ETIMEDOUT" });
};

type Sender = ReturnType<typeof sender>;

/** Where a call is that comes again while it runs. */
const SAME_CALL = { id: "call", turnId: "1", runId: "a" };

/** A process with a limit of ten messages. */
function sender(
  ledger: Ledger,
  clock: () => number,
  limit: Partial<LimitOptions>,
  {
    effect = "irreversible",
    spend = ({ args }) => ({ sms: args.count }),
  }: { effect?: Effect; spend?: Spend<"sms", { count: number }> } = {},
) {
  const guardrails = createGuardrails({
    clock,
    ledger,
    guardrails: [],
    effects: { send: effect },
    limits: { sms: { max: 10, scope: "global", ...limit } },
    spends: { send: spend as never },
  });
  const { call, lines } = loopOf(guardrails as Guardrails);
  return {
    guardrails,
    lines,
    send: async (count: number, run: () => unknown = () => "sent", place: object = {}) =>
      call("send", run, { count }, place).then(
        ({ status }) => status,
        () => "threw",
      ),
  };
}

describe.each(Object.entries(LEDGERS))("a ledger in %s", (_, ledgerOf) => {
  test.each<[Partial<LimitOptions>, Partial<LimitOptions>]>([
    [{ per: "day" }, { per: "minute" }],
    [{ per: "hour" }, { per: "minute" }],
    [{ per: "day" }, { per: "hour" }],
    [{}, { per: "minute" }],
    [{ per: "minute" }, {}],
    [
      { per: "day", timeZone: "UTC" },
      { per: "day", timeZone: "Asia/Tokyo" },
    ],
  ])("keeps a limit of %o apart from one of %o", async (one, other) => {
    let now = START;
    const ledger = ledgerOf();
    const [own, foreign] = [sender(ledger, () => now, one), sender(ledger, () => now, other)];
    expect(await own.send(10)).toBe("executed");
    now += 30_000;
    await foreign.guardrails.usage("sms");
    expect(await foreign.send(10)).toBe("executed");
    now += 1_000;
    expect(await own.send(1)).toBe("rejected");
    expect(await own.guardrails.usage("sms")).toMatchObject({ spent: 10, left: 0 });
  });

  test.each(["reads", "sends"])("frees nothing for a clock that is ahead and %s", async (does) => {
    let now = START;
    const ledger = ledgerOf();
    const own = sender(ledger, () => now, { per: "minute" });
    const ahead = sender(ledger, () => now + 30 * MINUTE, { per: "minute" });
    expect(await own.send(10)).toBe("executed");
    now += 5_000;
    if (does === "reads") expect(await ahead.guardrails.usage("sms")).toMatchObject({ spent: 0 });
    else expect(await ahead.send(1)).toBe("executed");
    now += 1_000;
    expect(await own.send(1)).toBe("rejected");
    now += MINUTE;
    expect(await own.send(9)).toBe("executed");
  });

  test("is one entry for one key: a retry takes over what nobody knows of", async () => {
    const ledger = ledgerOf();
    const world = new Map<string | undefined, number>();
    const charge = (isLost: boolean) => () => {
      world.set(currentAttempt().idempotencyKey, 6);
      if (isLost) throw Object.assign(new Error("timeout"), { code: "ETIMEDOUT" });
      return "charged";
    };
    const { send, guardrails } = sender(ledger, () => START, {}, { effect: "idempotent" });
    expect(await send(6, charge(true))).toBe("threw");
    expect(await guardrails.usage("sms")).toMatchObject({ inDoubt: 6 });
    const refused = () => Outcome.notDone("offline", "Not reached");
    await send(6, refused);
    expect(await guardrails.usage("sms")).toMatchObject({ spent: 0, inDoubt: 6 });
    expect(await send(6, charge(false))).toBe("executed");
    expect([...world.values()]).toEqual([6]);
    expect(await guardrails.usage("sms")).toMatchObject({ spent: 6, inDoubt: 0, left: 4 });
    // What follows is another payment.
    expect(await send(6, charge(false))).toBe("rejected");
    expect(await guardrails.reconcile(() => "done")).toEqual({ done: 0, notDone: 0, unknown: 0 });
  });

  test("settles one key once when it is reconciled", async () => {
    const { send, guardrails } = sender(ledgerOf(), () => START, {}, { effect: "idempotent" });
    for (let times = 0; times < 3; times += 1) expect(await send(6, lost)).toBe("threw");
    expect(await guardrails.usage("sms")).toMatchObject({ inDoubt: 6 });
    expect(await guardrails.reconcile(() => "done")).toEqual({ done: 1, notDone: 0, unknown: 0 });
    expect(await guardrails.usage("sms")).toMatchObject({ spent: 6, inDoubt: 0 });
  });

  test("counts each call of a tool that promises nothing for a key", async () => {
    const { send, guardrails } = sender(ledgerOf(), () => START, {}, { effect: "compensable" });
    await send(4, lost);
    await send(4, lost, { runId: "next" });
    expect(await guardrails.usage("sms")).toMatchObject({ inDoubt: 8 });
  });

  test("counts what was used beyond what was reserved, and says so", async () => {
    const spend: Spend<"sms", { count: number }> = {
      reserve: () => ({ sms: 0 }),
      settle: () => ({ sms: 90 }),
    };
    const { send, guardrails, lines } = sender(ledgerOf(), () => START, {}, { spend });
    expect(await send(1)).toBe("executed");
    expect(await guardrails.usage("sms")).toMatchObject({ spent: 90, left: 0 });
    expect(lines).toContainEqual({
      message: "A call has used more than it reserved",
      fields: expect.objectContaining({ limits: "sms", tool_name: "send" }),
    });
    expect(await send(2)).toBe("rejected");
  });

  test("counts what was used of a limit that was not reserved at all", async () => {
    const spend: Spend<"sms", { count: number }> = {
      reserve: () => ({}),
      settle: () => ({ sms: 3 }),
    };
    const { send, guardrails, lines } = sender(ledgerOf(), () => START, {}, { spend });
    expect(await send(1)).toBe("executed");
    expect(await guardrails.usage("sms")).toMatchObject({ spent: 3 });
    expect(lines.map(({ message }) => message)).toContain("A call has used more than it reserved");
  });

  test.each([
    ["that was stopped while its tool worked", { state: "in-doubt" } as const],
    ["that was killed", undefined],
  ])("frees the minute of a process %s", async (__, end) => {
    let now = START;
    const ledger = ledgerOf();
    const own = sender(ledger, () => now, { per: "minute" }, { effect: "compensable" });
    await own.send(1, lost);
    const [known] = await ledger.open();
    if (known === undefined) throw new Error("nothing is open");
    await own.guardrails.reconcile(() => "not-done");
    const { endedAt: _end, ...entry } = known;
    const facts = { ...entry.facts, process: "gone", pid: "999999999" };
    const claims = entry.claims.map((claim) => ({ ...claim, amount: 10 }));
    const left = { ...entry, id: "left", facts, claims, state: "reserved" } as const;
    await ledger.reserve(left);
    if (end) await ledger.end(left, end);
    expect(await own.send(1, undefined, { runId: "b" })).toBe("rejected");
    now += 60 * MINUTE;
    expect(await own.send(1, undefined, { runId: "c" })).toBe("executed");
    expect(await own.guardrails.usage("sms")).toMatchObject({ spent: 1, inDoubt: 0 });
  });

  test.each<[string, () => unknown]>([
    ["does nothing", (): unknown => Outcome.notDone("offline", "It was not sent")],
    ["ends in doubt", lost],
  ])(
    "keeps what a call has reserved while it runs, also if one under its key %s",
    async (_does, other) => {
      let now = START;
      const ledger = ledgerOf();
      const [first, second] = [1, 2].map(() =>
        sender(ledger, () => now, { per: "minute" }, { effect: "idempotent" }),
      ) as [Sender, Sender];
      const slow = gate<string>();
      const keys: (string | undefined)[] = [];
      const noting = (run: () => unknown) => (): unknown => {
        keys.push(currentAttempt().idempotencyKey);
        return run();
      };
      const sent = first.send(
        10,
        noting(async () => slow.promise),
        SAME_CALL,
      );
      await idle();
      await second.send(10, noting(other), SAME_CALL);
      expect(keys).toEqual([expect.any(String), keys[0]]);
      expect(await ledger.open()).toHaveLength(1);
      expect(await first.send(1, undefined, { runId: "b" })).toBe("rejected");
      now += 2 * MINUTE;
      expect(await first.send(1, undefined, { runId: "c" })).toBe("rejected");
      slow.open("sent");
      expect(await sent).toBe("executed");
      expect(await first.guardrails.usage("sms")).toMatchObject({ spent: 10, left: 0 });
    },
  );

  test("stays in doubt if one call under a key may have happened and another one did not", async () => {
    let now = START;
    const ledger = ledgerOf();
    const [first, second] = [1, 2].map(() =>
      sender(ledger, () => now, { per: "minute" }, { effect: "idempotent" }),
    ) as [Sender, Sender];
    const slow = gate<unknown>();
    const notSent = first.send(10, async () => slow.promise, SAME_CALL);
    await idle();
    expect(await second.send(10, lost, SAME_CALL)).toBe("threw");
    slow.open(Outcome.notDone("offline", "It was not sent"));
    await notSent;
    expect(await first.guardrails.usage("sms")).toMatchObject({ inDoubt: 10, left: 0 });
    // Nothing is under way any more, so it leaves its window.
    expect(await first.send(1, undefined, { runId: "b" })).toBe("rejected");
    now += 2 * MINUTE;
    expect(await first.send(1, undefined, { runId: "c" })).toBe("executed");
  });

  // A tool may work on after its time limit, and the ledger may be away when it ends.
  test.each([
    ["whose call waits for it", false],
    ["that was given up", true],
  ])("counts a late tool %s from its end, though that was not written", async (__, isGivenUp) => {
    let now = START;
    let isAway = !isGivenUp;
    const ledger = ledgerOf();
    const away: Ledger = {
      ...ledger,
      async end(...of) {
        if (isAway) throw new Error("The ledger is away");
        await ledger.end(...of);
      },
    };
    const own = sender(away, () => now, { per: "minute" });
    const controller = new AbortController();
    const late = gate();
    const sent = own.send(
      10,
      async () => {
        if (isGivenUp) controller.abort();
        await late.promise;
        now += 10 * MINUTE;
        return lost();
      },
      { signal: controller.signal },
    );
    if (isGivenUp) {
      expect(await sent).toBe("threw");
      isAway = true;
    }
    late.open();
    await sent;
    await idle();
    isAway = false;
    now += MINUTE / 2;
    expect(await own.send(1, undefined, { conversationId: "b" })).toBe("rejected");
    now += MINUTE;
    expect(await own.send(1, undefined, { conversationId: "c" })).toBe("executed");
  });
});
