import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { type McpServer, RequestError, ServerError } from "@toolcontract/mcp-client";
import { readTools } from "../input/index.ts";
import { askTools } from "./index.ts";

interface Call {
  readonly name: string;
  readonly arguments: unknown;
}

/** A server that answers each call so, and the calls that it received. */
function serverThat(answer: (call: Call) => unknown) {
  const received: Call[] = [];
  const server: McpServer = {
    name: "shop",
    async request(_, params) {
      received.push(params as unknown as Call);
      return answer(params as unknown as Call);
    },
  };
  return { server, received };
}

const inputSchema = {
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "integer", minimum: 1 },
    mode: { enum: ["text", "binary"] },
  },
  required: ["path"],
  additionalProperties: false,
};
const read = { name: "read", description: "Reads.", inputSchema };

test("only calls that the schema refuses are sent, one of each kind", async () => {
  const { server, received } = serverThat(() => ({ content: [] }));
  const [asked] = await askTools(server, readTools(read));
  const isValid = new Ajv().compile(inputSchema);
  expect(received.length).toBeGreaterThan(5);
  expect(received.filter((call) => isValid(call.arguments))).toEqual([]);
  const kinds = asked?.calls.map(({ kind }) => kind) ?? [];
  expect(new Set(kinds).size).toBe(kinds.length);
});

test.each<[what: string, tool: object]>([
  ["that accepts everything", { ...read, inputSchema: { type: "object" } }],
  ["without a schema", { name: "read", description: "Reads." }],
  ["that says that it destroys things", { ...read, annotations: { destructiveHint: true } }],
])("a tool %s is sent nothing", async (_, tool) => {
  const { server, received } = serverThat(() => ({ content: [] }));
  const [asked] = await askTools(server, readTools([tool]));
  expect(received).toEqual([]);
  expect(asked).toEqual({ calls: [], isSpared: "annotations" in tool });
});

describe("an answer is what a model reads today", () => {
  const failing = (error: Error) => (): never => {
    throw error;
  };
  test.each<[what: string, answer: () => unknown, today: object]>([
    [
      "a result that is an error",
      () => ({ isError: true, content: [{ type: "text", text: "path?" }, { type: "image" }] }),
      { outcome: "refused", text: "path?\n[image]" },
    ],
    [
      "an error of the protocol",
      failing(new RequestError({ code: -32_602, message: `Invalid: ${"x".repeat(300)}` })),
      { outcome: "refused", text: `MCP error -32602: Invalid: ${"x".repeat(300)}` },
    ],
    [
      "a result",
      () => ({ content: [{ type: "text", text: "done" }] }),
      { outcome: "accepted", text: "done" },
    ],
    ["a result without content", () => ({ a: 1 }), { outcome: "accepted", text: '{"a":1}' }],
    [
      "nothing",
      failing(new ServerError("it ended with exit code 1")),
      { outcome: "no answer", text: "it ended with exit code 1" },
    ],
  ])("%s", async (_, answer, today) => {
    const { server } = serverThat(answer);
    const [asked] = await askTools(server, readTools(read));
    expect(asked?.calls.map((call) => call.today)).toContainEqual(today);
  });
});
