import { type Contract, type Ledger, createContract, createMemoryStore } from "@toolcontract/core";
import {
  type Evidence,
  type Guardrails,
  type GuardrailsOptions,
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
  /** How many payments were made twice, because their call came again; must be 0. */
  readonly doubled: number;
  /** How much of what was paid is not counted; must be 0. */
  readonly lost: number;
  /** How much is counted that was not paid, after the calls in doubt were looked up at the bank; must be 0. */
  readonly overcounted: number;
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

interface RunningTool {
  readonly callId: string;
  readonly replica: Replica;
}

/** A schedule under way. */
interface Running {
  /** A process knows its calls under way by their keys, so each schedule needs conversations of its own. */
  readonly seed: number;
  readonly random: Random;
  readonly world: World;
  readonly hosts: Host[];
  /** The tools that are running, and may still pay: some of them for the same call. */
  readonly mayPay: Set<RunningTool>;
  /** The most that each call may count for: what it wanted to spend, or what it has settled. */
  readonly amounts: Map<string, number>;
  /**
   * What was reserved for each call, each time: a reservation that arrives after its own end, or in a process that was killed, stays in doubt
   * beside that of the call which came again, and the bank knows calls only.
   */
  readonly reserved: Map<string, readonly number[]>;
  /** The calls that wrote themselves what they have spent. */
  readonly settled: Set<string>;
  /** The calls that have paid by the bank's word: they count for what they reserved. */
  readonly lookedUp: Set<string>;
  /** How often each call was sent and has not returned; those of a killed process never do. */
  readonly unfinished: Map<string, number>;
  calls: number;
}

/**
 * Runs calls of one to four processes on one ledger, which are cancelled, run out of time, fail, are killed, come again in any of them, and
 * lose the ledger's answers, at any of their awaits.
 */
export async function runSchedule(seed: number, ledger: Ledger): Promise<ScheduleResult> {
  const random = randomOf(seed);
  const per = random.pick(TIMES);
  const effect = random.pick(EFFECTS);
  const chance = random.pick([0, 0, 5, 20]);
  const world = openWorld(MAX, per, Date.UTC(2026, 2, 1, 23, 59, 0));
  const running: Running = {
    seed,
    random,
    world,
    hosts: [],
    mayPay: new Set(),
    amounts: new Map(),
    reserved: new Map(),
    settled: new Set(),
    lookedUp: new Set(),
    unfinished: new Map(),
    calls: 0,
  };
  const noted = noting(ledger, running);
  const records = createMemoryStore();
  const start = (): Host => {
    const replica = startReplica(random);
    const guardrails = createGuardrails({
      ...spendingOf(per),
      effects: effect ? { pay: effect } : {},
      records,
      ledger: faulty(noted, replica, random, chance),
      clock: () => world.now,
      timeLimits: { tool: 2, store: 2 },
    });
    return { replica, guardrails, contract: createContract({ guardrails, logger: false }) };
  };
  for (let count = 1 + random.below(4); count > 0; count -= 1) running.hosts.push(start());
  const calls = Array.from({ length: 4 + random.below(6) }, async () => makeCall(running));
  if (random.percent(25)) calls.push(killOne(running, start));
  if (random.percent(40)) calls.push(reconcileOnce(running));
  await Promise.all(calls);
  await Promise.all([makeCall(running), makeCall(running)]);
  return resultOf(running, ledger, per);
}

/** What all processes spend; a ledger is passed by each. */
function spendingOf(per: Per | undefined) {
  return {
    guardrails: [],
    limits: { budget: { max: MAX, scope: "global", ...(per && { per }) } },
    spends: {
      pay: {
        reserve: ({ args }) => ({ budget: args.amount }),
        settle: ({ result }) => ({ budget: result.charged }),
      },
    },
  } as const satisfies GuardrailsOptions<unknown, "budget">;
}

const TOOL = { name: "pay", inputSchema: { type: "object" } } as const;

async function makeCall(running: Running): Promise<void> {
  const { random } = running;
  const id = `call_${(running.calls += 1)}`;
  const amount = 1 + random.below(60);
  const isSent = sendCall(running, id, amount);
  // A resumed run, a restarted node or a retried request brings it again, often while it is under way.
  if (random.percent(30)) await Promise.all([isSent, sendCall(running, id, amount)]);
  await isSent;
  if (random.percent(20)) await sendCall(running, id, amount);
}

/** Sends a call to one of the processes. */
async function sendCall(running: Running, id: string, amount: number): Promise<void> {
  const { seed, random, world, hosts, mayPay, amounts, settled, unfinished } = running;
  const host = hosts[random.below(hosts.length)];
  if (!host) return;
  const { replica, contract } = host;
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
    const tool: RunningTool = { callId: id, replica };
    mayPay.add(tool);
    return payment({ random, pause: async (most) => replica.pause(most), pay }).finally(() =>
      mayPay.delete(tool),
    );
  };
  const call = { id, name: "pay", arguments: { amount } };
  // A conversation of its own: no call closes the tool for another one.
  const message = { conversationId: `${seed} ${id}`, runId: "run", turnId: "1" };
  const place = { tool: TOOL, ...message, signal: controller.signal, execute };
  amounts.set(id, amount);
  const noteUnfinished = (more: number): void =>
    void unfinished.set(id, (unfinished.get(id) ?? 0) + more);
  noteUnfinished(1);
  const handled = contract.handle(call, place).then((answer) => {
    if (answer.status === "executed" && settled.has(id)) amounts.set(id, world.paidBy(id) ?? 0);
  });
  const ended = handled.catch(() => undefined).finally(() => noteUnfinished(-1));
  await Promise.race([ended, replica.death]);
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

/** What the bank says, which tells the truth: that a call has paid, that it never will, or that it cannot know yet. */
function evidenceOf({ world, mayPay, lookedUp }: Running): (entry: OpenEntry) => Evidence {
  return ({ callId }) => {
    if (world.paidBy(callId) === undefined) {
      const isAwaited = [...mayPay].some(
        (tool) => tool.callId === callId && !tool.replica.isDead(),
      );
      return isAwaited ? "unknown" : "not-done";
    }
    lookedUp.add(callId);
    return "done";
  };
}

async function reconcileOnce(running: Running): Promise<void> {
  const { random, hosts } = running;
  const host = hosts[random.below(hosts.length)];
  if (!host) return;
  const { replica, guardrails } = host;
  await Promise.race([replica.pause(30), replica.death]);
  const reconciled = guardrails.reconcile(evidenceOf(running)).catch(() => undefined);
  await Promise.race([reconciled, replica.death, new Promise((resolve) => setTimeout(resolve, 5))]);
}

async function resultOf(
  running: Running,
  ledger: Ledger,
  per: Per | undefined,
): Promise<ScheduleResult> {
  const { world, calls } = running;
  const paid = idsOf(calls).filter((id) => world.paidBy(id) !== undefined).length;
  const sums = {
    overrun: world.overrun(),
    doubled: world.doubled(),
    paid,
    unpaid: calls - paid,
  };
  if (per !== undefined) return { ...sums, lost: 0, overcounted: 0 };
  const bank = createGuardrails({ ...spendingOf(per), ledger });
  const lost = world.total() - (await countedBy(bank));
  const after = await lookUpAll(running, bank);
  return {
    ...sums,
    lost: Math.max(0, lost, world.total() - after),
    overcounted: Math.max(0, after - mostOf(running)),
  };
}

const LOOK_UPS = 50;

/** Looks up every call at the bank, again while what was given up is still on its way to the ledger; returns what counts then. */
async function lookUpAll(running: Running, bank: Guardrails<unknown, "budget">): Promise<number> {
  for (let lookUp = 1; ; lookUp += 1) {
    await bank.reconcile(evidenceOf(running));
    const counted = await countedBy(bank);
    if (lookUp === LOOK_UPS || counted <= mostOf(running)) return counted;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

async function countedBy(bank: Guardrails<unknown, "budget">): Promise<number> {
  const { spent, reserved, inDoubt } = await bank.usage("budget");
  return spent + reserved + inDoubt;
}

/** The most that may count: of the calls that have paid, and of those that may still pay or never came back. */
function mostOf({ world, mayPay, amounts, reserved, unfinished, calls }: Running): number {
  const running = new Set([...mayPay].map(({ callId }) => callId));
  return idsOf(calls).reduce((total, id) => {
    const counts =
      world.paidBy(id) !== undefined || running.has(id) || (unfinished.get(id) ?? 0) > 0;
    const again = (reserved.get(id) ?? []).slice(1).reduce((sum, amount) => sum + amount, 0);
    return counts ? total + (amounts.get(id) ?? 0) + again : total;
  }, 0);
}

function idsOf(calls: number): readonly string[] {
  return Array.from({ length: calls }, (_, call) => `call_${call + 1}`);
}

/** Notes which calls write themselves what they have spent. */
function noting(ledger: Ledger, { reserved, settled, lookedUp }: Running): Ledger {
  const callIds = new Map<string, string>();
  return {
    ...ledger,
    async reserve(entry) {
      const callId = entry.facts["callId"] ?? "";
      callIds.set(entry.id, callId);
      const short = await ledger.reserve(entry);
      const amount = entry.claims[0]?.amount ?? 0;
      if (short.length === 0) reserved.set(callId, [...(reserved.get(callId) ?? []), amount]);
      return short;
    },
    end(entry, end) {
      const callId = callIds.get(entry.id);
      const isOwn = callId !== undefined && !lookedUp.has(callId);
      if (isOwn && end.state === "spent") settled.add(callId);
      return ledger.end(entry, end);
    },
  };
}
