import { describe, expect, test } from "vitest";
import * as z from "zod";
import { modules, tool } from "./modules.ts";
import { type RunCode, toolModule } from "./tool-module.ts";
import { toolOf } from "./evaluate-code.ts";

Object.assign(globalThis, { z, tool });

/** Runs code as a browser would. */
async function run(code: string) {
  const url = `data:text/javascript,${encodeURIComponent(toolModule(code))}`;
  const { default: module } = (await import(/* @vite-ignore */ url)) as { default: RunCode };
  return toolOf(module);
}

/** Whether a schema takes the name of a city. */
async function takesCity(schema: unknown): Promise<boolean> {
  const standard = (schema as z.ZodType)["~standard"];
  const good = await standard.validate({ city: "Oslo" });
  const bad = await standard.validate({ city: 1 });
  return good.issues === undefined && bad.issues !== undefined;
}

const CITY = "z.object({ city: z.string() })";

describe("the code of a tool", () => {
  test.each([
    ["an expression", CITY],
    ["a semicolon at its end", `${CITY};\n`],
    ["a comment at its end", `${CITY} // of a city`],
    ["an object with a schema", `{ inputSchema: ${CITY} }`],
    [
      "an import, and an expression as default",
      `import { z } from "zod";\nexport default ${CITY};`,
    ],
    ["an import over lines", `import {\n  z,\n} from "zod";\nconst city = ${CITY};`],
    ["the namespace", `import * as z from 'zod'\n\nexport const city = ${CITY}`],
    [
      "another name and entry",
      `import { z as zod } from "zod/v4";\nconst c = zod.object({ city: zod.string() });`,
    ],
    ["a declaration", `const x = ${CITY};`],
    ["a declaration that is exported", `export const x = ${CITY};`],
    ["several, the last of which is a tool", `const a = 1;\nconst x = ${CITY};\nconst b = 2;\n`],
    ["one after a comment", `// a city\n/* of\nit */ \nlet x = ${CITY};`],
    [
      "one with a function in it",
      `const x = (() => {\n  const inner = 1;\n  return ${CITY};\n})();`,
    ],
    ["a module that is indented", `  const x = ${CITY};\n  export default x;\n`],
    [
      "TypeScript",
      `import { z } from "zod";\n\ninterface City { readonly city: string }\nexport const city: z.ZodType<City> = ${CITY} as z.ZodType<City>;\nexport type Input = z.infer<typeof city>;\n`,
    ],
    ["satisfies", `const x = ${CITY} satisfies z.ZodType;`],
    [
      "valibot",
      'import * as v from "valibot";\n\nconst x = v.pipe(v.object({ city: v.string() }));',
    ],
    [
      "names of valibot",
      'import { object, string } from "valibot";\nconst x = object({ city: string() });',
    ],
    [
      "a tool of the AI SDK",
      `import { tool } from "ai";\nexport const weather = tool({\n  description: "The weather",\n  inputSchema: ${CITY},\n  execute: async ({ city }: { city: string }) => city,\n});`,
    ],
    [
      "a program of the AI SDK",
      `import { generateText, tool } from "ai";\nimport { openai } from "@ai-sdk/openai";\nimport { z } from "zod";\n\nconst weather = tool({ inputSchema: ${CITY} });\nconst { text } = await generateText({ model: openai("gpt-5"), tools: { weather } });\nconst key = process.env.OPENAI_API_KEY;\nconst length = text.length + key!.length;`,
    ],
    [
      "a tool of LangChain",
      `import { tool } from "langchain";\nconst weather = tool(async ({ city }) => city, { name: "weather", schema: ${CITY} });`,
    ],
    [
      "a tool of Mastra",
      `import { createTool } from "@mastra/core/tools";\nexport const weather = createTool({ id: "weather", inputSchema: ${CITY} });`,
    ],
    [
      "a tool of OpenAI's agents",
      `import { tool } from "@openai/agents";\nconst weather = tool({ name: "weather", parameters: ${CITY}, execute: () => "" });`,
    ],
    [
      "a tool of an MCP server",
      `import { McpServer } from "@modelcontextprotocol/server";\nconst server = new McpServer({ name: "w", version: "1" });\nserver.registerTool("weather", { inputSchema: { city: z.string() } }, async () => ({ content: [] }));`,
    ],
  ])("may be %s", async (_, code) => {
    expect(await takesCity((await run(code)).schema)).toBe(true);
  });

  test.each([
    ["of LangChain", `const t = tool(() => "", { name: "weather", schema: ${CITY} });`],
    [
      "of Mastra",
      `import { createTool } from "m";\nconst t = createTool({ id: "weather", inputSchema: ${CITY} });`,
    ],
    [
      "of MCP",
      `import { server } from "./server.js";\nserver.registerTool("weather", { inputSchema: ${CITY} });`,
    ],
  ])("names its tool: %s", async (_, code) => {
    expect((await run(code)).name).toBe("weather");
  });

  test.each([
    ["a module that is not there", 'import x from "other";\nexport default x;'],
    ["only types", "export type A = string;"],
    ["a number", "42"],
  ])("may define nothing: %s", async (_, code) => {
    const { schema } = await run(code);
    expect(Object(schema)).not.toHaveProperty("~standard");
  });

  test.each([
    ["an expression", "z.object({\n  city: z.string(,\n})", 2],
    ["a declaration", "const x = z.object({\n  city: z.string(),\n}", 3],
    ["after an import", 'import { z } from "zod";\n\nconst x: = 1;', 3],
  ])("that is broken has the line: %s", (_, code, line) => {
    expect(() => toolModule(code)).toThrow(
      expect.objectContaining({ loc: expect.objectContaining({ line }) }),
    );
  });

  test("keeps the numbers of its lines", () => {
    const code = 'import {\n  z,\n} from "zod";\n\nexport default z.oops();';
    expect(toolModule(code).split("\n")[4]).toContain("oops");
  });

  test("finds nothing in a module that is not there, and may call it", () => {
    const { nothing, require } = modules();
    const missing = "other";
    const any = require(missing) as (...all: unknown[]) => Record<string, unknown>;
    expect(any(1)["then"]).toBeUndefined();
    expect(any(1)["text"]).toBe(nothing);
  });
});
