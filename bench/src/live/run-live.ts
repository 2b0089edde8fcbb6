import { priceOf } from "@toolcontract/session";
import { readRealCalls } from "../real/real-calls.ts";
import { aiSdk } from "../recovery/systems/ai-sdk.ts";
import { plainAjv } from "../recovery/systems/ajv.ts";
import { coreContract } from "../recovery/systems/core.ts";
import type { System } from "../recovery/systems/system.ts";
import { askOver } from "./ask-model.ts";
import { faultyCalls } from "./faulty-calls.ts";
import { type Played, type Price, play } from "./play.ts";
import { report, reportPage } from "./report.ts";

/** What a run of the benchmark needs. */
export interface LiveOptions {
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly apiKey: string;
  /** A file of calls, or the folder of `dev.jsonl`. */
  readonly data: string;
  /** How many faulty calls. */
  readonly calls: number;
  /** How often each call is put to each model. */
  readonly runs: number;
  /** US dollars after which nothing more is asked. */
  readonly maxCost: number | undefined;
  /** US dollars of a million tokens of input and of output; by default the list price. */
  readonly price: readonly [input: number, output: number] | undefined;
}

/** The contract, and what people have without it. */
const SYSTEMS: readonly System[] = [
  coreContract("json-schema", "standard", { logger: false }),
  aiSdk("zod"),
  plainAjv,
];

/** What a run writes. */
export interface LiveReport {
  readonly tables: string;
  /** A page of its own, as Markdown. */
  readonly page: string;
}

/** Puts the faulty calls to the models. */
export async function runLive(options: LiveOptions): Promise<LiveReport> {
  const { models, runs, maxCost = Infinity } = options;
  const ask = askOver(options.baseUrl, options.apiKey);
  const price = priceWith(options);
  if (options.maxCost !== undefined) for (const model of models) await price(model, 1, 1);
  const played: Played[] = [];
  const failed: string[] = [];
  let dollars = 0;
  for (const call of faultyCalls(readRealCalls(options.data), options.calls)) {
    for (const model of models) {
      for (const system of Array.from({ length: runs }, () => SYSTEMS).flat()) {
        if (dollars >= maxCost)
          return finished(played, failed, `${dollars.toFixed(2)} dollars are spent.`);
        try {
          const one = await play(call, { model, system, ask, price });
          dollars += one.dollars;
          played.push(one);
        } catch (error) {
          failed.push(
            `${model}, ${system.name}, ${call.tool.name}: ${String(error).slice(0, 200)}`,
          );
        }
      }
    }
  }
  return finished(played, failed);
}

function finished(played: readonly Played[], failed: readonly string[], why?: string): LiveReport {
  const notes = [
    ...(why === undefined ? [] : [`Stopped: ${why}`]),
    ...(failed.length === 0 ? [] : [`${failed.length} calls failed:`, ...failed.slice(0, 10)]),
  ];
  const tables = [report(played), notes.join("\n")].filter((part) => part !== "").join("\n\n");
  return { tables, page: reportPage(played, tables) };
}

function priceWith({ price, maxCost }: LiveOptions): Price {
  return async (model, inputTokens, outputTokens) => {
    if (price) return (inputTokens * price[0] + outputTokens * price[1]) / 1_000_000;
    const listed = await priceOf({
      provider: "",
      model,
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
    });
    if (listed === undefined && maxCost !== undefined) {
      throw new Error(`No price of '${model}' is known, so --max-cost cannot hold: pass --price.`);
    }
    return listed ?? 0;
  };
}
