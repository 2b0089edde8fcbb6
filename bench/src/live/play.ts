import type { MakeCall, Outcome } from "@toolcontract/frameworks";
import { ajvAccepts } from "../bare-ajv.ts";
import type { System } from "../recovery/systems/system.ts";
import type { AskModel } from "./ask-model.ts";
import type { FaultyCall } from "./faulty-calls.ts";

const ROUNDS = 3;

/** What became of one call: what a model did with the answers of one system. */
export interface Played {
  readonly model: string;
  readonly system: string;
  readonly kind: string;
  /** True if the system ran the faulty call, so that the model was not asked. */
  readonly ranAtOnce: boolean;
  /** After how many rounds the arguments fit the schema, from 1; undefined if they never did. */
  readonly validAfter: number | undefined;
  /** Whether the valid arguments are an accepted answer; undefined if there are none, or no answer is known. */
  readonly isRight: boolean | undefined;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
}

/** US dollars of a request. */
export type Price = (model: string, inputTokens: number, outputTokens: number) => Promise<number>;

/** Puts a faulty call and a system's answer to a model, until its arguments fit or three rounds are over. */
export async function play(
  { tool, sent, kind, isRight }: FaultyCall,
  { model, system, ask, price }: Playing,
): Promise<Played> {
  const answerTo = await system.offer(tool);
  const accepts = ajvAccepts(tool);
  const tries: { sent: string; answer: string }[] = [];
  const played = { model, system: system.name, kind, ranAtOnce: false };
  let spent = { inputTokens: 0, outputTokens: 0, dollars: 0 };
  let text = sent;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const outcome = await answered(answerTo, text, system);
    if (outcome.status !== "answered") {
      const ranAtOnce = round === 1;
      return { ...played, ranAtOnce, validAfter: undefined, isRight: undefined, ...spent };
    }
    tries.push({ sent: text, answer: outcome.text });
    const reply = await ask(model, { tool, tries });
    spent = {
      inputTokens: spent.inputTokens + reply.inputTokens,
      outputTokens: spent.outputTokens + reply.outputTokens,
      dollars: spent.dollars + (await price(model, reply.inputTokens, reply.outputTokens)),
    };
    if (reply.sent === undefined) break;
    text = reply.sent;
    const args = parse(text);
    if (args === undefined || !accepts(args.value)) continue;
    return { ...played, validAfter: round, isRight: isRight?.(args.value), ...spent };
  }
  return { ...played, validAfter: undefined, isRight: undefined, ...spent };
}

/** Who plays. */
export interface Playing {
  readonly model: string;
  readonly system: System;
  readonly ask: AskModel;
  readonly price: Price;
}

/** A host that parses the arguments itself answers what its parser says. */
async function answered(call: MakeCall, text: string, { readsText }: System): Promise<Outcome> {
  try {
    if (!readsText) JSON.parse(text);
  } catch (error) {
    return { status: "answered", text: String(error) };
  }
  return call(text);
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
