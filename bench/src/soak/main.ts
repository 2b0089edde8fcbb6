// `pnpm bench:soak [--calls <n>]`: three proxies whose servers are restarted seven times; three proxies on one Redis, one killed and
// started again; and what the store costs.
import { parseArgs } from "node:util";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { measureCost, type Spread } from "./cost.ts";
import { addsUp, soakRestarts } from "./restarts.ts";
import { CALLS_PER_PAIR, isExact, soak } from "./soak.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "10000" } } });

const shown = (milliseconds: number): string => `${milliseconds.toFixed(2)} ms`;
const line = (name: string, { median, p99 }: Spread): string =>
  `${name}: median ${shown(median)}, 99 of 100 below ${shown(p99)}`;

let isRight = true;
for (const sums of await soakRestarts(Number(values.calls))) {
  const { name, sent, ran, refused, failed, wrong, operations, judged, unvalidated } = sums;
  console.log(
    `${name}: ${sent} calls, ${ran} ran, ${refused} refused, ${failed} failed while the server was away, ${wrong} wrong`,
  );
  console.log(`  ${judged} judged + ${unvalidated} unvalidated = ${operations} operations`);
  isRight &&= addsUp(sums);
}
if (!isRight) {
  console.error("The numbers do not add up.");
  process.exitCode = 1;
}
if (WHY_NO_REDIS !== undefined) {
  console.error(WHY_NO_REDIS);
  process.exitCode = 1;
} else {
  const server = await startRedis();
  try {
    const result = await soak(server.url, Math.ceil(Number(values.calls) / CALLS_PER_PAIR));
    const { calls, pairs, wrong, lost, escalations, unseen } = result;
    console.log(`${calls} calls to three proxies, ${pairs} tools with three attempts`);
    console.log(`${wrong.length} wrong counts; ${escalations} escalations`);
    console.log(`${unseen} calls in flight as a proxy was killed, ${lost} without an answer`);
    for (const words of wrong) console.log(words);
    const { valid, failed, commands, hanging } = await measureCost(server);
    console.log(line(`A valid call, ${commands} command`, valid));
    console.log(line("A failed call, 2 commands", failed));
    console.log(`The server hangs: ${shown(hanging[0])}, then ${shown(hanging[1])}`);
    if (!isExact(result)) process.exitCode = 1;
  } finally {
    await server.stop();
  }
}
