import { describe, expect, test } from "vitest";
import { lintTools } from "../engine/index.ts";
import { readTools } from "../input/index.ts";

function gradeOf(inputSchema: unknown): string {
  const { tools } = lintTools(readTools({ name: "t", description: "t", inputSchema }));
  return tools[0]?.grade ?? "";
}

const described = { description: "What to find." };
const closed = { type: "object", additionalProperties: false };

describe("a grade is the share of mistaken calls that come back with the fix named", () => {
  test.each([
    [
      "A",
      "a closed tool whose fields say what they are",
      {
        ...closed,
        properties: {
          query: { type: "string", ...described },
          limit: { type: "integer", minimum: 1, ...described },
        },
        required: ["query"],
      },
    ],
    ["A", "a tool without arguments", { ...closed, properties: {} }],
    [
      "F",
      "a tool that no value passes",
      {
        ...closed,
        properties: { kinds: { type: "array", enum: ["a"], ...described } },
        required: ["kinds"],
      },
    ],
  ])("%s: %s", (grade, _, schema) => {
    expect(gradeOf(schema)).toBe(grade);
  });

  test("an open tool is worse than a closed one, and an enum in prose worse than a declared one", () => {
    const properties = {
      sort: { type: "string", enum: ["asc", "desc"], ...described },
      query: { type: "string", ...described },
    };
    const prose = { ...properties, sort: { type: "string", description: "One of: asc, desc" } };
    const share = (schema: object): number =>
      lintTools(readTools({ name: "t", inputSchema: schema })).tools[0]?.share ?? 0;
    const required = ["sort", "query"];
    const best = share({ ...closed, properties, required });
    expect(share({ type: "object", properties, required })).toBeLessThan(best);
    expect(share({ ...closed, properties: prose, required })).toBeLessThan(best);
  });
});
