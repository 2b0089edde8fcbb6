import type { MakeCall, Outcome } from "@toolcontract/frameworks";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { type Contestant, perCall, race } from "../race.ts";
import { mcpV1, mcpV2 } from "../recovery/systems/mcp.ts";
import type { System } from "../recovery/systems/system.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { bothSay } from "../zod-of-tool.ts";

const MOST_CALLS = 20;

/** Measures what the contract adds to a call of a server in the same process. */
export const mcpInProcess: Benchmark = {
  name: "mcp-in-process",
  about: "a request to an McpServer over a transport in memory, with and without the contract",
  run: async (setting) => {
    const races = setting.corpora.flatMap(({ name, calls }) => {
      const some = { name, calls: thinOut(calls, MOST_CALLS) };
      return [
        { corpus: some, isValid: true },
        { corpus: spoilCorpus(some), isValid: false },
      ] as const;
    });
    return onEach(races, async (entry) => measure(entry, setting));
  },
};

interface Entry {
  readonly corpus: Corpus;
  readonly isValid: boolean;
}

async function measure({ corpus, isValid }: Entry, { length }: Setting): Promise<Table> {
  const calls = thinOut(
    corpus.calls.filter((call) => bothSay(call, isValid)),
    MOST_CALLS,
  );
  const expected = isValid ? "ran" : "answered";
  const rows: Row[] = [];
  for (const [plain, guarded] of pairs()) {
    const contestants = [
      await calling(plain, plain.name, calls, expected),
      await calling(guarded, `${plain.name} with the contract`, calls, expected),
    ];
    rows.push(...perCall(await race(contestants, length), calls.length));
    await Promise.all([plain.close?.(), guarded.close?.()]);
  }
  return {
    title: `${corpus.name} (${calls.length} ${isValid ? "valid" : "invalid"} calls, zod; each SDK is its own reference)`,
    rows,
  };
}

function pairs(): readonly (readonly [plain: System, guarded: System])[] {
  return [
    [mcpV1(), mcpV1(true)],
    [mcpV2("zod"), mcpV2("zod", true)],
  ];
}

async function calling(
  system: System,
  name: string,
  calls: readonly CorpusCall[],
  expected: Outcome["status"],
): Promise<Contestant> {
  const jobs: { readonly call: MakeCall; readonly text: string }[] = [];
  for (const { tool, text } of calls) jobs.push({ call: await system.offer(tool), text });
  return {
    name,
    async run() {
      for (const { call, text } of jobs) {
        const { status } = await call(text);
        if (status !== expected) throw new Error(`${name}: ${text} is ${status}.`);
      }
    },
  };
}
