import { createContract } from "@toolcontract/core";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { TYPICAL } from "../typical-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 90;

/** What a valid call of a zod tool costs: zod judges it, so its own time is in both. */
export const happyPathZod: Benchmark = {
  name: "happy-path-zod",
  about: "check() of a valid call of a zod tool, against JSON.parse and zod's own safeParse",
  run: (setting) =>
    onEach([TYPICAL, ...setting.corpora], async (corpus) => measure(corpus, setting)),
};

async function measure(corpus: Corpus, { length }: Setting): Promise<Table> {
  const calls = thinOut(corpus.calls, MOST_CALLS).flatMap(({ tool, args, text }) => {
    const schema = zodOfTool(tool);
    if (schema?.safeParse(args).success !== true) return [];
    return [{ schema, tool: { name: tool.name, validator: schema }, text }];
  });
  const contract = createContract({ logger: () => undefined });
  const contestants = [
    {
      name: "JSON.parse + zod safeParse",
      run: () => calls.filter(({ schema, text }) => schema.safeParse(JSON.parse(text)).success),
    },
    {
      name: "contract.check",
      run: () => calls.filter(({ tool, text }) => contract.check(tool, text).status === "valid"),
    },
  ];
  for (const { name, run } of contestants) {
    if (run().length !== calls.length) throw new Error(`${name} refuses a valid call.`);
  }
  return {
    title: `${corpus.name} (${calls.length} calls)`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}
