// Each peer is asked here with its own functions, without what the page and the benchmarks share.
import { tool as langchainTool } from "@langchain/core/tools";
import { fromJsonSchema, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import type { JsonSchema } from "@toolcontract/core";
import { generateText, jsonSchema, tool as aiTool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { EXAMPLES } from "../examples/index.ts";
import { askPeers } from "./ask-peers.ts";
import type { PeerAnswer } from "./peer-answer.ts";

interface Called {
  readonly name: string;
  readonly schema: JsonSchema | z.ZodType;
  readonly text: string;
}

/** What a peer says to a call; undefined if it runs the tool. */
type Direct = (called: Called) => Promise<string | undefined>;

const DIRECT: Readonly<Record<PeerAnswer["peer"], Direct>> = {
  "AI SDK": async ({ name, schema, text }) => {
    const inputSchema = schema instanceof z.ZodType ? schema : jsonSchema(schema as object);
    const call = { type: "tool-call", toolCallId: "1", toolName: name, input: text } as const;
    const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [call],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage: { inputTokens: tokens, outputTokens: tokens },
        warnings: [],
      },
    });
    const tools = { [name]: aiTool({ inputSchema, execute: () => "done" }) };
    const { content } = await generateText({ model, tools, prompt: "go on" });
    const failed = content.find(({ type }) => type === "tool-error");
    return failed?.type === "tool-error" ? String(failed.error) : undefined;
  },
  LangChain: async ({ name, schema, text }) => {
    const args = parsed(text);
    if (args === undefined) return "";
    const tool = langchainTool(() => "done", {
      name,
      description: "",
      schema: schema as z.ZodObject,
    });
    try {
      await tool.invoke(args);
      return undefined;
    } catch (thrown) {
      const said = `Error: ${(thrown as Error).message}\n    at …\n Please fix the error and try again.`;
      return `Error invoking tool '${name}' with kwargs ${JSON.stringify(args)} with error: ${said}`;
    }
  },
  "MCP SDK": async ({ name, schema, text }) => {
    const args = parsed(text);
    if (args === undefined) return "";
    const server = new McpServer({ name: "direct", version: "0.0.0" });
    const inputSchema = schema instanceof z.ZodType ? schema : fromJsonSchema(schema as object);
    server.registerTool(name, { inputSchema: inputSchema as z.ZodObject }, () => ({ content: [] }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    const reply = new Promise<unknown>((resolve) => {
      Object.assign(near, { onmessage: resolve });
    });
    await server.connect(far);
    const params = { name, arguments: args };
    await near.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const { result } = (await reply) as {
      readonly result: { readonly content: readonly { readonly text: string }[] };
    };
    await server.close();
    return result.content[0]?.text;
  },
};

const STRICT = ["misspelt-key", "union-tag", "secret", "json-in-string", "escalation", "notion"];
const NOT_JSON = ["cut-output", "fenced-json", "broken-json"];
const ZOD = ["zod-refine"];

test("every example is in a row", () => {
  expect(EXAMPLES.map(({ id }) => id).toSorted()).toEqual(
    [...STRICT, ...NOT_JSON, ...ZOD].toSorted(),
  );
});

describe.each([...STRICT, ...NOT_JSON])("the call of %s", (id) => {
  test("gets what each peer says to it", async () => {
    const { name, schema, text } = await calledIn(id);
    const answers = await askPeers({ tool: { name, schema }, text });
    expect(answers).toHaveLength(6);
    for (const { peer, declared, outcome, text: said } of answers) {
      const tool = declared === "zod" ? z.fromJSONSchema(schema) : schema;
      const direct = await DIRECT[peer]({ name, schema: tool, text });
      const ran = outcome === "ran" ? undefined : said.replace(/(\n {4}at .+)+/, "\n    at …");
      expect.soft(ran, `${peer}, ${declared}`).toBe(direct);
    }
  });

  test(`gets ${NOT_JSON.includes(id) ? "no answer of LangChain and MCP" : "an answer, but not with jsonSchema()"}`, async () => {
    const { name, schema, text } = await calledIn(id);
    const answers = await askPeers({ tool: { name, schema }, text });
    expect(answers.map(({ outcome }) => outcome)).toEqual(
      NOT_JSON.includes(id)
        ? ["answered", "answered", "ended the run", "ended the run", "not asked", "not asked"]
        : ["ran", "answered", "answered", "answered", "answered", "answered"],
    );
  });
});

async function calledIn(id: string) {
  const { tool, call } = (await EXAMPLES.find((example) => example.id === id)?.load()) ?? {};
  const { name, inputSchema } = JSON.parse(tool?.text ?? "") as {
    readonly name: string;
    readonly inputSchema: JsonSchema;
  };
  return { name, schema: inputSchema, text: call ?? "" };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
