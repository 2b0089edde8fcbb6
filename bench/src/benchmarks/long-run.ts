import { agentSession } from "@toolcontract/ai-sdk/session";
import { generateText, isStepCount } from "ai";
import type { Benchmark, Table } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { modelOfTurns, prompt, tools } from "../session-turns.ts";

const SIZES = { full: [200, 1_000, 2_000], quick: [3, 5] } as const;
const RUNS = 3;
const MOST = 1_000;
const WITHOUT = "generateText";
const WITHIN = "in a session";

/** Measures a turn of runs that go on for long, in which every turn has the whole history before it. */
export const longRun: Benchmark = {
  name: "long-run",
  about:
    "a turn of generateText with a mock model, by the turns of the run, with and without a session",
  async run({ isQuick }) {
    const rows: Row[] = [];
    for (const turns of SIZES[isQuick ? "quick" : "full"]) {
      const contestants: readonly (readonly [string, () => Promise<unknown>])[] = [
        [
          WITHOUT,
          async () =>
            generateText({
              model: modelOfTurns(turns),
              tools,
              stopWhen: isStepCount(turns),
              prompt,
            }),
        ],
        [WITHIN, async () => runInSession(turns)],
      ];
      for (const [name, run] of contestants) {
        const times: number[] = [];
        for (let made = 0; made < RUNS; made += 1) times.push(await processorTime(run));
        const value = Math.min(...times) / turns;
        rows.push({ name, at: turns, value, unit: "µs" });
      }
    }
    return [
      {
        title: "processor time of a turn",
        axis: "turns of the run",
        rows,
        target: targetOf(rows),
      },
    ];
  },
};

/** What the SDK itself takes for a history grows; what is added to it must not. */
function targetOf(rows: readonly Row[]): NonNullable<Table["target"]> {
  const added = rows
    .filter(({ name }) => name === WITHIN)
    .map(({ at, value }) => {
      const without = rows.find((row) => row.name === WITHOUT && row.at === at);
      return value - (without?.value ?? Number.NaN);
    });
  const [shortest = Number.NaN] = added;
  const longest = added.at(-1) ?? Number.NaN;
  return {
    words: `a session adds at most ${MOST} µs to a turn of the longest run, and at most twice what it adds in the shortest`,
    met: longest <= MOST && longest <= 2 * shortest,
  };
}

async function runInSession(turns: number): Promise<void> {
  const session = agentSession({
    targets: [{ model: modelOfTurns(turns) }],
    tools,
    maxTurns: turns + 1,
    toolTimeout: 30_000,
    toolResponseMaxBytes: 32_768,
    logger: false,
  });
  const { success, error } = await session.run(async (options) =>
    generateText({ ...options, prompt }),
  );
  if (!success) throw new Error(error);
}

/** Microseconds of this process, with all its threads. */
async function processorTime(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
