import type { JsonSchema } from "@toolcontract/core";
import { isSame } from "../hints/same-json.ts";
import {
  type KnownCall,
  type RealCall,
  distinctCalls,
  hasComparableAnswers,
  isKnown,
} from "../real/real-calls.ts";

/** A call that breaks its schema, with a tool that every endpoint takes. */
export interface FaultyCall {
  readonly tool: KnownCall["tool"] & { readonly inputSchema: JsonSchema };
  readonly sent: string;
  /** The kind of its first fault. */
  readonly kind: string;
  /** Whether arguments are an accepted answer; undefined if none is known. */
  readonly isRight: ((args: unknown) => boolean) | undefined;
}

/** Picks at most this many of the calls that break their schema, from each kind of fault in turn. */
export function faultyCalls(calls: readonly RealCall[], most: number): readonly FaultyCall[] {
  const byKind = new Map<string, FaultyCall[]>();
  for (const call of distinctCalls(calls.filter(isKnown))) {
    if (!call.json || call.valid !== false) continue;
    const faulty = toFaulty(call);
    byKind.set(faulty.kind, [...(byKind.get(faulty.kind) ?? []), faulty]);
  }
  const picked: FaultyCall[] = [];
  const kinds = [...byKind.values()];
  for (let round = 0; kinds.some((kind) => kind.length > round); round += 1) {
    for (const kind of kinds) picked.push(...kind.slice(round, round + 1));
  }
  return picked.slice(0, most);
}

function toFaulty(call: KnownCall): FaultyCall {
  const { tool, faults = [], answers } = call;
  // What OpenAI takes as a name.
  const name = tool.name.replaceAll(/[^\w-]/g, "_").slice(0, 64);
  const isKnownAnswer = hasComparableAnswers(call) && answers !== null;
  return {
    tool: { ...tool, name },
    sent: call.arguments,
    kind: faults[0]?.kind ?? "other",
    isRight: isKnownAnswer ? (args) => answers.some((answer) => fits(answer, args)) : undefined,
  };
}

/** Whether each field has one of its accepted values; an empty string stands for none. */
function fits(answer: Readonly<Record<string, readonly unknown[]>>, args: unknown): boolean {
  const fields = Object(args) as Readonly<Record<string, unknown>>;
  return Object.entries(answer).every(([name, accepted]) =>
    accepted.some((one) => (Object.hasOwn(fields, name) ? isSame(one, fields[name]) : one === "")),
  );
}
