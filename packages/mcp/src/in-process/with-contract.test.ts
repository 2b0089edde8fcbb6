import { afterEach, describe, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { type Connect, type Connected, WAYS } from "../testing/sdk-servers.ts";
import type { TestTool } from "../testing/test-servers.ts";
import { withContract } from "./with-contract.ts";

const runs: unknown[] = [];
const createOrder: TestTool = {
  name: "create_order",
  inputSchema: {
    type: "object",
    properties: { sku: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
    required: ["sku", "quantity"],
  },
  run: (args) => {
    runs.push(args);
    return { text: "ordered" };
  },
};
const good = { sku: "A1", quantity: 2 };
const bad = { sku: "A1", quantity: "two" };

let open: Connected | undefined;
afterEach(async () => {
  runs.length = 0;
  await open?.close();
  open = undefined;
});

async function connect(way: Connect): Promise<Connected> {
  // One gate for all servers, because some ways create a server per request.
  const gate = createGate({ logger: () => undefined, coalesceMs: 0 });
  open = await way([createOrder], (server) => withContract(server, { gate }));
  return open;
}

describe.each(Object.entries(WAYS))("%s", (_, way) => {
  test("a call before any list waits for the list and is answered in our words", async () => {
    const client = await connect(way);
    const result = await client.call("create_order", bad);
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toBe(
      [
        "Validation failed for tool 'create_order' (attempt 1/3):",
        "",
        "Errors:",
        "• /quantity (VAL-002): Type mismatch: expected integer, got string",
        "  Expected: integer at least 1",
        '  Actual: "two"',
        "",
        "Correct these and call 'create_order' again with all arguments.",
      ].join("\n"),
    );
    expect(result._meta?.["dev.toolcontract/validation"]).toMatchObject({ attempt: 1 });
    expect(runs).toEqual([]);
  });

  test("valid calls run, attempts are counted over all servers and end", async () => {
    const client = await connect(way);
    await client.listTools();
    const texts: (string | undefined)[] = [];
    for (const args of [bad, good, bad, { quantity: 1 }, { sku: [], quantity: 1 }]) {
      texts.push((await client.call("create_order", args)).content[0]?.text);
    }
    expect(texts.map((text) => /attempt \d\/3|ordered/.exec(text ?? "")?.[0])).toEqual([
      "attempt 1/3",
      "ordered",
      "attempt 1/3",
      "attempt 2/3",
      "attempt 3/3",
    ]);
    expect(runs).toEqual([good]);
  });

  test("an unknown tool is answered with the near name", async () => {
    const client = await connect(way);
    const result = await client.call("create_ordr", good);
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0]?.text).toContain('Hint: use "create_order"');
  });

  test("calls in parallel get their own answers", async () => {
    const client = await connect(way);
    const results = await Promise.all(
      Array.from({ length: 20 }, async (__, index) =>
        client.call("create_order", index % 2 === 0 ? good : { sku: "A1", quantity: `${index}.x` }),
      ),
    );
    for (const [index, { content }] of results.entries()) {
      expect(content[0]?.text).toContain(index % 2 === 0 ? "ordered" : `Actual: "${index}.x"`);
    }
  });
});

describe.each([
  "v1 McpServer in memory",
  "v1 Server in memory",
  "v1 McpServer over Streamable HTTP",
])("%s", (name) => {
  test.each([
    ["null", null],
    ["a string", "A1"],
    ["a list", []],
  ])(
    "arguments that are %s, a JSON-RPC error without us, are an error that the model reads",
    async (_, args) => {
      const client = await connect(WAYS[name]!);
      const result = await client.call("create_order", args);
      expect(result.content[0]?.text).toContain("(arguments) (VAL-002)");
    },
  );
});
