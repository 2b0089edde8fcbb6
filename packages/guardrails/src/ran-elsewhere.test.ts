import {
  type AttemptStore,
  type CallContext,
  type Handled,
  type Ledger,
  createContract,
  createMemoryStore,
} from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type Effect, createGuardrails, memoryLedger } from "./index.ts";

const transfer = { name: "transfer", inputSchema: { type: "object" } } as const;
const call = { id: "call_1", name: "transfer", arguments: { to: "Kim" } };
const place = { tool: transfer, conversationId: "t", runId: "r", turnId: "1" } as const;

/** A process that shares its records with others, and the world that it pays in. */
function startProcess(
  world: string[],
  records: AttemptStore | undefined,
  effect: Effect = "irreversible",
) {
  const lines: string[] = [];
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { transfer: effect },
    ...(records && { records }),
  });
  const logger = (_: unknown, line: string): void => void lines.push(line);
  const contract = createContract({ guardrails, logger });
  const pay = (): string => {
    world.push("paid");
    return "sent to Kim";
  };
  return {
    lines,
    make: async (
      context: Partial<CallContext> = {},
      execute: () => unknown = pay,
    ): Promise<Handled> => contract.handle(call, { ...place, ...context, execute }),
  };
}

describe("a call that ran in another process", () => {
  test("sent again under its key is not run again, whatever its message, run and conversation are", async () => {
    const world: string[] = [];
    const records = createMemoryStore();
    await startProcess(world, records).make({ idempotencyKey: "k" });
    const elsewhere = { turnId: "2", runId: "r2", conversationId: "u", idempotencyKey: "k" };
    const again = await startProcess(world, records).make(elsewhere);
    expect(again.result.content).toContain("no longer kept");
    expect(world).toEqual(["paid"]);
  });

  test.each<[what: string, context: Partial<CallContext>]>([
    ["in another message", { turnId: "2" }],
    ["in another run", { runId: "r2" }],
    ["in another conversation", { conversationId: "u" }],
    ["of another user", { context: { user: "u-2" } }],
  ])("%s is another call", async (_, context) => {
    const world: string[] = [];
    const records = createMemoryStore();
    await startProcess(world, records).make();
    expect((await startProcess(world, records).make(context)).status).toBe("executed");
    expect(world).toEqual(["paid", "paid"]);
  });

  test.each<[what: string, records: AttemptStore | undefined, effect: Effect]>([
    ["without records", undefined, "irreversible"],
    ["of a tool that may be repeated", createMemoryStore(), "idempotent"],
    ["of a tool whose state a restart loses", createMemoryStore(), "state"],
    ["of a tool without an effect", createMemoryStore(), "none"],
  ])("runs %s", async (_, records, effect) => {
    const world: string[] = [];
    await startProcess(world, records, effect).make();
    expect((await startProcess(world, records, effect).make()).status).toBe("executed");
    expect(world).toEqual(["paid", "paid"]);
  });

  test("runs if it only paused there, as a framework's interrupt lets it", async () => {
    const world: string[] = [];
    const records = createMemoryStore();
    const interrupt = Object.assign(new Error("wait"), { name: "GraphInterrupt" });
    const paused = startProcess(world, records).make({}, () => {
      throw interrupt;
    });
    await expect(paused).rejects.toBe(interrupt);
    expect((await startProcess(world, records).make()).status).toBe("executed");
    expect(world).toEqual(["paid"]);
  });

  test("runs once if two processes begin it at once", async () => {
    const world: string[] = [];
    const records = createMemoryStore();
    const processes = Array.from({ length: 4 }, () => startProcess(world, records));
    await Promise.all(processes.map(async ({ make }) => make()));
    expect(world).toEqual(["paid"]);
  });

  test("runs if the store fails, which is logged", async () => {
    const world: string[] = [];
    const fails = async (): Promise<never> => Promise.reject(new Error("away"));
    const { make, lines } = startProcess(world, { get: fails, update: fails, delete: fails });
    expect((await make()).status).toBe("executed");
    expect(lines).toContain("The store of records failed");
  });
});

describe("a call that paused in another process", () => {
  const interrupt = Object.assign(new Error("wait"), { name: "GraphInterrupt" });
  const start = (ledger: Ledger, records: AttemptStore | undefined, max: number) => {
    const guardrails = createGuardrails({
      guardrails: [],
      effects: { transfer: "irreversible" },
      limits: { money: { max } },
      spends: { transfer: () => ({ money: 30 }) },
      ledger,
      ...(records && { records }),
    });
    const contract = createContract({ guardrails, logger: false });
    return {
      usage: async () => guardrails.usage("money", { conversationId: "t", runId: "r" }),
      make: async (execute: () => unknown) => contract.handle(call, { ...place, execute }),
    };
  };
  const pauses = (): never => {
    throw interrupt;
  };

  test.each([40, 400])("goes on with what it has reserved, of %i", async (max) => {
    const [ledger, records] = [memoryLedger(), createMemoryStore()];
    await expect(start(ledger, records, max).make(pauses)).rejects.toBe(interrupt);
    const { make, usage } = start(ledger, records, max);
    expect(await usage()).toMatchObject({ spent: 0, reserved: 30 });
    // It may ask again, in a third process.
    await expect(make(pauses)).rejects.toBe(interrupt);
    const third = start(ledger, records, max);
    expect((await third.make(() => "paid")).status).toBe("executed");
    expect(await third.usage()).toMatchObject({ spent: 30, reserved: 0, inDoubt: 0 });
  });

  test("reserves anew without records", async () => {
    const ledger = memoryLedger();
    await expect(start(ledger, undefined, 400).make(pauses)).rejects.toBe(interrupt);
    const { make, usage } = start(ledger, undefined, 400);
    await make(() => "paid");
    expect(await usage()).toMatchObject({ spent: 30, reserved: 30 });
  });

  test("reserves anew if what was kept is not an entry", async () => {
    const [ledger, records] = [memoryLedger(), createMemoryStore()];
    await expect(start(ledger, records, 400).make(pauses)).rejects.toBe(interrupt);
    const wrong: AttemptStore = {
      ...records,
      get(key) {
        const state = records.get(key);
        return state?.outcome
          ? { ...state, outcome: { ...state.outcome, metadata: { entry: 7 } } }
          : state;
      },
    };
    const { make, usage } = start(ledger, wrong, 400);
    expect((await make(() => "paid")).status).toBe("executed");
    expect(await usage()).toMatchObject({ spent: 30 });
  });
});
