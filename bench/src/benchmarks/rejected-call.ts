import { type Benchmark, onEach, rowNamed, type Setting, type Table } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { type Corpus, type CorpusCall, type CorpusTool, thinOut } from "../corpus.ts";
import { agentToolNode, allRejecting, type Reject, type Rejecting } from "../rejecting.ts";
import { type Contestant, perCall, race } from "../race.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { TYPICAL, typicalMistake } from "../typical-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 60;

/** Measures an invalid call, from the JSON of its arguments to the message for the model. */
export const rejectedCall: Benchmark = {
  name: "rejected-call",
  about:
    "an invalid call, from the JSON of its arguments to the message for the model, without the framework's loop; " +
    "ratios are relative to the contract on the same zod tool",
  run: async (setting) => {
    const spoilt = setting.corpora.map(({ name, calls }) =>
      spoilCorpus({ name, calls: thinOut(calls, MOST_CALLS) }),
    );
    const typical = { name: TYPICAL.name, calls: [typicalMistake] };
    return onEach([typical, ...spoilt], async (corpus) => measure(corpus, setting));
  },
};

async function measure({ name, calls }: Corpus, { length }: Setting): Promise<Table> {
  const fair = thinOut(calls.filter(isForAll), MOST_CALLS);
  const rejecting = allRejecting();
  const contestants: Contestant[] = [];
  for (const one of rejecting) contestants.push(await contestantOf(one, fair));
  const rows = perCall(await race(contestants, length), fair.length);
  await Promise.all(rejecting.map(async ({ close }) => close?.()));
  return { title: `${name} (${fair.length} invalid calls)`, rows, target: targetOf(rows) };
}

/** Keeps the calls that zod and the JSON Schema agree about, so that all do the same. */
function isForAll({ tool, args }: CorpusCall): boolean {
  return zodOfTool(tool)?.safeParse(args).success === false;
}

async function contestantOf(
  { name, prepare }: Rejecting,
  calls: readonly CorpusCall[],
): Promise<Contestant> {
  const prepared = new Map<CorpusTool, Reject>();
  for (const { tool } of calls) {
    if (!prepared.has(tool)) prepared.set(tool, await prepare(tool));
  }
  const jobs = calls.flatMap(({ tool, text }) => {
    const reject = prepared.get(tool);
    return reject === undefined ? [] : [{ reject, text }];
  });
  return {
    name,
    async run() {
      let length = 0;
      for (const { reject, text } of jobs) length += (await reject(text)).length;
      return length;
    },
  };
}

function targetOf(rows: readonly Row[]): NonNullable<Table["target"]> {
  const langchain = rowNamed(rows, agentToolNode.name).ratio ?? Number.NaN;
  return {
    words: "the contract on a zod tool takes at most as long as LangChain's tool node",
    met: langchain >= 1,
  };
}
