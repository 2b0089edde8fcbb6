import type { Expectation, Limits } from "../shared/index.ts";
import {
  isNamedFormat,
  showsCount,
  writeCount,
  writeExpectation,
  writtenAlternatives,
} from "./write-expectation.ts";

const TYPES: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "array",
  "object",
  "null",
]);

const cache = new WeakMap<Expectation, ExpectedFacts>();

type Unit = "item" | "character";

/** The types that an expectation's words begin with. */
interface LeadingTypes {
  readonly words: string;
  /** True if the words say nothing else. */
  readonly isAll: boolean;
}

/** The facts of an expectation that a message repeats: `Type mismatch: expected integer, got string`. */
export interface ExpectedFacts {
  /** The accepted types, in words. */
  readonly types?: string;
  /** True if a number must be a multiple of something. */
  readonly stepped?: boolean;
  /** The limits of an array's length. */
  readonly items?: Limits;
  /** The limits of a string's length. */
  readonly characters?: Limits;
}

/** The facts that a message and a summary repeat. */
export interface MessageFacts extends ExpectedFacts {
  /** The type of what was sent, and its length in characters or items. */
  readonly got?: { readonly type?: string | undefined; readonly length?: number | undefined };
}

/** Returns the facts of an expectation that a message repeats. */
export function expectedFacts(expected: Expectation): ExpectedFacts {
  const known = cache.get(expected);
  if (known) return known;
  const types = typesOf(expected)?.words ?? typeOfOnlyValue(expected);
  const items = lastLimits(expected, "item");
  const characters = lastLimits(expected, "character");
  const facts = {
    ...(types !== undefined && { types }),
    ...(isStepped(expected) && { stepped: true }),
    ...(items && { items }),
    ...(characters && { characters }),
  };
  cache.set(expected, facts);
  return facts;
}

function typesOf(expected: Expectation): LeadingTypes | undefined {
  const beginning = (words: string): LeadingTypes => ({
    words,
    isAll: writeExpectation(expected) === words,
  });
  switch (expected.kind) {
    case "type":
      return TYPES.has(expected.type) ? beginning(expected.type) : undefined;
    case "number":
      return beginning(expected.type);
    case "string": {
      const { format } = expected;
      if (format === "regex") return undefined;
      const isNamed = format !== undefined && isNamedFormat(format);
      return beginning(isNamed ? `${format} string` : "string");
    }
    case "array":
    case "tuple":
    case "containing":
      return beginning("array");
    case "object":
    case "map":
    case "tagged":
    case "size":
      return beginning("object");
    case "holding":
      return beginning("string");
    case "counted":
      return typesOf(expected.of);
    case "all":
      return expected.of[0] && typesOf(expected.of[0]);
    case "either":
    case "branches":
      return typesOfChoice(expected);
    default:
      return undefined;
  }
}

function typesOfChoice(
  choice: Expectation & { readonly kind: "either" | "branches" },
): LeadingTypes | undefined {
  const words: string[] = [];
  for (const { of } of writtenAlternatives(choice)) {
    const types = typesOf(of);
    if (types === undefined) break;
    words.push(types.words);
    if (!types.isAll) break;
  }
  const joined = words.join(" or ");
  return words.length === 0
    ? undefined
    : { words: joined, isAll: writeExpectation(choice) === joined };
}

function typeOfOnlyValue(expected: Expectation): string | undefined {
  if (expected.kind === "either" || expected.kind === "branches") {
    const [only, ...others] = writtenAlternatives(expected);
    return only && others.length === 0 ? typeOfOnlyValue(only.of) : undefined;
  }
  if (expected.kind !== "values" || expected.values.length !== 1) return undefined;
  return shownType(expected.values[0]);
}

/** Returns the type of a JSON value as messages name it; `1e21` does not look like an integer, so it is a number. */
function shownType(value: unknown): string | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return undefined;
    return /^-?\d+$/.test(String(value)) ? "integer" : "number";
  }
  return TYPES.has(typeof value) ? typeof value : undefined;
}

/** Returns the limits that the words name last: those of the value itself follow those of its content. */
function lastLimits(expected: Expectation, unit: Unit): Limits | undefined {
  const own = (limits: Limits, of: Unit): Limits | undefined =>
    of === unit && writeCount(limits, unit) !== "" ? limits : undefined;
  switch (expected.kind) {
    case "string":
      return own(expected.length, "character");
    case "array":
      return own(expected.count, "item") ?? (expected.items && lastLimits(expected.items, unit));
    case "tuple": {
      const shown = showsCount(expected) ? own(expected.count, "item") : undefined;
      return shown ?? lastOf([...expected.items, ...(expected.rest ? [expected.rest] : [])], unit);
    }
    case "counted": {
      const added = showsCount(expected.of) ? undefined : own(expected.count, "item");
      return added ?? lastLimits(expected.of, unit);
    }
    case "containing":
      return lastLimits(expected.of, unit) ?? own({ min: expected.min, max: expected.max }, "item");
    case "map":
      return lastLimits(expected.values, unit);
    case "field-names":
    case "holding":
    case "not":
      return lastLimits(expected.of, unit);
    case "all":
      return lastOf(expected.of, unit);
    case "either":
    case "branches":
      return lastOf(
        writtenAlternatives(expected).map(({ of }) => of),
        unit,
      );
    default:
      return undefined;
  }
}

function lastOf(expected: readonly Expectation[], unit: Unit): Limits | undefined {
  return expected.map((one) => lastLimits(one, unit)).findLast((limits) => limits !== undefined);
}

function isStepped(expected: Expectation): boolean {
  switch (expected.kind) {
    case "number":
      return expected.multipleOf !== undefined;
    case "array":
      return expected.items !== undefined && isStepped(expected.items);
    case "map":
      return isStepped(expected.values);
    case "tuple":
    case "either":
    case "branches":
    case "all":
      return (expected.kind === "tuple" ? expected.items : expected.of).some(isStepped);
    case "counted":
    case "containing":
    case "field-names":
    case "holding":
    case "not":
      return isStepped(expected.of);
    default:
      return false;
  }
}
