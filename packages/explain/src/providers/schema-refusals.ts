import { isRecord } from "../shared/index.ts";
import { isWellFormedKeyword } from "./malformed.ts";
import { unknownToPython } from "./python-pattern.ts";
import type { Fault, Refusal, SchemaAt } from "./refusal.ts";

/** What a schema must be wherever it stands. */
export const SCHEMA_REFUSALS: readonly Refusal<SchemaAt>[] = [
  {
    shape:
      "A keyword with a value that draft 2020-12 does not allow: `exclusiveMinimum: true`, `items` as a list, unknown types, an empty `anyOf`",
    who: ["openai", "anthropic", "bedrock"],
    finds: malformedKeywords,
    write: "write the keyword as draft 2020-12 does",
    known: "reported",
    source:
      "https://github.com/Dokploy/mcp/issues/74, https://github.com/modelcontextprotocol/servers/issues/1817",
  },
  {
    shape: "A `$ref` that leads nowhere",
    who: ["openai", "anthropic"],
    *finds({ node: { $ref }, resolves }) {
      if (typeof $ref === "string" && !resolves($ref))
        yield { keyword: "$ref", what: `$ref leads nowhere: ${$ref.slice(0, 64)}` };
    },
    write: "put what it refers to into $defs of this schema",
    known: "reported",
    source: "https://github.com/open-webui/computer/issues/87",
  },
  {
    shape: "An array without `items`; for Gemini also one with `prefixItems` alone",
    who: ["openai", "gemini"],
    *finds({ node: { type, items, prefixItems } }) {
      if (type !== "array" || items !== undefined) return;
      yield {
        what: "an array has no items",
        ...(prefixItems !== undefined && { who: ["gemini"] }),
      };
    },
    write: 'say what the items are: "items": { "type": … }, or {} for any',
    known: "reported",
    source:
      "https://github.com/mark3labs/mcphost/issues/35, https://github.com/modelcontextprotocol/modelcontextprotocol/issues/410",
  },
  {
    shape: "A `pattern` that Python does not compile: `\\p{…}`, `(?<name>…)`, `\\u{…}`",
    who: ["openai"],
    *finds({ node: { pattern, patternProperties } }) {
      const sources = [
        ...(typeof pattern === "string" ? [["pattern", pattern] as const] : []),
        ...(isRecord(patternProperties)
          ? Object.keys(patternProperties).map((one) => ["patternProperties", one] as const)
          : []),
      ];
      for (const [keyword, source] of sources) {
        const unknown = unknownToPython(source);
        if (unknown !== undefined)
          yield {
            keyword,
            what: `a regular expression has ${unknown}, which Python does not compile`,
          };
      }
    },
    write: "write the pattern without it, or leave it out and let the contract check it",
    known: "reported",
    source:
      "https://github.com/BerriAI/litellm/pull/40485, https://github.com/langfuse/langfuse/issues/14770",
  },
  {
    shape: "An `enum` of other values than strings, or with an empty one",
    who: ["gemini"],
    *finds({ node: { enum: values } }) {
      if (!Array.isArray(values)) return;
      // Null says that the field may be null; clients write nullable for it.
      if (values.some((one) => typeof one !== "string" && one !== null))
        yield { keyword: "enum", what: "the values of an enum are not all strings" };
      if (values.includes("")) yield { keyword: "enum", what: "a value of an enum is empty" };
    },
    write: "list the values in the description, and leave enum out",
    known: "reported",
    source:
      "https://github.com/microsoft/azure-devops-mcp/issues/139, https://github.com/microsoft/azure-devops-mcp/issues/145",
  },
  {
    shape: "A list of types in `items`, or with `array` in it",
    who: ["gemini"],
    *finds({ node: { type }, keyword }) {
      if (!Array.isArray(type) || type.length < 2) return;
      // Clients translate the others.
      const isTranslated = keyword !== "items" && !type.includes("array");
      if (!isTranslated)
        yield { keyword: "type", what: `type is a list: ${type.join(", ").slice(0, 64)}` };
    },
    write: "write anyOf with one type each",
    known: "reported",
    source:
      "https://github.com/github/copilot-cli/issues/4623, https://github.com/google-gemini/gemini-cli/issues/21094",
  },
  {
    shape: "`required` that names a field without a property",
    who: ["gemini"],
    *finds({ node: { properties, required } }) {
      if (!isRecord(properties) || !Array.isArray(required)) return;
      const name = required.find(
        (one) => typeof one === "string" && !Object.hasOwn(properties, one),
      ) as string | undefined;
      if (name !== undefined)
        yield {
          keyword: "required",
          what: `required names a field that properties does not: "${name.slice(0, 64)}"`,
        };
    },
    write: "declare the field, or take it out of required",
    known: "reported",
    source: "https://github.com/iBUHub/AIStudioToAPI/issues/154",
  },
  {
    shape: "A property or `items` that is `true` or `false`",
    who: ["gemini"],
    *finds({ node: { properties, items } }) {
      const odd = isRecord(properties)
        ? Object.entries(properties).find(([, one]) => typeof one === "boolean")
        : undefined;
      if (odd)
        yield {
          keyword: "properties",
          what: `the schema of "${odd[0].slice(0, 64)}" is ${String(odd[1])}`,
        };
      if (typeof items === "boolean") yield { keyword: "items", what: `items is ${items}` };
    },
    write: "write {} for any value",
    known: "reported",
    source: "https://github.com/github/copilot-cli/issues/4623",
  },
];

function* malformedKeywords({ node }: SchemaAt): Generator<Fault> {
  for (const [keyword, value] of Object.entries(node)) {
    if (isWellFormedKeyword(keyword, value)) continue;
    const isBoundOfDraft4 = keyword.startsWith("exclusiveM") && typeof value === "boolean";
    if (isBoundOfDraft4)
      yield {
        keyword,
        what: `${keyword} is ${value}, as in draft 4, and providers read draft 2020-12`,
        write: value ? `write the limit itself: "${keyword}": <number>` : "leave it out",
      };
    else if (keyword === "items" && Array.isArray(value))
      yield {
        keyword,
        what: "items is a list, and providers read draft 2020-12",
        write: "write prefixItems for a tuple, or one schema for all items",
      };
    else yield { keyword, what: `the value of ${keyword} is not one that draft 2020-12 allows` };
  }
}
