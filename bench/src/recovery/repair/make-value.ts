import { type Expectation, readExpectation } from "../reading/expectation.ts";

const TEXT = "example text";
const SAMPLES: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T09:30:00Z",
  date: "2026-01-31",
  time: "09:30:00Z",
  email: "ana@example.com",
  uri: "https://example.com/page",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  ipv4: "192.0.2.1",
  hostname: "example.com",
};
/** Texts to try on a pattern that is shown; a model would write one that fits. */
const CANDIDATES = [
  "abc",
  "ABC",
  "Abc",
  "a1",
  "A1",
  "12345",
  "1",
  "abc-1",
  "2026-01-31",
  "09:30",
  "+15551234567",
  ...Object.values(SAMPLES),
];

/** A value as a text asks for it; a plain word where it asks for nothing. */
export function makeValue(expected: Expectation, depth = 0): unknown {
  if (expected.values.length > 0) return expected.values[0];
  switch (expected.types[0]) {
    case "integer":
    case "number":
      return clampNumber(1, expected);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array": {
      const inner =
        expected.items === undefined || depth > 3 ? TEXT : itemOf(expected.items, depth);
      return Array.from({ length: expected.shortest ?? 0 }, () => inner);
    }
    case "object":
      return Object.fromEntries(expected.keys.map((key) => [key, TEXT]));
    default:
      return makeText(TEXT, expected);
  }
}

/** An item as the words after "array of" ask for it. */
function itemOf(words: string, depth = 0): unknown {
  return makeValue(readExpectation(words), depth + 1);
}

/** A text of the expected shape, near to the one that is there. */
export function makeText(text: string, expected: Expectation): string {
  const { pattern, format, example, shortest, longest } = expected;
  if (pattern !== undefined) return fitPattern(text, pattern);
  if (example !== undefined) return example;
  if (format !== undefined) return SAMPLES[format] ?? text;
  return text.padEnd(shortest ?? 0, ".").slice(0, longest);
}

/** A number within the limits. */
export function clampNumber(value: number, { minimum, maximum, types }: Expectation): number {
  const low = minimum ?? Number.NEGATIVE_INFINITY;
  const high = maximum ?? Number.POSITIVE_INFINITY;
  const inside = Math.max(low, Math.min(high, value));
  return types.includes("integer") ? Math.round(inside) : inside;
}

function fitPattern(text: string, source: string): string {
  try {
    const pattern = new RegExp(source);
    const spellings = [text.toLowerCase().replaceAll(/\W+/g, "_"), text.toUpperCase(), text.trim()];
    return [...spellings, ...CANDIDATES].find((candidate) => pattern.test(candidate)) ?? text;
  } catch {
    return text;
  }
}
