import type fastCheck from "fast-check";
import type {
  Arbitrary,
  IRawProperty,
  JsonSharedConstraints,
  Parameters,
  StringConstraints,
} from "fast-check";
import { createRequire } from "node:module";
import { isWhole } from "./whole.ts";

// The same values in every run, or those of `pnpm test:properties`.
export const SEED: number = Number(process.env["PROPERTY_SEED"] ?? 1);
const TIMES = Number(process.env["PROPERTY_TIMES"] ?? 1);

/** The values of every run are the same, so that the first third finds nearly all that all of them find. */
export const runsOf = (runs = 100): number =>
  isWhole || TIMES !== 1 ? TIMES * runs : Math.min(runs, Math.max(50, Math.ceil(runs / 3)));

/** fast-check with the values of this run, in place of the module that a test imports. */
export function seeded(): object {
  const module = createRequire(import.meta.url)("fast-check") as typeof import("fast-check");
  const fc = module.default;
  fc.configureGlobal({ seed: SEED });
  const binary = anyCodePoint(fc);
  const units: Readonly<Record<string, Arbitrary<string>>> = { binary, grapheme: anyGrapheme(fc) };
  const ownUnit = (unit: Unit): Unit => (typeof unit === "string" ? (units[unit] ?? unit) : unit);
  const string = ({ unit, ...constraints }: StringConstraints = {}) =>
    fc.string({ ...constraints, ...(unit !== undefined && { unit: ownUnit(unit) }) });
  const jsonValue = ({ stringUnit, ...constraints }: JsonSharedConstraints = {}) =>
    fc.jsonValue({
      ...constraints,
      ...(stringUnit !== undefined && { stringUnit: ownUnit(stringUnit) }),
    });
  const assert = (property: IRawProperty<unknown>, parameters: Parameters<unknown> = {}) =>
    fc.assert(property, { ...parameters, numRuns: runsOf(parameters.numRuns) });
  return { ...module, default: { ...fc, string, jsonValue, assert } };
}

type Unit = NonNullable<StringConstraints["unit"]>;

const SURROGATES = 0xd800;
const SURROGATES_COUNT = 0x800;

/** The unit "binary", with the same values, but without its table of all code points: it takes half a second to build. */
function anyCodePoint(fc: typeof fastCheck): Arbitrary<string> {
  return fc.nat({ max: 0x10ffff - SURROGATES_COUNT }).map(
    (place) => String.fromCodePoint(place < SURROGATES ? place : place + SURROGATES_COUNT),
    (unit) => {
      const [character, ...more] = typeof unit === "string" ? unit : "";
      const point = character?.codePointAt(0) ?? Number.NaN;
      const isSurrogate = point >= SURROGATES && point < SURROGATES + SURROGATES_COUNT;
      if (unit !== character || more.length > 0 || isSurrogate) throw new Error("No code point");
      return point < SURROGATES ? point : point - SURROGATES_COUNT;
    },
  );
}

/** The unit "grapheme" without its tables, for the same reason: printable characters, half of them of several code points. */
function anyGrapheme(fc: typeof fastCheck): Arbitrary<string> {
  const several = ["e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "👍🏽", "नि", "각", "ﷺ", "1️⃣"];
  return fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...several));
}
