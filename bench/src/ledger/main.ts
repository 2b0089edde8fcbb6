// `pnpm bench:ledger [--schedules <n>] [--rounds <n>] [--seed <n>]`: whether a limit holds whatever happens, and what it costs.
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { memoryLedger } from "@toolcontract/guardrails";
import { WHY_NO_POSTGRES, newSchema } from "@toolcontract/postgres-server";
import { WHY_NO_REDIS, startRedis } from "@toolcontract/redis-server";
import { sqliteLedger } from "@toolcontract/stores/sqlite";
import { measureCost, measurePostgres } from "./cost.ts";
import { type ProcessesResult, runProcesses } from "./processes.ts";
import { type ScheduleResult, runSchedule } from "./schedule.ts";

const { values } = parseArgs({
  options: {
    schedules: { type: "string", default: "100000" },
    rounds: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});
const [schedules, rounds, seed] = [values.schedules, values.rounds, values.seed].map(Number) as [
  number,
  number,
  number,
];

const AT_ONCE = 50;
const SQLITE_EACH = 50;

/** One schedule; some of them in SQLite. */
async function runOne(index: number): Promise<ScheduleResult> {
  if (index % SQLITE_EACH !== 0) return runSchedule(seed + index, memoryLedger());
  const database = new DatabaseSync(":memory:");
  const result = await runSchedule(seed + index, sqliteLedger(database));
  // Tools that were given up may still be running, and write that they have ended.
  setTimeout(() => database.close(), 1_000).unref();
  return result;
}

const sum = { overrun: 0, lost: 0, overcounted: 0, paid: 0, unpaid: 0 };
let next = 0;
async function work(): Promise<void> {
  while (next < schedules) {
    const index = next;
    next += 1;
    const { overrun, lost, overcounted, paid, unpaid } = await runOne(index);
    if (overrun + lost + overcounted > 0) {
      console.log(`seed ${seed + index}: ${overrun} over, ${lost} lost, ${overcounted} too much`);
    }
    sum.overrun = Math.max(sum.overrun, overrun);
    sum.lost = Math.max(sum.lost, lost);
    sum.overcounted = Math.max(sum.overcounted, overcounted);
    sum.paid += paid;
    sum.unpaid += unpaid;
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, work));
console.log(`${schedules} schedules, ${sum.paid} calls that paid, ${sum.unpaid} that did not`);
console.log(
  `largest overrun ${sum.overrun}, largest amount lost ${sum.lost}, counted too much ${sum.overcounted}`,
);

function showProcesses(where: string, real: ProcessesResult): void {
  const { paid, killed, overrun, lost, wrong } = real;
  console.log(`${rounds} rounds of 1 to 4 processes ${where}, ${paid} payments, ${killed} killed`);
  console.log(`largest overrun ${overrun}, lost ${lost}, wrong after reconcile ${wrong}`);
}

const reals = [await runProcesses({ seed, rounds })];
for (const real of reals) showProcesses("on one file", real);
if (WHY_NO_REDIS === undefined) {
  const redis = await startRedis();
  const real = await runProcesses({ seed, rounds, url: redis.url });
  await redis.stop();
  showProcesses("on one Redis", real);
  reals.push(real);
} else {
  console.log(WHY_NO_REDIS);
}
if (WHY_NO_POSTGRES === undefined) {
  const { url, drop } = await newSchema();
  const real = await runProcesses({ seed, rounds, url });
  await drop();
  showProcesses("on one Postgres", real);
  reals.push(real);
} else {
  console.log(WHY_NO_POSTGRES);
}
const { without, memory, sqlite, disk } = await measureCost();
const shown = (microseconds: number): string => `${microseconds.toFixed(0)} µs`;
console.log(
  `a guarded call: ${shown(without)} without limits, ${shown(memory)} in memory, ${shown(sqlite)} in SQLite, whose disk takes ${shown(disk)} to write a page`,
);
if (WHY_NO_POSTGRES === undefined) {
  const { bare, guarded } = await measurePostgres();
  console.log(
    `on Postgres: ${shown(guarded)}, and ${shown(bare)} for a bare INSERT and UPDATE in one transaction`,
  );
}
const isExact = [sum, ...reals].every(({ overrun, lost }) => overrun === 0 && lost === 0);
const isRight = sum.overcounted === 0 && reals.every(({ wrong }) => wrong === 0);
process.exit(isExact && isRight ? 0 : 1);
