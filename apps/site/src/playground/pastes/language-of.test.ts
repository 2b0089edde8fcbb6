import { expect, test } from "vitest";
import { languageOf } from "./language-of.ts";

test.each<[string, "json" | "zod" | undefined]>([
  ["z.object({ city: z.string() })", "zod"],
  ["  v.object({ city: v.string() })", "zod"],
  ["const weather = z.object({})", "zod"],
  ["export const weather = tool({})", "zod"],
  ['import { z } from "zod";', "zod"],
  ["type A = string;", "zod"],
  ["// a city\nz.string()", "zod"],
  ["tool({ inputSchema })", "zod"],
  ['{"type": "object"}', "json"],
  ['{\n  "name": "weather"', "json"],
  ['[{"name": "a"}]', "json"],
  ["{ inputSchema: z.object({}) }", undefined],
  ["constant", undefined],
  ["", undefined],
  ["{}", undefined],
  ["true", undefined],
])("%j is %s", (text, language) => {
  expect(languageOf(text, "json")).toBe(language ?? "json");
  expect(languageOf(text, "zod")).toBe(language ?? "zod");
});
