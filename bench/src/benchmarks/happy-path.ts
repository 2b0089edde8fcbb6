import { createContract } from "@toolcontract/core";
import { compileBare } from "../bare-ajv.ts";
import { type Benchmark, onEach, rowNamed, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { TYPICAL } from "../typical-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const HOST_CALLS = 90;
const MOST = 1.2;

/** Measures a valid call: most calls are valid. */
export const happyPath: Benchmark = {
  name: "happy-path",
  about: "check() of a valid call, against JSON.parse and a precompiled ajv validator",
  run: (setting) =>
    onEach([TYPICAL, ...setting.corpora.flatMap(withHostSized)], (corpus) =>
      measure(corpus, setting),
    ),
};

/** Hosts have tens of tools; with a thousand, the processor's caches are measured as well. */
function withHostSized(corpus: Corpus): readonly Corpus[] {
  const some = thinOut(corpus.calls, HOST_CALLS);
  if (some.length === corpus.calls.length) return [corpus];
  return [
    { name: `some of ${corpus.name}`, calls: some },
    { ...corpus, name: `all of ${corpus.name}` },
  ];
}

async function measure({ name, calls }: Corpus, { length }: Setting): Promise<Table> {
  const contract = createContract({ logger: () => undefined });
  const bare = calls.map(({ tool, text }) => ({ validate: compileBare(tool), text }));
  const contestants = [
    {
      name: "JSON.parse + ajv",
      run: () => bare.filter(({ validate, text }) => validate(JSON.parse(text))).length,
    },
    {
      name: "contract.check",
      run: () =>
        calls.filter(({ tool, text }) => contract.check(tool, text).status === "valid").length,
    },
  ];
  for (const contestant of contestants) {
    if (contestant.run() !== calls.length)
      throw new Error(`${contestant.name} rejects a valid call.`);
  }
  const rows = perCall(await race(contestants, length), calls.length);
  const { ratio = Number.NaN } = rowNamed(rows, "contract.check");
  return {
    title: `${name} (${calls.length} calls)`,
    rows,
    target: { words: `contract.check takes at most ${MOST} times`, met: ratio <= MOST },
  };
}

/** Measures a valid call of a zod tool: zod validates it, so its time is in both. */
export const happyPathZod: Benchmark = {
  name: "happy-path-zod",
  about: "check() of a valid call of a zod tool, against JSON.parse and zod's own safeParse",
  run: (setting) =>
    onEach([TYPICAL, ...setting.corpora], async (corpus) => measureZod(corpus, setting)),
};

async function measureZod(corpus: Corpus, { length }: Setting): Promise<Table> {
  const calls = thinOut(corpus.calls, HOST_CALLS).flatMap(({ tool, args, text }) => {
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
    if (run().length !== calls.length) throw new Error(`${name} rejects a valid call.`);
  }
  return {
    title: `${corpus.name} (${calls.length} calls)`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}
