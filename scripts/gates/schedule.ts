import type { Gate, Tally } from "./run.ts";

/** How gates are run. */
export interface Schedule {
  /** How many gates run at once. */
  readonly atOnce: number;
  readonly run: (gate: Gate) => Promise<Tally>;
  readonly print: (text: string) => void;
}

const SKIPPED: Tally = { passed: 0, failed: 0, skipped: true };

/**
 * The gates of one shard, such as `"1/3"`: its part of them, each beside the one it needs, and those of which every shard
 * runs a part. All of them without a shard.
 */
export function shardOf(gates: readonly Gate[], shard: string | undefined): readonly Gate[] {
  if (shard === undefined) return gates;
  const [, index, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(shard) ?? [];
  if (index === undefined || Number(index) > Number(count))
    throw new Error(`--shard is "${shard}"; write a part of how many, such as 1/3`);
  const rootOf = (gate: Gate): Gate => {
    const needed = gates.find(({ name }) => name === gate.needs);
    return needed === undefined ? gate : rootOf(needed);
  };
  const roots = gates.filter(({ needs, isSplit }) => needs === undefined && isSplit !== true);
  return gates.filter(
    (gate) =>
      gate.isSplit === true || roots.indexOf(rootOf(gate)) % Number(count) === Number(index) - 1,
  );
}

/** Starts gates in order, some at once, each after the one it needs; returns what they counted, in the order of the gates. */
export async function runGates(
  gates: readonly Gate[],
  { atOnce, run, print }: Schedule,
): Promise<ReadonlyMap<Gate, Tally>> {
  const waiting = new Set(gates);
  const running = new Map<Gate, Promise<void>>();
  const ended = new Map<Gate, Tally>();

  async function start(gate: Gate): Promise<void> {
    const header = `\n── ${gate.name}`;
    if (gate.isStreamed === true) print(header);
    const tally = await run(gate);
    if (gate.isStreamed !== true) print(`${header}\n${tally.output ?? ""}`.trimEnd());
    ended.set(gate, tally);
    running.delete(gate);
  }

  while (waiting.size > 0 || running.size > 0) {
    const gate = nextOf(waiting, running, atOnce);
    if (gate === undefined) {
      if (running.size === 0) throw new Error("No gate can start: each needs one that cannot");
      await Promise.race(running.values());
      continue;
    }
    waiting.delete(gate);
    const needed = gates.find(({ name }) => name === gate.needs);
    const blocker = needed && ended.get(needed);
    if (blocker && (blocker.failed > 0 || blocker.skipped === true)) ended.set(gate, SKIPPED);
    else running.set(gate, start(gate));
  }
  return new Map(gates.map((gate) => [gate, ended.get(gate) ?? SKIPPED]));
}

/** The first gate that may start now, if there is one. */
function nextOf(
  waiting: ReadonlySet<Gate>,
  running: ReadonlyMap<Gate, unknown>,
  atOnce: number,
): Gate | undefined {
  if (running.size >= atOnce) return undefined;
  const pending = new Set([...waiting, ...running.keys()].map(({ name }) => name));
  return [...waiting].find(({ needs }) => needs === undefined || !pending.has(needs));
}
