import { createContract } from "@toolcontract/core";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { TYPICAL } from "../typical-call.ts";

const MOST_CALLS = 90;

/** Measures the cost on runtimes that forbid code generation. */
export const interpreter: Benchmark = {
  name: "interpreter",
  about: "check() of a valid call with compiled and with interpreted schemas",
  run: (setting) =>
    onEach([TYPICAL, ...setting.corpora], async (corpus) => measure(corpus, setting)),
};

async function measure(corpus: Corpus, { length }: Setting): Promise<Table> {
  const calls = thinOut(corpus.calls, MOST_CALLS);
  const contestants = [false, true].map((isInterpreting) => {
    const contract = createContract({ interpreter: isInterpreting, logger: () => undefined });
    return {
      name: isInterpreting ? "interpreted" : "compiled",
      run: () => calls.filter(({ tool, text }) => contract.check(tool, text).status === "valid"),
    };
  });
  for (const { name, run } of contestants) {
    if (run().length !== calls.length) throw new Error(`A valid call is rejected when ${name}.`);
  }
  return {
    title: `${corpus.name} (${calls.length} calls)`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}
