import { withContract } from "@toolcontract/ai-sdk";
import {
  type FlexibleSchema,
  generateText,
  isStepCount,
  jsonSchema,
  tool,
  type ToolSet,
  zodSchema,
} from "ai";
import { modelThatCalls } from "@toolcontract/frameworks/ai-sdk";
import { z } from "zod";
import { type Benchmark, onEach, type Setting, type Table } from "../benchmark.ts";
import { type Corpus, type CorpusCall, thinOut } from "../corpus.ts";
import { perCall, race } from "../race.ts";
import { spoilCorpus } from "../spoil-call.ts";
import { bothSay, zodOfTool } from "../zod-of-tool.ts";

const MOST_CALLS = 20;
const stopWhen = isStepCount(2);

type SchemaKind = "zod" | "JSON Schema";

/** Measures what the contract adds to a call in the SDK's own loop. */
export const aiSdkOverhead: Benchmark = {
  name: "ai-sdk-overhead",
  about:
    "generateText of two steps with a mock model, a call and then a text, with and without the contract",
  async run(setting) {
    const races = setting.corpora.flatMap((corpus) => {
      const { name, calls } = corpus;
      const spoilt = spoilCorpus({ name, calls: thinOut(calls, MOST_CALLS) });
      return [
        { corpus, kind: "zod", isValid: true },
        { corpus: spoilt, kind: "zod", isValid: false },
        { corpus, kind: "JSON Schema", isValid: true },
      ] as const;
    });
    return onEach(races, (entry) => measure(entry, setting));
  },
};

interface Entry {
  readonly corpus: Corpus;
  readonly kind: SchemaKind;
  readonly isValid: boolean;
}

async function measure({ corpus, kind, isValid }: Entry, { length }: Setting): Promise<Table> {
  const calls = thinOut(
    corpus.calls.filter((call) => bothSay(call, isValid)),
    MOST_CALLS,
  );
  const contestants = sidesOf(kind).map(({ name, settingsOf }) => {
    const runs = calls.map((call) => ({ call, settings: settingsOf(call), isValid }));
    return { name, run: async () => runAll(runs) };
  });
  const checked = kind === "zod" ? "the SDK checks it too" : "the SDK itself checks nothing";
  return {
    title: `${corpus.name} (${calls.length} ${isValid ? "valid" : "invalid"} calls, ${kind}: ${checked})`,
    rows: perCall(await race(contestants, length), calls.length),
  };
}

type Settings = Pick<Parameters<typeof generateText>[0], "tools" | "stopWhen">;

interface Side {
  readonly name: string;
  readonly settingsOf: (call: CorpusCall) => Settings;
}

/** The SDK converts a zod schema for every request; the contract and the first side convert it once. */
function sidesOf(kind: SchemaKind): readonly Side[] {
  const usual = kind === "zod" ? zodOf : jsonSchemaOf;
  const plain = (name: string, schemaOf: typeof usual): Side => ({
    name,
    settingsOf: (call) => ({ tools: toolsOf(call, schemaOf(call)) }),
  });
  const guarded: Side = {
    name: "generateText with the contract",
    settingsOf: (call) =>
      withContract({ tools: toolsOf(call, usual(call)), stopWhen, logger: () => undefined }),
  };
  const converted = plain("generateText, schema converted once", (call) => zodSchema(zodOf(call)));
  const sides = [plain("generateText", usual), guarded];
  return kind === "zod" ? [converted, ...sides] : sides;
}

function zodOf({ tool: declared }: CorpusCall): z.ZodType {
  return zodOfTool(declared) ?? z.never();
}

function jsonSchemaOf({ tool: { inputSchema } }: CorpusCall): FlexibleSchema {
  return jsonSchema(inputSchema as Parameters<typeof jsonSchema>[0]);
}

function toolsOf({ tool: { name } }: CorpusCall, inputSchema: FlexibleSchema): ToolSet {
  return { [name]: tool({ inputSchema, execute: () => "ok" }) };
}

interface Run {
  readonly call: CorpusCall;
  readonly settings: Settings;
  readonly isValid: boolean;
}

async function runAll(runs: readonly Run[]): Promise<void> {
  for (const { call, settings, isValid } of runs) {
    const model = modelThatCalls(call);
    const { steps } = await generateText({ stopWhen, ...settings, model, prompt: "Go" });
    const ran = steps.flatMap(({ toolResults }) => toolResults).length;
    if (steps.length !== 2 || ran !== Number(isValid)) throw new Error(`${call.text} went wrong.`);
  }
}
