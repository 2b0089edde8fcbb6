import { isRecord } from "../shared/index.ts";
import { isWellFormedKeyword } from "./malformed.ts";
import type { Refusal, SchemaAt } from "./refusal.ts";

/** What the schema of a result must be, which clients on the official SDKs compile when they list the tools. */
export const OUTPUT_REFUSALS: readonly Refusal<SchemaAt>[] = [
  {
    shape: "The schema of a result is not one of an object",
    who: ["mcp"],
    *finds({ node, keyword, pointer }) {
      if (pointer === "" && keyword === undefined && node["type"] !== "object")
        yield { what: 'the schema of the result has no "type": "object" at the top' };
    },
    write: 'wrap the result: "type": "object" with one property',
    known: "run",
    source: "@modelcontextprotocol/sdk 1.32.2 and client 2.4.0",
  },
  {
    shape:
      "The schema of a result does not compile: a `$ref` that leads nowhere, an unknown type, `nullable` without `type`, an empty `enum`",
    who: ["mcp"],
    *finds({ node, resolves }) {
      const { $ref, nullable, type, pattern, enum: values } = node;
      if (typeof $ref === "string" && !resolves($ref))
        yield { keyword: "$ref", what: `$ref leads nowhere: ${$ref.slice(0, 64)}` };
      if (nullable === true && type === undefined)
        yield { keyword: "nullable", what: "nullable stands beside no type" };
      if (typeof pattern === "string" && !compilesInJavaScript(pattern))
        yield { keyword: "pattern", what: "a regular expression does not compile" };
      if (Array.isArray(values) && values.length === 0)
        yield { keyword: "enum", what: "an enum is empty" };
      for (const [keyword, value] of Object.entries(node))
        // Their validator reads draft 7, in which items may be a list.
        if (!isWellFormedKeyword(keyword, value) && !(keyword === "items" && isTuple(value)))
          yield { keyword, what: `the value of ${keyword} is not one that JSON Schema allows` };
    },
    write: "correct the schema of the result: the SDK compiles it when it lists the tools",
    known: "run",
    source:
      "@modelcontextprotocol/sdk 1.32.2; https://github.com/anthropics/claude-code/issues/76040",
  },
];

function isTuple(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "boolean" || isRecord(one));
}

function compilesInJavaScript(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
