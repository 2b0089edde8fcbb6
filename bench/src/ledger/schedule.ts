import { type Contract, type Ledger, createContract } from "@toolcontract/core";
import {
  type Guardrails,
  type OpenEntry,
  type Per,
  createGuardrails,
} from "@toolcontract/guardrails";
import { EFFECTS, payment } from "./payment.ts";
import { type Random, randomOf } from "./random.ts";
import { type Replica, faulty, startReplica } from "./replica.ts";
import { type World, openWorld } from "./world.ts";

const MAX = 100;
const TIMES = [undefined, undefined, "minute", "hour", "day"] as const satisfies readonly (
  | Per
  | undefined
)[];

/** What a schedule came to. */
export interface ScheduleResult {
  /** By how much the limit was exceeded at worst; must be 0. */
  readonly overrun: number;
  /** How much of what was paid is not counted; must be 0. */
  readonly lost: number;
  /** How many calls have paid. */
  readonly paid: number;
  /** How many were refused or failed before they paid. */
  readonly unpaid: number;
}

/** A process, and what runs in it. */
interface Host {
  readonly replica: Replica;
  readonly guardrails: Guardrails<unknown, "budget">;
  readonly contract: Contract;
}

/** A schedule under way. */
interface Running {
  readonly random: Random;
  readonly world: World;
  readonly hosts: Host[];
  /** The calls whose tool is running, and may still pay. */
  readonly mayPay: Map<string, Replica>;
  calls: number;
}

/**
 * Runs calls of one to four processes on one ledger, which are cancelled, run out of time, fail, are killed, and lose the
 * ledger's answers, at any of their awaits.
 */
export async function runSchedule(seed: number, ledger: Ledger): Promise<ScheduleResult> {
  const random = randomOf(seed);
  const per = random.pick(TIMES);
  const effect = random.pick(EFFECTS);
  const chance = random.pick([0, 0, 5, 20]);
  const world = openWorld(MAX, per, Date.UTC(2026, 2, 1, 23, 59, 0));
  const start = (): Host => {
    const replica = startReplica(random);
    const guardrails = createGuardrails({
      guardrails: [],
      effects: effect ? { pay: effect } : {},
      limits: { budget: { max: MAX, scope: "global", ...(per && { per }) } },
      spends: {
        pay: {
          reserve: ({ args }) => ({ budget: args.amount }),
          settle: ({ result }) => ({ budget: result.charged }),
        },
      },
      ledger: faulty(ledger, replica, random, chance),
      clock: () => world.now,
      timeLimits: { tool: 2, store: 2 },
    });
    return { replica, guardrails, contract: createContract({ guardrails, logger: false }) };
  };
  const hosts = Array.from({ length: 1 + random.below(4) }, start);
  const running: Running = { random, world, hosts, mayPay: new Map(), calls: 0 };
  const calls = Array.from({ length: 4 + random.below(6) }, async () => makeCall(running));
  if (random.percent(25)) calls.push(killOne(running, start));
  if (random.percent(40)) calls.push(reconcileOnce(running));
  await Promise.all(calls);
  await Promise.all([makeCall(running), makeCall(running)]);
  return resultOf(running, ledger, per);
}

const TOOL = { name: "pay", inputSchema: { type: "object" } } as const;

async function makeCall(running: Running): Promise<void> {
  const { random, world, hosts, mayPay } = running;
  const host = hosts[random.below(hosts.length)];
  if (!host) return;
  const { replica, contract } = host;
  const id = `call_${(running.calls += 1)}`;
  const amount = 1 + random.below(60);
  const controller = new AbortController();
  if (random.percent(25)) void cancelLater(controller, replica);
  await Promise.race([replica.pause(8), replica.death]);
  if (random.percent(30)) world.now += random.below(40_000);
  const pay = (): number => {
    const charged = random.percent(70) ? amount : random.below(amount);
    world.pay(id, charged);
    return charged;
  };
  const execute = async (): Promise<unknown> => {
    mayPay.set(id, replica);
    return payment({ random, pause: async (most) => replica.pause(most), pay }).finally(() =>
      mayPay.delete(id),
    );
  };
  const call = { id, name: "pay", arguments: { amount } };
  // A conversation of its own: no call closes the tool for another one.
  const place = { tool: TOOL, conversationId: id, signal: controller.signal, execute };
  await Promise.race([contract.handle(call, place).catch(() => undefined), replica.death]);
}

async function cancelLater(controller: AbortController, replica: Replica): Promise<void> {
  await replica.pause(20);
  controller.abort();
}

async function killOne({ random, hosts }: Running, start: () => Host): Promise<void> {
  const victim = random.below(hosts.length);
  await Promise.race([hosts[victim]?.replica.pause(30), hosts[victim]?.replica.death]);
  hosts[victim]?.replica.kill();
  hosts[victim] = start();
}

/** Asks the bank, which tells the truth: that a call has paid, that it never will, or that it cannot know yet. */
async function reconcileOnce({ random, world, hosts, mayPay }: Running): Promise<void> {
  const host = hosts[random.below(hosts.length)];
  if (!host) return;
  const evidence = ({ callId }: OpenEntry): "done" | "not-done" | "unknown" => {
    if (world.paidBy(callId) !== undefined) return "done";
    return mayPay.get(callId)?.isDead() === false ? "unknown" : "not-done";
  };
  const { replica, guardrails } = host;
  await Promise.race([replica.pause(30), replica.death]);
  const reconciled = guardrails.reconcile(evidence).catch(() => undefined);
  await Promise.race([reconciled, replica.death, new Promise((resolve) => setTimeout(resolve, 5))]);
}

async function resultOf(
  { world, calls }: Running,
  ledger: Ledger,
  per: Per | undefined,
): Promise<ScheduleResult> {
  const { spent, reserved, inDoubt } = await ledger.totals({ account: '["budget","global"]' });
  const paid = Array.from({ length: calls }, (_, call) => world.paidBy(`call_${call + 1}`)).filter(
    (amount) => amount !== undefined,
  ).length;
  const lost = per === undefined ? Math.max(0, world.total() - spent - reserved - inDoubt) : 0;
  return { overrun: world.overrun(), lost, paid, unpaid: calls - paid };
}
