import { type Replica, startFleet } from "./fleet.ts";
import { createFront, type Front } from "./front.ts";

const REPLICAS = 3;
const AT_ONCE = 16;
/** What is asked of each pair of session and tool: three failing turns of two calls each, one more call, three valid ones. */
const TURNS = [1, 2, 3];
export const CALLS_PER_PAIR = 10;

/** What came of a soak. */
export interface SoakResult {
  readonly calls: number;
  readonly pairs: number;
  /** Answers with another count than they must have, in words. */
  readonly wrong: readonly string[];
  /** Calls whose answer was lost with the killed process, and were sent again. */
  readonly lost: number;
  /** How many tools were escalated, as far as the proxies' metrics say. */
  readonly escalations: number;
  /** How many calls the killed process had not answered: its escalations of these, nobody has seen. */
  readonly unseen: number;
}

/** Whether every count was right and every escalation was raised once. */
export function isExact({ wrong, escalations, pairs, unseen }: SoakResult): boolean {
  return wrong.length === 0 && escalations <= pairs && escalations >= pairs - unseen;
}

/** Sends calls to three proxies in turn; one is killed after a third of them, and started again after two thirds. */
export async function soak(storeUrl: string, pairs: number): Promise<SoakResult> {
  const fleet = await startFleet(REPLICAS, storeUrl);
  const { replicas } = fleet;
  const front = createFront(replicas);
  const wrong: string[] = [];
  let [escalations, unseen, done] = [0, 0, 0];
  // One after the other: what is killed must have ended before it starts again.
  let disturbed: Promise<void> = Promise.resolve();

  async function disturb(victim: Replica, at: number): Promise<void> {
    if (at === Math.ceil(pairs / 3)) {
      unseen = front.leave(victim);
      escalations += await victim.escalations();
      await victim.kill();
    }
    if (at === Math.ceil((pairs * 2) / 3)) {
      await victim.start();
      front.join(victim);
    }
  }
  const queue = Array.from({ length: pairs }, (_, pair) => pair);
  async function work(): Promise<void> {
    for (let pair = queue.shift(); pair !== undefined; pair = queue.shift()) {
      wrong.push(...(await runPair(pair, front)));
      done += 1;
      const [victim] = replicas;
      const at = done;
      if (victim) disturbed = disturbed.then(async () => disturb(victim, at));
      await disturbed;
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    for (const replica of replicas) escalations += await replica.escalations();
    return { calls: front.calls(), pairs, wrong, lost: front.lost(), escalations, unseen };
  } finally {
    await fleet.close();
  }
}

async function runPair(pair: number, front: Front): Promise<readonly string[]> {
  const session = `session-${Math.floor(pair / 20)}`;
  const tool = `add-${pair % 20}`;
  const call = async (args: object) => front.call({ session, tool, args });
  const wrong: string[] = [];
  // A call that was lost may have been counted, or not.
  let uncertain = 0;
  for (const turn of TURNS) {
    const answers = await Promise.all([call({ a: "one" }), call({ a: "two" })]);
    uncertain += answers.filter(({ isRepeated }) => isRepeated).length;
    const highest = Math.max(...answers.map(({ attempt }) => attempt));
    const isRight = highest >= turn && highest <= Math.min(turn + uncertain, TURNS.length);
    const isSame = uncertain > 0 || answers.every(({ attempt }) => attempt === highest);
    if (!isRight || !isSame) {
      const seen = answers.map(({ attempt }) => attempt).join(" and ");
      wrong.push(`${session} ${tool}: attempts ${seen} in turn ${turn}`);
    }
  }
  const after = await call({ a: "one" });
  if (!after.isBlocked) wrong.push(`${session} ${tool}: not blocked after ${TURNS.length} turns`);
  for (const a of TURNS) {
    const { isForwarded } = await front.call({ session: `${session}-valid`, tool, args: { a } });
    if (!isForwarded) wrong.push(`${session} ${tool}: a valid call was refused`);
  }
  return wrong;
}
