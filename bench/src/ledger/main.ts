// `pnpm bench:ledger [--schedules <n>] [--rounds <n>] [--seed <n>]`: whether a limit holds whatever happens, and what it costs.
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { memoryLedger } from "@toolcontract/guardrails";
import { WHY_NO_POSTGRES, newSchema } from "@toolcontract/postgres-server";
import { WHY_NO_REDIS, startRedis } from "@toolcontract/redis-server";
import { sqliteLedger } from "@toolcontract/stores/sqlite";
import { measureBesideBare, measureCost, measureDisk, measureInProcess } from "./cost.ts";
import { type ProcessesResult, runProcesses } from "./processes.ts";
import { type ScheduleResult, runSchedule } from "./schedule.ts";
import { measureThroughput } from "./throughput.ts";

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

const sum = { overrun: 0, doubled: 0, lost: 0, overcounted: 0, paid: 0, unpaid: 0 };
let next = 0;
async function work(): Promise<void> {
  while (next < schedules) {
    const index = next;
    next += 1;
    const { overrun, doubled, lost, overcounted, paid, unpaid } = await runOne(index);
    if (overrun + doubled + lost + overcounted > 0) {
      console.log(
        `seed ${seed + index}: ${overrun} over, ${doubled} twice, ${lost} lost, ${overcounted} too much`,
      );
    }
    sum.doubled += doubled;
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
  `largest overrun ${sum.overrun}, paid twice ${sum.doubled}, largest amount lost ${sum.lost}, counted too much ${sum.overcounted}`,
);

function showProcesses(where: string, real: ProcessesResult): void {
  const { paid, killed, overrun, lost, wrong } = real;
  console.log(`${rounds} rounds of 1 to 4 processes ${where}, ${paid} payments, ${killed} killed`);
  console.log(`largest overrun ${overrun}, lost ${lost}, wrong after reconcile ${wrong}`);
}

/** The engines that processes share, each by its address; undefined is a file of SQLite. */
const engines: (readonly [name: string, url: string | undefined])[] = [["SQLite", undefined]];
const redis = WHY_NO_REDIS === undefined ? await startRedis() : undefined;
const postgres = WHY_NO_POSTGRES === undefined ? await newSchema() : undefined;
if (redis) engines.push(["Redis", redis.url]);
else console.log(WHY_NO_REDIS);
if (postgres) engines.push(["Postgres", postgres.url]);
else console.log(WHY_NO_POSTGRES);

const reals: ProcessesResult[] = [];
for (const [name, url] of engines) {
  const real = await runProcesses({ seed, rounds, ...(url !== undefined && { url }) });
  showProcesses(`on one ${name}`, real);
  reals.push(real);
}

const { without, memory } = await measureInProcess();
const shown = (microseconds: number): string => `${microseconds.toFixed(0)} µs`;
console.log(`a guarded call: ${shown(without)} without limits, ${shown(memory)} in memory`);
const throughputs = await measureThroughput(engines.map(([, url]) => url));
for (const [index, [name, url]] of engines.entries()) {
  const { oneAccount = Number.NaN, thousand = Number.NaN } = throughputs[index] ?? {};
  console.log(
    `${name}: ${shown(await measureCost(url))} a guarded call; 4 processes make ${oneAccount.toFixed(0)} a second on one account, ${thousand.toFixed(0)} on 1,000`,
  );
}
console.log(`the disk takes ${shown(measureDisk())} to write a page`);
if (postgres) {
  const { near, far } = await measureBesideBare(postgres.url);
  for (const [where, { guarded, bare }, most] of [
    ["on this machine", near, 4],
    ["1 ms away", far, 2],
  ] as const) {
    const ratio = guarded / bare;
    console.log(
      `Postgres ${where}: ${shown(guarded)} a guarded call, ${shown(bare)} a bare INSERT and UPDATE in one transaction: ${ratio.toFixed(1)} times; at most ${most}: ${ratio <= most ? "met" : "missed"}`,
    );
  }
}
await redis?.stop();
await postgres?.drop();
const isExact = [sum, ...reals].every(({ overrun, lost }) => overrun === 0 && lost === 0);
const isRight =
  sum.doubled === 0 && sum.overcounted === 0 && reals.every(({ wrong }) => wrong === 0);
process.exit(isExact && isRight ? 0 : 1);
