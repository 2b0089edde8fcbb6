import { createContract } from "@toolcontract/core";
import type { ExecutionStage } from "@toolcontract/core/stage";
import { compileBare } from "../bare-ajv.ts";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { TYPICAL } from "../typical-call.ts";

const HOST_CALLS = 90;

/** Measures a valid call with its execution: what a host waits for. */
export const handledCall: Benchmark = {
  name: "handled-call",
  about:
    "handle() of a valid call, alone, observing and with a stage that does nothing, and answer() of its arguments, against JSON.parse, ajv and the function itself",
  run: (setting) =>
    onEach([TYPICAL, ...setting.corpora], async (corpus) => measure(corpus, setting)),
};

const STAGE: ExecutionStage = {
  name: "idle",
  lanes: { guardrail: 1 },
  check: () => undefined,
  around: async ({ run }) => ({ action: "return", value: await run() }),
};

const execute = (args: unknown): unknown => args;

async function measure({ name, calls }: Corpus, { length }: Setting): Promise<Table> {
  const some = thinOut(calls, HOST_CALLS);
  const bare = some.map(({ tool, text }) => ({ validate: compileBare(tool), text }));
  const quiet = { logger: () => undefined };
  const contestants = [
    {
      name: "JSON.parse + ajv + the function",
      run: async () => {
        for (const { validate, text } of bare) {
          const args: unknown = JSON.parse(text);
          if (!validate(args)) throw new Error("ajv rejects a valid call.");
          await execute(args);
        }
      },
    },
    handling("contract.handle", createContract(quiet), some),
    handling("contract.handle, observing", createContract({ ...quiet, mode: "observe" }), some),
    handling("contract.handle with a stage", createContract({ ...quiet, guardrails: STAGE }), some),
    answering("contract.answer of the same JSON", createContract(quiet), some),
  ];
  return {
    title: `${name} (${some.length} calls)`,
    rows: perCall(await race(contestants, length), some.length),
  };
}

function handling(
  name: string,
  contract: ReturnType<typeof createContract>,
  calls: Corpus["calls"],
): { readonly name: string; run(): Promise<void> } {
  let turn = 0;
  return {
    name,
    async run() {
      for (const { tool, text } of calls) {
        turn += 1;
        const call = { id: "call_1", name: tool.name, arguments: text };
        const context = { tool, conversationId: "a", turnId: `${turn}`, execute };
        const { status } = await contract.handle(call, context);
        if (status !== "executed") throw new Error(`${name} rejects a valid call.`);
      }
    },
  };
}

/** The same texts as final answers. */
function answering(
  name: string,
  contract: ReturnType<typeof createContract>,
  calls: Corpus["calls"],
): { readonly name: string; run(): Promise<void> } {
  let turn = 0;
  return {
    name,
    async run() {
      for (const { tool, text } of calls) {
        turn += 1;
        const place = { conversationId: "a", turnId: `${turn}` };
        const { status } = await contract.answer(text, {
          schema: tool.inputSchema as object,
          ...place,
        });
        if (status !== "valid") throw new Error(`${name} rejects a valid answer.`);
      }
    },
  };
}
