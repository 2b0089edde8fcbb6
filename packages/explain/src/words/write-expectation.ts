import type { Expectation, ExpectedField, Limits, NumberLimits } from "../shared/index.ts";
import { PLAIN_FORMATS, isNamedFormat, writeStringKind } from "./string-kinds.ts";
import {
  ALL,
  BESIDE_HINT,
  type Extent,
  FEW,
  list,
  listNames,
  listValues,
  nameInHint,
  plural,
  withArticle,
} from "./write-hint.ts";

const MAX_TOOLS = 10;
const MAX_BRANCHES = 6;
const MAX_JOINED = 4;
const JOINT = " and ";
/** For fields of which none is needed. */
const OPTIONAL: Extent = { whole: 6, few: 5 };
/** Writes what a tool accepts, in literal words: `integer from 0 to 511`, `one of "a", "b"`. */
export function writeExpectation(expected: Expectation): string {
  switch (expected.kind) {
    case "anything":
      return "any value";
    case "nothing":
      return "nothing";
    case "absent":
      return "nothing here";
    case "one-json-object":
      return "one JSON object";
    case "complete-json":
      return "complete JSON";
    case "shallower":
      return "fewer levels of nesting";
    case "words":
      return expected.text;
    case "variant":
      return expected.name;
    case "type":
      return expected.type;
    case "values":
      return listValues(
        expected.values,
        expected.brief === true ? BESIDE_HINT : ALL,
        expected.closest,
      );
    case "number":
      return `${expected.type}${writeNumberDetails(expected)}`;
    case "string":
      return writeStringKind(expected.format) + writeStringDetails(expected);
    case "holding":
      return `string that holds ${withArticle(writeExpectation(expected.of))}`;
    case "array":
    case "tuple":
    case "counted":
    case "containing":
    case "distinct":
      return writeArray(expected);
    case "object":
      return writeObject(expected, ALL);
    case "map":
      return expected.values.kind === "anything"
        ? "object"
        : `object of ${writeExpectation(expected.values)}`;
    case "tagged":
      return `object with ${expected.tag} ${listValues(expected.values, ALL)}`;
    case "size":
      return `object, ${writeSize(expected.limits)}`;
    case "fields":
    case "field-names":
    case "not-all":
    case "only-one":
    case "tools":
      return writeNames(expected);
    case "not":
      return `anything but ${writeExpectation(expected.of)}`;
    case "exactly-one":
      return `only one of ${expected.of.map((one) => `(${writeExpectation(one)})`).join(JOINT)}`;
    case "branch":
      return `object with ${expected.missing.map(nameInHint).join(", ")}`;
    case "either":
    case "branches":
      return writeChoice(expected);
    case "all":
      return writeAll(expected.of);
  }
}

/** Writes an expectation with only the first values of a long list. */
export function writeBriefly(expected: Expectation): string {
  switch (expected.kind) {
    case "values":
      return listValues(expected.values, FEW, expected.closest);
    case "fields":
      return writeNames(expected, FEW);
    case "object":
      return writeObject(expected, FEW);
    case "array":
      return expected.items?.kind === "values" && !showsCount(expected)
        ? `array of ${writeBriefly(expected.items)}`
        : writeExpectation(expected);
    case "either":
    case "branches":
      return writeChoice(expected, writeBriefly);
    default:
      return writeExpectation(expected);
  }
}

function writeNumberDetails(expected: Expectation & { readonly kind: "number" }): string {
  const limits = writeNumberLimits(expected.limits);
  const step = expected.multipleOf === undefined ? "" : `, a multiple of ${expected.multipleOf}`;
  return (limits === "" ? "" : ` ${limits}`) + step;
}

function writeNumberLimits({ min, max, above, below }: NumberLimits): string {
  if (above === undefined && below === undefined) return writeRange(min, max);
  const low = above === undefined ? writeRange(min, undefined) : `above ${above}`;
  const high = below === undefined ? writeRange(undefined, max) : `below ${below}`;
  return [low, high].filter((part) => part !== "").join(JOINT);
}

function writeRange(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && min === max) return `${min}`;
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`;
  if (min !== undefined) return `at least ${min}`;
  return max === undefined ? "" : `at most ${max}`;
}

function writeStringDetails(
  expected: Expectation & { readonly kind: "string" },
  separator = "",
): string {
  const { format, length, pattern, flags } = expected;
  // A string in such a format is never empty.
  const isImplied =
    format !== undefined && isNamedFormat(format) && length.min === 1 && length.max === undefined;
  const limits = isImplied ? "" : writeCount(length, "character");
  if (pattern === undefined) return limits;
  return `${limits}${limits === "" ? "" : separator} matching ${flags === undefined ? pattern : `/${pattern}/${flags}`}`;
}

/** Writes the limits of a length: `, at most 3 items`; empty if there are none. */
function writeCount({ min, max }: Limits, unit: string): string {
  const text = writeRange(min, max);
  return text === "" ? "" : `, ${text} ${/(?:^| )1$/.test(text) ? unit : `${unit}s`}`;
}

function writeArray(
  expected: Expectation & {
    readonly kind: "array" | "tuple" | "counted" | "containing" | "distinct";
  },
): string {
  switch (expected.kind) {
    case "array": {
      const count = writeCount(expected.count, "item");
      if (expected.items === undefined) return `array${count}`;
      const items = writeExpectation(expected.items);
      // A choice gets parentheses, so that the count does not read as part of its last branch.
      return `array of ${count !== "" && items.includes(" or ") ? `(${items})` : items}${count}`;
    }
    case "tuple": {
      const items = expected.items.map(writeExpectation);
      if (expected.rest !== undefined) items.push(`...${writeExpectation(expected.rest)}`);
      return `array [${items.join(", ")}]${showsCount(expected) ? writeCount(expected.count, "item") : ""}`;
    }
    case "counted":
      return (
        writeExpectation(expected.of) +
        (showsCount(expected.of) ? "" : writeCount(expected.count, "item"))
      );
    case "containing": {
      const { min, max } = expected;
      const items = `${writeCount({ min, max }, "item").slice(2)} that ${(max ?? min) === 1 ? "is" : "are"}`;
      return `array with ${items} ${writeExpectation(expected.of)}`;
    }
    case "distinct":
      return `items all different (items ${expected.equal[0]} and ${expected.equal[1]} are equal)`;
  }
}

/** Whether an expectation's words end in its number of items; a tuple of fixed length shows it anyway. */
function showsCount(expected: Expectation): boolean {
  if (expected.kind !== "array" && expected.kind !== "tuple") return false;
  const { min, max } = expected.count;
  if (min === undefined && max === undefined) return false;
  return (
    expected.kind === "array" || min !== expected.items.length || max !== expected.items.length
  );
}

function writeSize({ min, max }: Limits): string {
  return min === undefined
    ? `at most ${plural(max ?? 0, "field")}`
    : `at least ${plural(min, "field")}`;
}

/** Writes the fields that an object must have; if it must have none, a few that it may have. */
function writeObject(
  { fields }: Expectation & { readonly kind: "object" },
  extent: Extent,
): string {
  if (fields.length === 0) return "object";
  const isOpen = fields.every(({ isOptional }) => isOptional);
  return `object with ${list(fields.map(writeField), isOpen && extent === ALL ? OPTIONAL : extent)}`;
}

function writeField({ name, only }: ExpectedField): string {
  return nameInHint(name) + (only ? ` ${JSON.stringify(only.value)}` : "");
}

function writeNames(
  expected: Expectation & {
    readonly kind: "fields" | "field-names" | "not-all" | "only-one" | "tools";
  },
  extent: Extent = ALL,
): string {
  switch (expected.kind) {
    case "fields": {
      const { names, patterns, brief, closest } = expected;
      const shapes = patterns.length > 0 ? `names matching ${list(patterns, ALL)}` : "";
      const named = listNames(
        names,
        brief === true && extent === ALL ? BESIDE_HINT : extent,
        closest,
      );
      const all = [named, shapes].filter((part) => part !== "").join(JOINT);
      return all === "" ? "no fields" : `only ${all}`;
    }
    case "field-names":
      return `field names: ${writeExpectation(expected.of)}`;
    case "not-all":
      return `not all of ${listNames(expected.names)}`;
    case "only-one":
      return `only one of ${expected.names.join(", ")}`;
    case "tools": {
      const { names } = expected;
      if (names.length === 0) return "no tool at all";
      const more = names.length > MAX_TOOLS ? ` and ${names.length - MAX_TOOLS} more` : "";
      return `${listValues(names.slice(0, MAX_TOOLS), ALL)}${more}`;
    }
  }
}

function writeChoice(
  choice: Expectation & { readonly kind: "either" | "branches" },
  write: (expected: Expectation) => string = writeExpectation,
): string {
  const texts = writtenAlternatives(choice).map(({ of }) => write(of));
  const shown = choice.kind === "branches" ? texts.slice(0, MAX_BRANCHES) : texts;
  const more = choice.kind === "branches" ? texts.length - shown.length : (choice.more ?? 0);
  return joinChoice(shown, choice) + (more > 0 ? ` or ${plural(more, "other")}` : "");
}

/** Joins alternatives; of objects that lack different fields, only the fields are repeated. */
function joinChoice(
  texts: readonly string[],
  { of }: { readonly of: readonly Expectation[] },
): string {
  if (texts.length < 2 || !of.every(({ kind }) => kind === "branch")) return texts.join(" or ");
  return texts.map((text, at) => (at === 0 ? text : text.slice("object ".length))).join(", or ");
}

/** Returns the alternatives of a choice in the order they are written in, each with its words. */
function writtenAlternatives(
  choice: Expectation & { readonly kind: "either" | "branches" },
): readonly { readonly text: string; readonly of: Expectation }[] {
  const written = choice.of.map((of) => ({ text: writeExpectation(of), of }));
  const unique = written.filter(
    ({ text }, index) => written.findIndex((other) => other.text === text) === index,
  );
  if (choice.kind === "branches" && choice.plainFirst !== true) return unique;
  // The short ones come first, so that none reads as part of another's limits.
  const long = choice.kind === "either" ? /, / : /(?:string|array).*, /;
  return unique.toSorted((a, b) => Number(long.test(a.text)) - Number(long.test(b.text)));
}

/** Joins the expectations of several faults at one place, without what is already written. */
function writeAll([first, ...others]: readonly Expectation[]): string {
  if (first === undefined) return "";
  const alone = writeExpectation(first);
  let more = "";
  for (const other of others) {
    const text = kindOf(other) === kindOf(first) ? writeBesideKind(other) : writeExpectation(other);
    const written = alone + more;
    if (!written.includes(text) && written.split(JOINT).length < MAX_JOINED) more += JOINT + text;
  }
  // What follows is about the string, as its pattern is, and not about its length.
  return more !== "" && first.kind === "string"
    ? writeStringKind(first.format) + writeStringDetails(first, ",") + more
    : alone + more;
}

/** Returns the type that the words begin with, if only limits follow it. */
function kindOf(expected: Expectation): string | undefined {
  switch (expected.kind) {
    case "all":
      return expected.of[0] && kindOf(expected.of[0]);
    case "number":
      return writeNumberDetails(expected) === "" ? undefined : expected.type;
    case "string": {
      const isPlain = expected.format === undefined || PLAIN_FORMATS.has(expected.format);
      return isPlain && writeStringDetails(expected) !== "" ? "string" : undefined;
    }
    case "array":
      return expected.items === undefined && showsCount(expected) ? "array" : undefined;
    case "size":
      return "object";
    default:
      return undefined;
  }
}

/** Writes an expectation without the type that it begins with. */
function writeBesideKind(expected: Expectation): string {
  switch (expected.kind) {
    case "number":
      return writeNumberDetails(expected).replace(/^,? /, "");
    case "string":
      return writeStringDetails(expected).replace(/^,? /, "");
    case "array":
      return writeCount(expected.count, "item").slice(2);
    case "size":
      return writeSize(expected.limits);
    default:
      return writeExpectation(expected);
  }
}
