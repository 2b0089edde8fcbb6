import { type Contract, createContract } from "@toolcontract/core";
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

function handling(name: string, contract: Contract, calls: Corpus["calls"]): Contestant {
  return playing(name, calls, async ({ tool, text }, turnId) => {
    const call = { id: "call_1", name: tool.name, arguments: text };
    const { status } = await contract.handle(call, { tool, ...PLACE, turnId, execute });
    return status === "executed";
  });
}

/** The same texts as final answers. */
function answering(name: string, contract: Contract, calls: Corpus["calls"]): Contestant {
  return playing(name, calls, async ({ tool, text }, turnId) => {
    const schema = tool.inputSchema as object;
    const { status } = await contract.answer(text, { schema, ...PLACE, turnId });
    return status === "valid";
  });
}

const PLACE = { conversationId: "a" } as const;

interface Contestant {
  readonly name: string;
  run(): Promise<void>;
}

/** Makes each call in a turn of its own. */
function playing(
  name: string,
  calls: Corpus["calls"],
  passes: (call: Corpus["calls"][number], turnId: string) => Promise<boolean>,
): Contestant {
  let turn = 0;
  return {
    name,
    async run() {
      for (const call of calls) {
        turn += 1;
        if (!(await passes(call, `${turn}`))) throw new Error(`${name} rejects what is valid.`);
      }
    },
  };
}
