// Pays as one of several processes: `node spending-process.ts <folder> <name> lives|dies [<url of Redis or Postgres>]`.
import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createContract } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { payment } from "./payment.ts";
import { PROCESS_MAX } from "./processes.ts";
import { randomOf } from "./random.ts";
import { faulty, startReplica } from "./replica.ts";
import { openShared } from "./shared-ledger.ts";

const CALLS = 30;
const [folder = "", name = "", end = "", url = ""] = process.argv.slice(2);
const random = randomOf(createHash("sha256").update(name).digest().readUInt32BE());
const replica = startReplica(random);
const shared = await openShared({ folder, url: url === "" ? undefined : url });
const ledger = faulty(shared.ledger, replica, random, 3);

/** Lets others run, or ends this process as a power cut does. */
async function pause(most?: number): Promise<void> {
  await replica.pause(most);
  if (end === "dies" && random.percent(2)) process.kill(process.pid, "SIGKILL");
}

const guardrails = createGuardrails({
  guardrails: [],
  limits: { budget: { max: PROCESS_MAX, scope: "global" } },
  spends: {
    pay: {
      reserve: ({ args }) => ({ budget: args.amount }),
      settle: ({ result }) => ({ budget: result.charged }),
    },
  },
  ledger: {
    ...ledger,
    async reserve(entry) {
      await pause();
      const short = await ledger.reserve(entry);
      await pause();
      return short;
    },
    async end(...of) {
      await pause();
      await ledger.end(...of);
      await pause();
    },
  },
  timeLimits: { tool: 50, store: 5_000 },
});
const contract = createContract({ guardrails, logger: false });
const tool = { name: "pay", inputSchema: { type: "object" } } as const;

async function makeCall(index: number): Promise<void> {
  const id = `${name}/${index}`;
  const amount = 1 + random.below(60);
  const pay = (): number => {
    appendFileSync(join(folder, "books"), `${id} ${amount}\n`);
    return amount;
  };
  const controller = new AbortController();
  if (random.percent(20)) void pause(20).then(() => controller.abort());
  await pause(10);
  await contract
    .handle(
      { id, name: "pay", arguments: { amount } },
      {
        tool,
        conversationId: id,
        signal: controller.signal,
        execute: async () => payment({ random, pause, pay }),
      },
    )
    .catch(() => undefined);
}

await Promise.all(Array.from({ length: CALLS }, async (_, index) => makeCall(index)));
// A tool that was given up is not waited for: it ends with the process.
process.exit(0);
