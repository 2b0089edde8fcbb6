import { createContract } from "@toolcontract/core";
import { z } from "zod";
import { createBare } from "../bare-ajv.ts";
import type { Benchmark } from "../benchmark.ts";
import type { CorpusTool } from "../corpus.ts";
import { type Contestant, race } from "../race.ts";
import { typicalCall, typicalMistake, typicalTool } from "../typical-call.ts";

/** What the first call of a tool costs, and what a host pays that makes its tools anew for every request. */
export const compile: Benchmark = {
  name: "compile",
  about: "check() of the first call of a tool that was never seen, and of one that was made anew",
  async run({ length }) {
    const timings = await race([sharedAjv(), newAjv(), zodCold(), ...contractSides()], length);
    const rows = timings.map(({ name, median: value, ratio, spread }) => ({
      name,
      value,
      unit: "µs",
      ratio,
      spread,
    }));
    return [{ title: "a typical tool", rows }];
  },
};

function sharedAjv(): Contestant {
  const next = freshTools();
  const ajv = createBare(typicalTool);
  return {
    name: "one ajv for all tools: compile and validate",
    run: () => {
      const { inputSchema } = next();
      const isValid: unknown = ajv.compile(inputSchema)(JSON.parse(typicalCall.text));
      // It would keep them all.
      ajv.removeSchema(inputSchema);
      return isValid;
    },
  };
}

function newAjv(): Contestant {
  const next = freshTools();
  return {
    name: "a new ajv: compile and validate",
    run: () => {
      const tool = next();
      return createBare(tool).compile(tool.inputSchema)(JSON.parse(typicalCall.text));
    },
  };
}

function zodCold(): Contestant {
  const next = freshTools();
  return {
    name: "zod: fromJSONSchema and the first parse",
    run: () => z.fromJSONSchema(next().inputSchema).safeParse(JSON.parse(typicalCall.text)),
  };
}

function contractSides(): readonly Contestant[] {
  const contract = createContract({ logger: () => undefined });
  const next = freshTools();
  const check = (tool: CorpusTool, text: string): unknown => contract.check(tool, text);
  return [
    { name: "contract.check, never seen, valid", run: () => check(next(), typicalCall.text) },
    { name: "contract.check, never seen, invalid", run: () => check(next(), typicalMistake.text) },
    {
      name: "contract.check, made anew with the same text",
      run: () => check(structuredClone(typicalTool), typicalCall.text),
    },
    { name: "contract.check, the same object", run: () => check(typicalTool, typicalCall.text) },
  ];
}

/** Makes a tool whose schema has not been there before. */
function freshTools(): () => CorpusTool {
  let made = 0;
  return () => {
    made += 1;
    const { name, inputSchema } = structuredClone(typicalTool);
    return { name, inputSchema: { ...(inputSchema as object), title: `schema ${made}` } };
  };
}
