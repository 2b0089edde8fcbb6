import { describe, expect, test } from "vitest";
import { readTools } from "./index.ts";

const schema = { type: "object", properties: { a: { type: "string" } } };
const loud = { type: "OBJECT", properties: { type: { type: "STRING", enum: ["STRING"] } } };
const quiet = { type: "object", properties: { type: { type: "string", enum: ["STRING"] } } };
const named = { name: "n", description: "d" };

describe("a declaration", () => {
  test.each<[what: string, tool: object, read: object, at: string]>([
    ["of MCP", { ...named, inputSchema: schema }, { form: "mcp", inputSchema: schema }, ""],
    [
      "of Anthropic",
      { ...named, input_schema: schema },
      { form: "anthropic", inputSchema: schema },
      "",
    ],
    [
      "of OpenAI's chat completions",
      { type: "function", function: { ...named, parameters: schema } },
      { form: "openai", inputSchema: schema },
      "/function",
    ],
    [
      "of OpenAI's responses",
      { type: "function", ...named, parameters: schema },
      { form: "openai", inputSchema: schema },
      "",
    ],
    ["of OpenAI without parameters", { type: "function", ...named }, { form: "openai" }, ""],
    [
      "of OpenAI without a type",
      { ...named, parameters: schema },
      { form: "openai", inputSchema: schema },
      "",
    ],
    [
      "of Gemini in JSON Schema",
      { ...named, parametersJsonSchema: schema },
      { form: "gemini", inputSchema: schema },
      "",
    ],
    [
      "of Gemini in its own dialect",
      { ...named, parameters: loud },
      { form: "gemini", inputSchema: quiet },
      "",
    ],
    ["of LangChain", { ...named, schema }, { form: "langchain", inputSchema: schema }, ""],
    ["without arguments", named, { form: "mcp" }, ""],
    [
      "that takes anything",
      { ...named, inputSchema: true },
      { form: "mcp", inputSchema: true },
      "",
    ],
    ["with an invalid schema", { ...named, inputSchema: "object" }, { form: "mcp" }, ""],
    [
      "with a result",
      { ...named, inputSchema: schema, outputSchema: schema },
      { form: "mcp", inputSchema: schema, outputSchema: schema },
      "",
    ],
    [
      "whose result has no schema",
      { ...named, inputSchema: schema, outputSchema: 5 },
      { form: "mcp", inputSchema: schema },
      "",
    ],
  ])("%s", (_, tool, read, below) => {
    const [key = "inputSchema"] = [
      "inputSchema",
      "input_schema",
      "parametersJsonSchema",
      "parameters",
      "schema",
    ].filter((one) => JSON.stringify(tool).includes(`"${one}":`));
    const at = (member: string): string => `${below}/${member}`;
    expect(readTools(tool)).toEqual([
      {
        ...named,
        ...read,
        source: tool,
        at: {
          name: at("name"),
          description: at("description"),
          inputSchema: at("type" in tool ? "parameters" : key),
          outputSchema: at("outputSchema"),
        },
        pointer: "",
      },
    ]);
  });
});

describe("a schema without a tool", () => {
  test.each<[name: string, schema: object]>([
    ["file", schema],
    ["search", { title: "search", ...schema }],
    ["file", { title: "Search for notes", ...schema }],
    ["file", { title: "", ...schema }],
    ["file", { title: 5, ...schema }],
    ["file", { title: "a".repeat(65), ...schema }],
    ["file", { $ref: "#/$defs/a", $defs: {} }],
  ])("is named %s: %j", (name, given) => {
    expect(readTools(given, "file")).toEqual([
      {
        name,
        inputSchema: given,
        form: "schema",
        source: given,
        at: { name: "/title", description: "/description", inputSchema: "", outputSchema: "" },
        pointer: "",
      },
    ]);
  });

  test("has its own description", () => {
    expect(readTools({ ...schema, description: "A note." })).toMatchObject([
      { name: "tool", description: "A note." },
    ]);
  });

  test.each(
    Object.entries({
      type: "object",
      enum: ["a"],
      const: 1,
      properties: {},
      required: ["a"],
      items: {},
      prefixItems: [{}],
      anyOf: [{}],
      oneOf: [{}],
      allOf: [{}],
      not: {},
      if: {},
      $ref: "#/$defs/a",
      additionalProperties: false,
      patternProperties: {},
    }),
  )("may consist of %s", (keyword, value) => {
    expect(readTools({ [keyword]: value })).toMatchObject([{ form: "schema" }]);
    expect(readTools({ title: "n", [keyword]: value })).toMatchObject([{ form: "schema" }]);
  });
});

describe("what holds no tools", () => {
  test.each<[what: string, document: unknown]>([
    ["a manifest of npm", { name: "n", description: "d", version: "1.0.0", type: "module" }],
    ["a manifest of an extension", { name: "n", description: "d", manifest_version: 3 }],
    ["settings with a schema", { $schema: "https://json.schemastore.org/tsconfig", files: [] }],
    ["a type that is none of JSON Schema", { type: "module" }],
    ["keywords with other values", { required: true, format: "json", items: 3 }],
    ["a search on the web", [{ type: "web_search_20250305", name: "web_search" }]],
    ["an editor", [{ type: "text_editor_20250429", name: "str_replace_based_edit_tool" }]],
    ["a computer", [{ type: "computer_20250124", name: "computer", display_width_px: 1024 }]],
    ["code", [{ type: "code_interpreter", container: { type: "auto" } }]],
    ["a server of MCP", [{ type: "mcp", server_label: "a", require_approval: "never" }]],
    ["files", [{ type: "file_search", vector_store_ids: ["a"] }]],
    ["a tool of Gemini's own", { tools: [{ googleSearch: {} }, { codeExecution: {} }] }],
  ])("%s", (_, document) => {
    expect(readTools(document)).toEqual([]);
  });
});

describe("other lists", () => {
  test("a map of names to tools", () => {
    const map = {
      book: { description: "Books.", parameters: schema },
      list: { parameters: schema },
    };
    expect(readTools(map)).toMatchObject([
      {
        name: "book",
        description: "Books.",
        inputSchema: schema,
        pointer: "/book",
        form: "openai",
      },
      { name: "list", pointer: "/list" },
    ]);
  });

  test("the Converse API of Bedrock", () => {
    const toolSpec = { name: "book", description: "Books.", inputSchema: { json: schema } };
    expect(readTools({ toolConfig: { tools: [{ toolSpec }] } })).toMatchObject([
      {
        name: "book",
        description: "Books.",
        inputSchema: schema,
        form: "bedrock",
        pointer: "/toolConfig/tools/0",
        at: { name: "/toolSpec/name", inputSchema: "/toolSpec/inputSchema/json" },
      },
    ]);
  });
});

describe("a document", () => {
  const one = { ...named, inputSchema: schema };
  test.each<[what: string, document: unknown, pointers: readonly string[]]>([
    ["with one tool", one, [""]],
    ["with a list", [one, one], ["/0", "/1"]],
    ["with a list of lists", [[one], [one]], ["/0/0", "/1/0"]],
    ["of tools/list", { tools: [one] }, ["/tools/0"]],
    ["of a response", { jsonrpc: "2.0", id: 1, result: { tools: [one] } }, ["/result/tools/0"]],
    ["of functions", { functions: [one] }, ["/functions/0"]],
    [
      "of Gemini",
      { tools: [{ functionDeclarations: [one] }] },
      ["/tools/0/functionDeclarations/0"],
    ],
    ["of Gemini in Python", { function_declarations: [one] }, ["/function_declarations/0"]],
    ["with what is not a tool", [5, null, "a", one, {}], ["/3"]],
    ["with a result of another kind", { result: { tools: "none" } }, []],
    ["without tools", { a: one }, []],
    ["with tools that are no list", { tools: one }, []],
    ["that names something only", { name: "n" }, []],
    ["that describes something only", { description: "d" }, []],
    ["with a function that has no name", { type: "function" }, []],
    ["with parameters that have no name", { parameters: schema }, []],
    ["with a schema that has no name", { schema }, []],
    ["with a string as schema", { name: "n", schema: "public" }, []],
  ])("%s", (_, document, pointers) => {
    expect(readTools(document).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test("numbers the tools without a name, if they are several", () => {
    const unnamed = { inputSchema: schema };
    const names = (document: unknown): readonly string[] =>
      readTools(document, "file").map(({ name }) => name);
    expect(names([unnamed])).toEqual(["file"]);
    expect(names([unnamed, { ...unnamed, name: "" }, { ...unnamed, name: 5 }, one])).toEqual([
      "file[0]",
      "file[1]",
      "file[2]",
      "n",
    ]);
  });

  test.each(["functionDeclarations", "function_declarations"])(
    "has tools of Gemini in %s, whose types may be in small letters already",
    (key) => {
      expect(readTools({ [key]: [{ ...named, parameters: schema }] })).toMatchObject([
        { form: "gemini", inputSchema: schema },
      ]);
    },
  );

  test("has tools of OpenAI in functions", () => {
    expect(readTools({ functions: [{ ...named, parameters: schema }] })).toMatchObject([
      { form: "openai" },
    ]);
  });

  test.each(["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"])(
    "of Gemini has the type %s",
    (type) => {
      const inputSchema = { type: "OBJECT", anyOf: [{ type }, { type: "COLOR" }] };
      expect(readTools({ ...named, inputSchema })[0]?.inputSchema).toEqual({
        type: "object",
        anyOf: [{ type: type.toLowerCase() }, { type: "COLOR" }],
      });
    },
  );
});
