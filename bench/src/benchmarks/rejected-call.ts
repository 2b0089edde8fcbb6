import { createContract } from "@toolcontract/core";
import { compileBare } from "../bare-ajv.ts";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 200;

/** What an invalid call costs, from the text of its arguments to the text of the answer. */
export const rejectedCall: Benchmark = {
  name: "rejected-call",
  about:
    "admit() of an invalid call, its answer included, against the bare error paths of zod and ajv",
  run: (setting) => onEach(setting.corpora, (corpus) => measure(corpus, setting)),
};

async function measure(corpus: Corpus, { length }: Setting): Promise<Table> {
  const calls = thinOut(spoilCorpus(corpus).calls, MOST_CALLS).flatMap((call) => {
    const schema = zodOfTool(call.tool);
    if (schema === undefined || schema.safeParse(call.args).success) return [];
    return [{ ...call, schema, validate: compileBare(call.tool, true) }];
  });
  const contract = createContract({ logger: () => undefined });
  let conversations = 0;
  const contestants = [
    {
      name: "JSON.parse + zod, error.message",
      run: () => calls.map(({ schema, text }) => schema.safeParse(JSON.parse(text)).error?.message),
    },
    {
      name: "JSON.parse + ajv allErrors, JSON.stringify(errors)",
      run: () =>
        calls.map(({ validate, text }) => {
          validate(JSON.parse(text));
          return JSON.stringify(validate.errors);
        }),
    },
    {
      name: "contract.admit",
      async run() {
        for (const { tool, text } of calls) {
          conversations += 1;
          const call = { id: "call_1", name: tool.name, arguments: text };
          await contract.admit(call, { tool, conversationId: `${conversations}`, turnId: "1" });
        }
      },
    },
  ];
  return {
    title: `${corpus.name} (${calls.length} invalid calls)`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}
