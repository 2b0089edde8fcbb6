// Counts as one of several processes: `node counting-process.ts <url> <prefix> <job>`; prints the result as JSON.
import { runCountingJob } from "../cases/index.ts";
import { redisStore } from "../redis/index.ts";
import { CLIENTS } from "./clients.ts";

const [url = "", prefix = "", job = "", name] = process.argv.slice(2);
const [, connect] = CLIENTS.find(([client]) => client === name) ?? CLIENTS[0] ?? [];
if (connect === undefined) throw new Error("There is no client.");
const client = await connect(url);
const store = redisStore({ ...client, prefix });
process.stdout.write(JSON.stringify(await runCountingJob(store, JSON.parse(job))));
client.close();
