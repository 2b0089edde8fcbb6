import { correctCall } from "@toolcontract/corrections";
import { readLiteral } from "@toolcontract/literals";
import type { MakeCall } from "@toolcontract/frameworks";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { ajvAccepts } from "../bare-ajv.ts";
import { isSame } from "../hints/same-json.ts";
import { aiSdk } from "../recovery/systems/ai-sdk.ts";
import { plainAjv } from "../recovery/systems/ajv.ts";
import { coreContract } from "../recovery/systems/core.ts";
import type { System } from "../recovery/systems/system.ts";
import { acceptedAsMeant } from "./as-meant.ts";
import { type KnownCall, type RealCall, distinctCalls, isKnown } from "./real-calls.ts";

const ROUNDS = 3;

/** The contract, and what people have without it. */
export const PEERS: readonly System[] = [
  coreContract("json-schema", "standard", { logger: false }),
  aiSdk("zod"),
  plainAjv,
];

/** What one system does with the same real calls, for a reader who takes its answers literally. */
interface PeerFigures {
  readonly system: string;
  /** Of the distinct calls that break their schema: those that ran with arguments that break it too. */
  readonly ranInvalid: number;
  /** Those that ran by the listed values of a place that no value can pass; they are not among the others. */
  readonly ranAsMeant: number;
  /** Of the calls that every system answers: the faults at whose place, or above it, something is said. */
  readonly located: number;
  readonly faults: number;
  /** The calls that are valid after one round, and after three. */
  readonly validAfter: readonly [one: number, three: number];
  readonly tokens: {
    readonly mean: number;
    readonly median: number;
    readonly p95: number;
    readonly max: number;
  };
  /** The malformed calls that ran as a strict reader of JSON, Python or JavaScript reads them. */
  readonly malformedRun: number;
}

/** The figures of all systems, and how many calls they are of. */
export interface PeerResults {
  /** The distinct calls that break their schema. */
  readonly invalid: number;
  /** Those that every system answers. */
  readonly answered: number;
  /** The distinct calls whose text is not JSON. */
  readonly malformed: number;
  readonly systems: readonly PeerFigures[];
}

/** What became of one call. */
interface Reading {
  /** How it ran, if ajv refuses what it ran with. */
  readonly ran?: "invalid" | "as-meant" | undefined;
  /** Absent if it ran. */
  readonly tokens?: number;
  readonly located: number;
  readonly validAfter?: number | undefined;
}

/** Puts the same calls to every system. */
export async function measurePeers(
  calls: readonly RealCall[],
  systems: readonly System[] = PEERS,
): Promise<PeerResults> {
  const known = distinctCalls(calls).filter(isKnown);
  const invalid = known.filter(({ json, valid }) => json && valid === false);
  const malformed = known.filter(({ json }) => !json);
  const readings: (readonly Reading[])[] = [];
  for (const system of systems) {
    const ofSystem: Reading[] = [];
    for (const call of invalid) ofSystem.push(await read(call, system));
    readings.push(ofSystem);
  }
  const answered = invalid
    .map((_, index) => index)
    .filter((index) => readings.every((all) => all[index]?.tokens !== undefined));
  const faults = answered.reduce((sum, index) => sum + (invalid[index]?.faults?.length ?? 0), 0);
  const figures: PeerFigures[] = [];
  for (const [position, system] of systems.entries()) {
    const all = readings[position] ?? [];
    const own = answered.flatMap((index) => all[index] ?? []);
    const within = (rounds: number): number =>
      own.filter(({ validAfter = Infinity }) => validAfter <= rounds).length;
    figures.push({
      system: system.name,
      ranInvalid: all.filter(({ ran }) => ran === "invalid").length,
      ranAsMeant: all.filter(({ ran }) => ran === "as-meant").length,
      located: own.reduce((sum, { located }) => sum + located, 0),
      faults,
      validAfter: [within(1), within(ROUNDS)],
      tokens: spreadOf(own.map(({ tokens = 0 }) => tokens)),
      malformedRun: await countRun(malformed, system),
    });
  }
  const counts = {
    invalid: invalid.length,
    answered: answered.length,
    malformed: malformed.length,
  };
  return { ...counts, systems: figures };
}

async function read(
  { tool, arguments: text, faults = [] }: KnownCall,
  system: System,
): Promise<Reading> {
  const answerTo = await system.offer(tool);
  const first = await answerTo(text);
  const accepts = ajvAccepts(tool);
  if (first.status !== "answered") {
    if (first.status !== "ran" || accepts(first.args)) return { located: 0 };
    const isAsMeant = acceptedAsMeant(tool)?.(first.args) === true;
    return { ran: isAsMeant ? "as-meant" : "invalid", located: 0 };
  }
  const places = system.read(first.text).map(({ pointer }) => pointer);
  const isLocated = (at: string): boolean =>
    places.some((place) => place === at || (place !== "" && at.startsWith(`${place}/`)));
  return {
    tokens: countTokens(first.text),
    located: faults.filter(({ at }) => isLocated(at)).length,
    validAfter: await roundsOf(JSON.parse(text), first.text, { answerTo, accepts, system }),
  };
}

/** Who answers, and who says whether a call is right. */
interface Round {
  readonly answerTo: MakeCall;
  readonly accepts: (value: unknown) => boolean;
  readonly system: System;
}

async function roundsOf(
  sent: unknown,
  first: string,
  { answerTo, accepts, system }: Round,
): Promise<number | undefined> {
  let [args, text] = [sent, first];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const next = correctCall(args, system.read(text));
    if (accepts(next)) return round;
    if (isSame(next, args)) return undefined;
    args = next;
    const outcome = await answerTo(JSON.stringify(args));
    if (outcome.status !== "answered") return undefined;
    ({ text } = outcome);
  }
  return undefined;
}

/** Counts the malformed calls that a system runs with the one value that a strict reader reads in them. */
async function countRun(calls: readonly KnownCall[], system: System): Promise<number> {
  if (!system.readsText) return 0;
  let count = 0;
  for (const { tool, arguments: text } of calls) {
    const answerTo = await system.offer(tool);
    const outcome = await answerTo(text);
    const readings = readLiteral(text);
    const isRight =
      outcome.status === "ran" && readings.length === 1 && isSame(readings[0], outcome.args);
    count += isRight ? 1 : 0;
  }
  return count;
}

function spreadOf(values: readonly number[]): PeerFigures["tokens"] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return { mean, median: at(0.5), p95: at(0.95), max: at(1) };
}
