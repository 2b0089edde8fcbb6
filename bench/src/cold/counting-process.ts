// One of several processes that count in one SQLite file; writes what it has seen to standard output.
// node counting-process.ts <file> <store> <process> <processes>
import { DatabaseSync } from "node:sqlite";
import { runCountingJob } from "@toolcontract/stores/testing";
import { STORES } from "./counting-stores.ts";

const [file = "", name = "", process_, processes] = process.argv.slice(2);
const open = STORES[name];
if (open === undefined) throw new Error(`The stores are ${Object.keys(STORES).join(", ")}.`);
const job = { process: Number(process_), processes: Number(processes) };
console.log(JSON.stringify(await runCountingJob(open(new DatabaseSync(file)), job)));
