import { createContract, type MessageStyle } from "@toolcontract/core";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { z } from "zod";
import { compileBare } from "../bare-ajv.ts";
import { type Benchmark, onEach, type Row, type Table } from "../benchmark.ts";
import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { median } from "../race.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 1_000;

/** What a model reads for the same invalid call, in tokens. */
export const messageTokens: Benchmark = {
  name: "message-tokens",
  about: "the answer to an invalid call, against what hosts send back today (o200k tokens)",
  run: ({ corpora }) => onEach(corpora, measure),
};

type Write = (call: CorpusCall) => Promise<string> | string;

const ALTERNATIVES: readonly (readonly [name: string, write: Write])[] = [
  ["contract, standard style", inStyle("standard")],
  ["contract, compact style", inStyle("compact")],
  ["zod issues as JSON", ({ tool, args }) => zodErrorOf(tool, args).message],
  ["zod issues, prettified", ({ tool, args }) => z.prettifyError(zodErrorOf(tool, args))],
  [
    "zod issues as JSON after the arguments (AI SDK 7)",
    ({ tool, args, text }) =>
      `AI_InvalidToolInputError: Invalid input for tool ${tool.name}: AI_TypeValidationError: ` +
      `Type validation failed: Value: ${text}.\nError message: ${zodErrorOf(tool, args).message}`,
  ],
  ["ajv errors as JSON", ({ tool, args }) => JSON.stringify(ajvErrorsOf(tool, args))],
];

async function measure(corpus: Corpus): Promise<Table> {
  const calls = thinOut(spoilCorpus(corpus).calls, MOST_CALLS).filter(
    ({ tool, args }) => zodOfTool(tool)?.safeParse(args).success === false,
  );
  const rows: Row[] = [];
  for (const [name, write] of ALTERNATIVES) {
    const tokens: number[] = [];
    for (const call of calls) tokens.push(countTokens(await write(call)));
    const value = median(tokens);
    rows.push({ name, value, unit: "tokens", ratio: value / (rows[0]?.value ?? value) });
  }
  return { title: `${corpus.name} (${calls.length} invalid calls), medians`, rows };
}

function inStyle(style: MessageStyle): Write {
  const contract = createContract({ format: { style }, logger: () => undefined });
  let conversations = 0;
  return async ({ tool, text }) => {
    conversations += 1;
    const call = { id: "call_1", name: tool.name, arguments: text };
    const admission = await contract.admit(call, { tool, conversationId: `${conversations}` });
    if (admission.status === "admitted") throw new Error(`${tool.name} accepts a spoilt call.`);
    return admission.result.content;
  };
}

function zodErrorOf(tool: CorpusCall["tool"], args: unknown): z.ZodError {
  return zodOfTool(tool)?.safeParse(args).error ?? new z.ZodError([]);
}

function ajvErrorsOf(tool: CorpusCall["tool"], args: unknown): unknown {
  const validate = compileBare(tool, true);
  validate(args);
  return validate.errors;
}
