import { countCost } from "@toolcontract/case-table/cost";
import { expect, test } from "vitest";
import type { PathSegment } from "../../shared/index.ts";
import { secretPlaceAt } from "../../sanitize/index.ts";
import { indexSchema } from "./schema-index.ts";
import { sensitivePlaces } from "./sensitive-places.ts";

const SEAL = { type: "string", writeOnly: true };
const matches = (source: string, name: string): boolean => new RegExp(source, "u").test(name);

/** Every path, and whether the value is a secret, holds one, or neither. */
type Row = readonly [
  name: string,
  schema: object,
  paths: readonly (readonly [readonly PathSegment[], "secret" | "holder" | "free"])[],
];

const ROWS: readonly Row[] = [
  [
    "no secret",
    { properties: { note: {} } },
    [
      [[], "free"],
      [["note"], "free"],
    ],
  ],
  [
    "the whole",
    SEAL,
    [
      [[], "secret"],
      [["a", 0], "secret"],
    ],
  ],
  [
    "a field",
    { properties: { seal: SEAL, note: {} } },
    [
      [[], "holder"],
      [["seal"], "secret"],
      [["seal", "a"], "secret"],
      [["note"], "free"],
    ],
  ],
  [
    "other fields",
    { properties: { note: {} }, patternProperties: { "^n_": {} }, additionalProperties: SEAL },
    [
      [["note"], "free"],
      [["n_1"], "free"],
      [["a"], "secret"],
    ],
  ],
  [
    "a reference in a circle",
    {
      $ref: "#/$defs/tree",
      $defs: { tree: { allOf: [{ $ref: "#" }], properties: { next: { $ref: "#" }, seal: SEAL } } },
    },
    [
      [["next", "next", "seal"], "secret"],
      [["next", "next"], "holder"],
      [["note"], "free"],
    ],
  ],
  [
    "a dynamic reference",
    {
      $dynamicAnchor: "node",
      properties: { seal: SEAL, next: { $dynamicRef: "#node" } },
    },
    [[["next", "next", "seal"], "secret"]],
  ],
  [
    "items",
    { prefixItems: [{}, SEAL], items: { properties: { seal: SEAL } } },
    [
      [[0], "free"],
      [[1], "secret"],
      [["1"], "secret"],
      [[2], "holder"],
      [[2, "seal"], "secret"],
    ],
  ],
  [
    "conditions",
    {
      if: {},
      then: { properties: { a: SEAL } },
      dependentSchemas: { x: { properties: { b: SEAL } } },
    },
    [
      [["a"], "secret"],
      [["b"], "secret"],
      [["c"], "free"],
    ],
  ],
  [
    "odd schemas",
    { properties: [SEAL], anyOf: SEAL, allOf: [null, 5], $ref: "#/no" },
    [[["a"], "free"]],
  ],
];

test.for(ROWS)("knows the places of secrets: %s", ([, schema, paths]) => {
  const root = sensitivePlaces(indexSchema(schema, "2020-12"), matches);
  for (const [path, expected] of paths) {
    const place = secretPlaceAt(root, path);
    const isHolder = place !== undefined && place.isElsewhere !== true;
    const kind = place?.hidden === true ? "secret" : isHolder ? "holder" : "free";
    expect([path, kind]).toEqual([path, expected]);
  }
});

test.each<[string, object, readonly PathSegment[], string]>([
  [
    "a list around an object",
    { properties: { a: { properties: { b: SEAL } } } },
    ["a", 0, "b"],
    "secret",
  ],
  [
    "an object where a list was wanted",
    { properties: { a: { items: { properties: { b: SEAL } } } } },
    ["a", "b"],
    "secret",
  ],
  [
    "a member where a list of secrets was wanted",
    { properties: { a: { items: SEAL } } },
    ["a", "b"],
    "secret",
  ],
  ["a level too few", { properties: { a: { properties: { b: SEAL } } } }, ["b"], "secret"],
  ["a level too many", { properties: { b: SEAL } }, ["args", "b"], "secret"],
  [
    "below a field without a mark",
    { properties: { b: SEAL, c: { type: "object" } } },
    ["c", "b"],
    "secret",
  ],
  [
    "a declared field of the same name",
    { properties: { a: { properties: { b: SEAL } }, b: {} } },
    ["b"],
    "free",
  ],
])("finds what is marked where it does not belong: %s", (_, schema, path, kind) => {
  const place = secretPlaceAt(sensitivePlaces(indexSchema(schema, "2020-12"), matches), path);
  expect(place?.hidden === true ? "secret" : "free").toBe(kind);
});

test("costs little if 200 schemas refer to each other and the path is long", () => {
  const name = (index: number): string => `d${index % 200}`;
  const $defs = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      name(index),
      {
        anyOf: [{ $ref: `#/$defs/${name(index + 1)}` }, { $ref: `#/$defs/${name(index * 7)}` }],
        properties: { next: { $ref: `#/$defs/${name(index * 3)}` } },
      },
    ]),
  );
  const schema = { $ref: "#/$defs/d0", $defs: { ...$defs, d9: { properties: { seal: SEAL } } } };
  const path = Array.from({ length: 50 }, () => "next");
  const cost = countCost();
  const root = sensitivePlaces(indexSchema(schema, "2020-12"), matches);
  expect(secretPlaceAt(root, [...path, "seal"])?.hidden).toBe(true);
  // Trying every way would take years.
  expect(cost()).toBeLessThan(500);
});
