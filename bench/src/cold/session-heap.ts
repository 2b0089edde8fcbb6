// Runs in its own process: `node --expose-gc session-heap.ts <runs>` makes runs of one session and prints the heap after a
// tenth, a half and all of them, each after a full collection, as JSON.
import { agentSession } from "@toolcontract/ai-sdk/session";
import { generateText } from "ai";
import { modelOfTurns, prompt, tools } from "../session-turns.ts";

const TURNS = 5;
const [runs = 10] = process.argv.slice(2).map(Number);

let next = modelOfTurns(TURNS);
const model = { ...next, doGenerate: async () => next.doGenerate() };
const session = agentSession({
  targets: [{ model, contextWindow: 200_000 }],
  tools,
  maxTurns: TURNS + 1,
  toolTimeout: 30_000,
  queues: { files: { concurrent: 2 } },
  queueOf: { read: "files" },
  logger: false,
});

const measured: [number, number][] = [];
const stops = new Set([0.1, 0.5, 1].map((share) => Math.round(runs * share)));
for (let made = 1; made <= runs; made += 1) {
  next = modelOfTurns(TURNS);
  await session.run(async (options) => generateText({ ...options, prompt }));
  if (!stops.has(made)) continue;
  // What finalizers free is collected in the second.
  await globalThis.gc?.({ type: "major", execution: "async" });
  await globalThis.gc?.({ type: "major", execution: "async" });
  measured.push([made, process.memoryUsage().heapUsed]);
}
process.stdout.write(JSON.stringify(measured));
