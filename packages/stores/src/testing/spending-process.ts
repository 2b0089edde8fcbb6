// Spends as one of several processes: `node spending-process.ts <url> <prefix> <job> [client]`; prints the result as JSON.
import { runSpendingJob } from "../cases/index.ts";
import { redisLedger } from "../redis/index.ts";
import { CLIENTS } from "./clients.ts";

const [url = "", prefix = "", job = "", name] = process.argv.slice(2);
const [, connect] = CLIENTS.find(([client]) => client === name) ?? CLIENTS[0] ?? [];
if (connect === undefined) throw new Error("There is no client.");
const client = await connect(url);
const ledger = redisLedger({ ...client, prefix });
process.stdout.write(JSON.stringify(await runSpendingJob(ledger, JSON.parse(job))));
client.close();
