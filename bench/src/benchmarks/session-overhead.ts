import { withContract } from "@toolcontract/ai-sdk";
import { agentSession } from "@toolcontract/ai-sdk/session";
import { generateText, isStepCount } from "ai";
import { type Benchmark, rowNamed } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { type Contestant, race, raceRuns, type Timing } from "../race.ts";
import { modelOfTurns, prompt, tools } from "../session-turns.ts";

const TURNS = 5;
const MOST_MICROSECONDS = 300;
const WITHOUT = "generateText with the contract";

const BUDGETED = "in a session with a budget of tokens and dollars";

/** Measures what a session adds to a run of the SDK's own loop. */
export const sessionOverhead: Benchmark = {
  name: "session-overhead",
  about: `generateText with a mock model, ${TURNS - 1} turns with a call and one with text, with and without a session`,
  async run({ length }) {
    // A run takes a thousand times as long as what this clock is made for.
    const short = { ...length, turnTime: length.turnTime / 40 };
    const clock = await raceRuns(contestants(TURNS), short);
    const processor = await race(contestants(TURNS), length);
    const single = await raceRuns(contestants(1), short);
    const rows = each(processor, TURNS, "turn");
    return [
      { title: "a turn, in processor time", rows, target: targetOf(rows) },
      { title: "a turn, by the clock", rows: each(clock, TURNS, "turn") },
      { title: "a run of one turn, by the clock", rows: each(single, 1, "run") },
    ];
  },
};

/** Each makes one run of this many turns. */
function contestants(turns: number): readonly Contestant[] {
  const stopWhen = isStepCount(turns);
  const guarded = withContract({ tools, stopWhen, logger: false });
  return [
    {
      name: "generateText",
      run: async () => generateText({ model: modelOfTurns(turns), tools, stopWhen, prompt }),
    },
    {
      name: WITHOUT,
      run: async () => generateText({ model: modelOfTurns(turns), prompt, ...guarded }),
    },
    limited("in a session", turns, {}),
    limited("in a session that counts tokens", turns, { target: { contextWindow: 200_000 } }),
    limited(BUDGETED, turns, {
      target: { contextWindow: 200_000, price: { input: 1, output: 2 } },
      budget: { maxTokens: 1_000_000, maxCost: 10 },
    }),
  ];
}

interface Limits {
  readonly target?: {
    readonly contextWindow?: number;
    readonly price?: { readonly input: number; readonly output: number };
  };
  readonly budget?: { readonly maxTokens: number; readonly maxCost: number };
}

function limited(name: string, turns: number, { target, budget }: Limits): Contestant {
  let next = modelOfTurns(turns);
  // One target for all runs: its script begins anew with each.
  const model = { ...next, doGenerate: async () => next.doGenerate() };
  const session = agentSession({
    targets: [{ model, ...target }],
    tools,
    maxTurns: turns + 1,
    toolTimeout: 30_000,
    toolResponseMaxBytes: 32_768,
    logger: false,
    ...budget,
  });
  return {
    name,
    async run() {
      next = modelOfTurns(turns);
      const { success } = await session.run(async (options) =>
        generateText({ ...options, prompt }),
      );
      if (!success) throw new Error(`${name}: the run failed.`);
    },
  };
}

function each(timings: readonly Timing[], count: number, what: string): readonly Row[] {
  return timings.map(({ name, median, ratio, spread }) => ({
    name,
    value: median / count,
    unit: `µs a ${what}`,
    ratio,
    spread,
  }));
}

function targetOf(rows: readonly Row[]): { readonly words: string; readonly met: boolean } {
  const added = rowNamed(rows, BUDGETED).value - rowNamed(rows, WITHOUT).value;
  const words = `at most ${MOST_MICROSECONDS} µs a turn more than without a session, with every limit set`;
  return { words, met: added <= MOST_MICROSECONDS };
}
