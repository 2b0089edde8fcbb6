import { createContract } from "@toolcontract/core";
import { z } from "zod";
import { createBare } from "../bare-ajv.ts";
import type { Benchmark } from "../benchmark.ts";
import type { CorpusTool } from "../corpus.ts";
import { type Contestant, race } from "../race.ts";
import { typicalCall, typicalMistake, typicalTool } from "../typical-call.ts";

/** Measures the first call of a tool, and what a host pays for recreating its tools on every request. */
export const compile: Benchmark = {
  name: "compile",
  about: "check() of the first call of a new tool, and of one recreated with the same schema",
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
      // ajv would keep every schema.
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
    { name: "contract.check, new tool, valid", run: () => check(next(), typicalCall.text) },
    { name: "contract.check, new tool, invalid", run: () => check(next(), typicalMistake.text) },
    {
      name: "contract.check, recreated with the same schema",
      run: () => check(structuredClone(typicalTool), typicalCall.text),
    },
    { name: "contract.check, the same object", run: () => check(typicalTool, typicalCall.text) },
  ];
}

/** Returns a function that creates tools with schemas not seen before. */
function freshTools(): () => CorpusTool {
  let made = 0;
  return () => {
    made += 1;
    const { name, inputSchema } = structuredClone(typicalTool);
    return { name, inputSchema: { ...(inputSchema as object), title: `schema ${made}` } };
  };
}
