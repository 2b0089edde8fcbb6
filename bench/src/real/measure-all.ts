import { createContract, parseRejection } from "@toolcontract/core";
import { readLiteral } from "@toolcontract/literals";
import { ajvAccepts } from "../bare-ajv.ts";
import { isSame } from "../hints/same-json.ts";
import { acceptedAsMeant } from "./as-meant.ts";
import { type MeasuredCall, measureCall, messageFor } from "./measure-call.ts";
import { type KnownCall, type RealCall, distinctCalls, isKnown } from "./real-calls.ts";

const contract = createContract({ logger: false });

/** What the contract does with real calls. */
export interface RealFigures {
  /** The distinct calls that break their schema. */
  readonly measured: readonly MeasuredCall[];
  /** The distinct malformed calls that ran after a repair. */
  readonly repaired: number;
  readonly malformed: number;
  /** Those that ran with a value that no strict reader reads in their text. */
  readonly doubtful: readonly KnownCall[];
  /** The calls of no offered tool for which one was obviously meant. */
  readonly nearNames: number;
  /** Those for which the hint names no tool, or another one. */
  readonly unhintedNames: readonly RealCall[];
  /** The calls that ran with arguments that ajv refuses, for whatever else than places that no value can pass. */
  readonly ranWrong: readonly RealCall[];
  /** The calls that ran by the listed values of such places. */
  readonly ranAsMeant: readonly RealCall[];
}

/** Makes all calls. */
export async function measureAll(calls: readonly RealCall[]): Promise<RealFigures> {
  const distinct = distinctCalls(calls);
  const known = distinct.filter(isKnown);
  const malformed = known.filter(({ json }) => !json);
  const invalid = known.filter(({ json, valid }) => json && valid === false);
  const measured: MeasuredCall[] = [];
  const ranWrong: RealCall[] = [];
  const ranAsMeant: RealCall[] = [];
  for (const call of invalid) {
    const result = await measureCall(call);
    if (result) measured.push(result);
    else if (!ran(call, ajvAccepts(call.tool)))
      (ran(call, acceptedAsMeant(call.tool)) ? ranAsMeant : ranWrong).push(call);
  }
  const repaired = malformed.filter(
    (call) => contract.check(call.tool, call.arguments).status === "valid",
  );
  const near = calls.flatMap((call) => {
    const meant = meantTool(call);
    return meant === undefined ? [] : [{ call, meant }];
  });
  const unhintedNames: RealCall[] = [];
  for (const { call, meant } of near) {
    const hint = parseRejection(await messageFor(call))?.errors[0]?.hint;
    if (hint !== `use ${JSON.stringify(meant)}`) unhintedNames.push(call);
  }
  return {
    measured,
    malformed: malformed.length,
    repaired: repaired.length,
    doubtful: repaired.filter(isDoubtful),
    nearNames: near.length,
    unhintedNames,
    ranWrong,
    ranAsMeant,
  };
}

/** What models write before and behind the name of a tool. */
const AROUND = /^(?:\w+\.)*(?:functions|default_api|tools)\.|(?:<\||[\s?(:"]|\.\.\.)[^]*$/g;

/** The offered tool of the same name, but for control tokens, a namespace, case and separators. */
function meantTool({ known, called, offered = [] }: RealCall): string | undefined {
  if (known) return undefined;
  const name = called.replaceAll(AROUND, "");
  const meant = offered.filter((one) => one === name || plain(one) === plain(name));
  return meant.length === 1 ? meant[0] : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** Whether a judge accepts what a call ran with, once what its client made of the arguments was repaired. */
function ran(
  { tool, arguments: text }: KnownCall,
  accepts: ((value: unknown) => boolean) | undefined,
): boolean {
  const checked = contract.check(tool, text);
  return checked.status === "valid" && accepts?.(checked.input) === true;
}

function isDoubtful({ tool, arguments: text }: KnownCall): boolean {
  const checked = contract.check(tool, text);
  const readings = readLiteral(text);
  return readings.length !== 1 || checked.status !== "valid" || !isSame(readings[0], checked.input);
}
