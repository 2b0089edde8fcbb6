import { countCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { countTokens as countAll } from "gpt-tokenizer/encoding/o200k_base";
import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { expect, test } from "vitest";
import { countTokens } from "./count-tokens.ts";

const ALL = { disallowedSpecial: new Set<string>() };

test.each([
  ["", 0],
  ["hello world", 2],
  ["<|endoftext|>", 7],
  ["a".repeat(2_000), 250],
  [" ".repeat(2_000), 17],
  ['{"path":"notes.md"}', 6],
])("%.30j is counted to its end", (text, tokens) => {
  expect(countTokens(text)).toEqual({ tokens, isCut: false });
});

test("a string within the bounds is counted as the tokenizer does", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      expect(countTokens(text)).toEqual({ tokens: countAll(text, ALL), isCut: false });
    }),
  );
});

test("a string beyond them has more tokens than are counted", () => {
  const part = fc.constantFrom("a", " ", "\n", "don't ", "123", "漢字", "😀", "}],", "\r\n", "'s");
  const long = fc
    .tuple(fc.array(part, { maxLength: 30 }), part, fc.array(part, { maxLength: 30 }))
    .map(([before, repeated, after]) =>
      [...before, repeated.repeat(2_600), ...after].join("").concat("x y ".repeat(2)),
    );
  fc.assert(
    fc.property(long, (text) => {
      const { tokens, isCut } = countTokens(text);
      const all = countAll(text, ALL);
      if (isCut) expect(tokens).toBeLessThan(all);
      else expect(tokens).toBe(all);
    }),
    { numRuns: 10 },
  );
});

test.each([
  ["a".repeat(1_000_000), 7_812],
  [" ".repeat(1_280_000), 9_999],
  [`${"1 ".repeat(100)}${"a".repeat(2_560)}`, 198 + 19],
])(
  "what has a long word has more tokens than are counted and than its longest could be",
  (text, tokens) => {
    expect(countTokens(text)).toEqual({ tokens, isCut: true });
  },
);

test("no token is longer than 128 units", () => {
  const lengths = ranks.filter((rank) => rank !== undefined).map(({ length }) => length);
  expect(lengths.reduce((most, length) => Math.max(most, length), 0)).toBe(128);
});

test("megabytes are counted in part", () => {
  const json = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id })));
  const { tokens, isCut } = countTokens(json);
  expect(isCut).toBe(true);
  expect(tokens).toBeGreaterThan(25_000);
});

test.each(
  [
    "a",
    "A",
    " ",
    "=",
    "漢",
    "😀",
    "\n",
    "aé",
    "'s",
    "==\u0301",
    "a\u0301",
    `${"漢".repeat(2_500)} `,
  ].map((repeated) => [repeated.slice(0, 3), repeated] as const),
)("a megabyte of %j costs little", (_, repeated) => {
  const text = repeated.repeat(1_000_000 / repeated.length);
  const cost = countCost();
  expect(countTokens(text).isCut).toBe(true);
  // The unit is about a millisecond; a megabyte of one word would cost minutes.
  expect(cost()).toBeLessThan(2_000);
});
