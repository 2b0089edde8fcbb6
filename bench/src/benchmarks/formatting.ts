import {
  type Contract,
  createContract,
  type MessageStyle,
  type ValidationError,
} from "@toolcontract/core";
import { z } from "zod";
import { compileBare } from "../bare-ajv.ts";
import { type Benchmark, type Table } from "../benchmark.ts";
import { type Row } from "../row.ts";
import type { CorpusTool } from "../corpus.ts";
import { type Contestant, race } from "../race.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const ERRORS = 10;
const MOST = 1_000;

const names = Array.from({ length: ERRORS }, (_, index) => `field_${index}`);
const tool: CorpusTool = {
  name: "update_record",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { enum: ["open", "closed"] }])),
  },
};
const args = Object.fromEntries(names.map((name) => [name, "opened yesterday ".repeat(20)]));
const call = { id: "call_1", name: tool.name, arguments: args };

/** Measures what writing a message costs; reject() does more, so its time is an upper bound. */
export const formatting: Benchmark = {
  name: "formatting",
  about: `reject() of a call with ${ERRORS} errors: an upper bound of writing the message`,
  async run({ length }) {
    const validate = compileBare(tool, true);
    validate(args);
    const issues = zodOfTool(tool)?.safeParse(args).error ?? new z.ZodError([]);
    const contestants: readonly Contestant[] = [
      { name: "JSON.stringify(ajv errors)", run: () => JSON.stringify(validate.errors, null, 2) },
      { name: "z.prettifyError", run: () => z.prettifyError(issues) },
      writing("standard"),
      writing("compact"),
    ];
    const rows = (await race(contestants, length)).map(({ name, median, ratio }): Row => ({
      name,
      value: median,
      unit: "µs",
      ratio,
    }));
    const met = rows.every(({ value }) => value < MOST);
    const table: Table = {
      title: `${ERRORS} errors`,
      rows,
      target: { words: "every one takes less than 1 ms", met },
    };
    return [table];
  },
};

function writing(style: MessageStyle): Contestant {
  const contract = createContract({ format: { style }, logger: () => undefined });
  const errors = errorsOf(contract);
  return {
    name: `contract.reject, ${style}`,
    run: async () => contract.reject(call, errors, { tool, attempt: 1 }),
  };
}

function errorsOf(contract: Contract): readonly ValidationError[] {
  const result = contract.check(tool, args);
  if (result.status === "invalid" && result.errors.length === ERRORS) return result.errors;
  throw new Error(`Expected ${ERRORS} errors.`);
}
