import { describe, expect, test } from "vitest";
import { readPage } from "./fences.ts";
import { markdownPaths, proseOf } from "./markdown.ts";

/** What a native engineer does not write, with what to write. A few of these have a good use; then write another sentence. */
const CALQUES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b|other\b|better\b)[\w`]+/gi,
    "is not a",
  ],
  [/\bbelongs? into\b/gi, "belongs in"],
  [/\bas ever\b/gi, "as before"],
  [/\bspoilt\b/gi, "invalid"],
  [/\bis none of the\b/gi, "is not one of the"],
];

describe.each(markdownPaths())("%s", (path) => {
  test("is written in plain English", () => {
    const prose = proseOf(readPage(path)).replaceAll(/\s+/g, " ");
    const found = CALQUES.flatMap(([pattern, instead]) =>
      [...prose.matchAll(pattern)].map(([words]) => `"${words}": write "${instead}"`),
    );
    expect(found).toEqual([]);
  });
});
