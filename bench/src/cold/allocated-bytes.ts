// Runs in its own process: `node --expose-gc --min-semi-space-size=… allocated-bytes.ts <warm runs> <batches>`
// prints the bytes of each call as JSON.
import { createContract } from "@toolcontract/core";
import { compileBare } from "../bare-ajv.ts";
import { rejectingInProcess } from "../rejecting.ts";
import { median } from "../race.ts";
import { typicalCall, typicalMistake, typicalTool } from "../typical-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

// A batch allocates far less than the new space, so that no collection happens during it.
const BATCH_BYTES = 16_000_000;

type Job = readonly [name: string, run: () => unknown];

const [warmRuns = 1, batches = 1] = process.argv.slice(2).map(Number);
const validate = compileBare(typicalTool);
const zod = zodOfTool(typicalTool);
const contract = createContract({ logger: () => undefined });
const zodTool = zod && { name: typicalTool.name, validator: zod };

const valid: readonly Job[] = [
  ["JSON.parse + ajv", () => validate(JSON.parse(typicalCall.text))],
  ["JSON.parse + zod", () => zod?.safeParse(JSON.parse(typicalCall.text))],
  ["contract.check, JSON Schema tool", () => contract.check(typicalTool, typicalCall.text)],
  ["contract.check, zod tool", () => zodTool && contract.check(zodTool, typicalCall.text)],
  ["contract.handle, with the answer", handleOne],
];
const call = { id: "call_1", name: typicalTool.name, arguments: typicalCall.text };
const context = {
  tool: typicalTool,
  conversationId: "a",
  turnId: "1",
  execute: (args: unknown) => args,
};
async function handleOne(): Promise<unknown> {
  return contract.handle(call, context);
}
const invalid: Job[] = [];
for (const { name, prepare } of rejectingInProcess) {
  const reject = await prepare(typicalTool);
  invalid.push([name, () => reject(typicalMistake.text)]);
}

const measured = { valid: await measureAll(valid), invalid: await measureAll(invalid) };
process.stdout.write(JSON.stringify(measured));

async function measureAll(jobs: readonly Job[]): Promise<readonly (readonly [string, number])[]> {
  const results: [string, number][] = [];
  for (const [name, run] of jobs) results.push([name, await bytesOf(run)]);
  return results;
}

async function bytesOf(run: () => unknown): Promise<number> {
  await allocatedBy(run, warmRuns);
  const rough = (await allocatedBy(run, 10)) / 10;
  const runs = Math.max(1, Math.min(warmRuns, Math.floor(BATCH_BYTES / Math.max(rough, 100))));
  const taken: number[] = [];
  for (let batch = 0; batch < batches; batch += 1) {
    taken.push((await allocatedBy(run, runs)) / runs);
  }
  return Math.round(median(taken));
}

async function allocatedBy(run: () => unknown, runs: number): Promise<number> {
  // Collects the new space only, so that the next run starts with an empty one.
  await globalThis.gc?.({ type: "minor", execution: "async" });
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < runs; index += 1) await run();
  return process.memoryUsage().heapUsed - before;
}
