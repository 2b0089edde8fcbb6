import { isRecord } from "../shared/index.ts";
import type { Fault, Provider, Refusal } from "./refusal.ts";

/** A tool as a list declares it. */
export interface DeclaredName {
  readonly name: string;
  readonly description?: string | undefined;
  /** The declaration itself, of which clients of MCP check more. */
  readonly declaration: unknown;
}

/** What the providers take as the name of a tool. */
const NAMES: readonly (readonly [who: Provider, takes: RegExp])[] = [
  ["openai", /^[\w-]{1,64}$/],
  ["anthropic", /^[\w-]{1,128}$/],
  ["gemini", /^[A-Za-z_][\w.:-]{0,127}$/],
  ["bedrock", /^[\w-]{1,64}$/],
];

/** What the name of a tool and what stands beside its schemas must be. */
export const TOOL_REFUSALS: readonly Refusal<DeclaredName>[] = [
  {
    shape:
      "A name of other characters than letters, digits, `_` and `-`, or longer than 64 (Anthropic and Gemini: 128; Gemini also takes `.` and `:`, and no digit first)",
    who: NAMES.map(([who]) => who),
    *finds({ name }) {
      const who = NAMES.flatMap(([one, takes]) => (takes.test(name) ? [] : [one]));
      const what =
        name.length > 64
          ? `the name of the tool has ${name.length} characters`
          : `the name of the tool is ${JSON.stringify(name)}`;
      if (who.length > 0) yield { keyword: "name", what, who };
    },
    write: "rename it: 1 to 64 letters of a-z, digits, _ and -, a letter first",
    known: "documented",
    source:
      "https://platform.openai.com/docs/api-reference, https://ai.google.dev/api/caching#FunctionDeclaration, https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
  },
  {
    shape: "An empty description",
    who: ["bedrock"],
    *finds({ description }) {
      if (description === "") yield { keyword: "description", what: "the description is empty" };
    },
    write: "describe the tool, or leave description out",
    known: "documented",
    source:
      "https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html",
  },
  {
    shape: "`description`, `annotations`, `_meta` or `icons` of another type",
    who: ["mcp"],
    finds: ({ declaration }) => (isRecord(declaration) ? oddMembers(declaration) : []),
    write: "write it as the MCP specification does, or leave it out",
    known: "run",
    source: "@modelcontextprotocol/sdk 1.32.2 and client 2.4.0",
  },
];

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

function* oddMembers(tool: Readonly<Record<string, unknown>>): Generator<Fault> {
  const { annotations, _meta, icons } = tool;
  for (const keyword of ["description", "title"])
    if (tool[keyword] !== undefined && typeof tool[keyword] !== "string")
      yield { keyword, what: `${keyword} is not a text` };
  for (const [keyword, value] of Object.entries({ annotations, _meta }))
    if (value !== undefined && !isRecord(value))
      yield { keyword, what: `${keyword} is not an object` };
  if (isRecord(annotations))
    for (const hint of HINTS)
      if (annotations[hint] !== undefined && typeof annotations[hint] !== "boolean")
        yield { keyword: "annotations", what: `${hint} is not true or false` };
  const isIcons =
    Array.isArray(icons) && icons.every((one) => isRecord(one) && typeof one["src"] === "string");
  if (icons !== undefined && !isIcons)
    yield { keyword: "icons", what: "icons is not a list of objects with src" };
}
