import { faultAt, type MakeSlip, type Slip } from "./slip.ts";
import type { Site } from "./sites.ts";
import type { Random } from "../random.ts";

/** A number, length or count outside of its limits. */
export const limitSlip: MakeSlip = (site, random) => {
  const ways = LIMITS.flatMap(([keyword, beyond]) => {
    const limit = site.schema[keyword];
    const sent = typeof limit === "number" ? beyond(limit, site, random) : undefined;
    return sent === undefined ? [] : [{ limit, sent }];
  });
  if (ways.length === 0) return undefined;
  const { limit, sent } = random.pick(ways);
  return slip(site, sent, "limit", [String(limit)]);
};

/** A text of another shape than its pattern or format asks for. */
export const shapeSlip: MakeSlip = (site, random) => {
  if (typeof site.value !== "string") return undefined;
  const { pattern, format } = site.schema;
  if (typeof pattern === "string")
    return slip(site, "not of that shape!", "pattern", [pattern, new RegExp(pattern, "u").source]);
  if (typeof format !== "string" || FORMATS[format] === undefined) return undefined;
  return slip(site, random.pick(["tomorrow", "n/a", "see above"]), "format", FORMATS[format]);
};

type Beyond = (limit: number, site: Site, random: Random) => unknown;

const LONGEST = 5_000;
const LIMITS: readonly (readonly [keyword: string, beyond: Beyond])[] = [
  ["maximum", (limit, { value }) => (Number(value) > limit ? undefined : limit + 7)],
  ["minimum", (limit) => limit - 1],
  ["exclusiveMinimum", (limit) => limit],
  ["exclusiveMaximum", (limit) => limit],
  ["maxLength", (limit) => (limit < LONGEST ? "x".repeat(limit + 1) : undefined)],
  ["minLength", (limit) => (limit > 0 ? "x".repeat(limit - 1) : undefined)],
  [
    "maxItems",
    (limit, { value }) =>
      Array.isArray(value) && value.length > 0 && limit < 100
        ? Array.from({ length: limit + 1 }, (_, index) => value[index % value.length] as unknown)
        : undefined,
  ],
  [
    "minItems",
    (limit, { value }) =>
      Array.isArray(value) && limit > 0 ? (value.slice(0, limit - 1) as unknown) : undefined,
  ],
];

/** The words of which one says what a format asks for. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  date: ["date", "ISO date", "YYYY-MM-DD"],
  "date-time": ["date-time", "datetime", "ISO datetime", "ISO 8601"],
  email: ["email"],
  uri: ["uri", "url"],
  uuid: ["uuid"],
};

function slip(
  site: Site,
  sent: unknown,
  kind: "limit" | "pattern" | "format",
  words: readonly string[],
): Slip {
  return {
    edit: { remove: [], set: [[site.pointer, sent]] },
    fault: faultAt(site, { kind, fix: [words] }),
  };
}
