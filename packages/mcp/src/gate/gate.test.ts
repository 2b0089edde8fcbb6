import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { gatedServer, serverOf, textOf, toolCall } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";
import { createGate } from "./gate.ts";
import type { GateOptions } from "./options.ts";

const createOrder: Message = {
  name: "create_order",
  inputSchema: {
    type: "object",
    properties: {
      sku: { type: "string" },
      quantity: { type: "integer", minimum: 1 },
      gift: { type: "boolean" },
      note: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
    },
    required: ["sku", "quantity"],
  },
};
const good = { sku: "A1", quantity: 2 };
const bad = { sku: "A1", quantity: "two" };
const softCalls: readonly (readonly [string, object])[] = [
  ["the text of a number", { sku: "A1", quantity: "2" }],
  ["the text of a boolean", { ...good, gift: "True" }],
  ["null for an optional field", { ...good, note: null }],
  ["JSON text for a list", { ...good, tags: '["new"]' }],
  ["several of them", { sku: "A1", quantity: "2", gift: "false", note: null, tags: "[]" }],
];
const v1Text =
  "MCP error -32602: Input validation error: Invalid arguments for tool create_order: Invalid input: expected number, received string at quantity";

function refuseAll({ id }: Message): Message {
  return {
    jsonrpc: "2.0",
    id,
    result: { isError: true, content: [{ type: "text", text: v1Text }] },
  };
}

const serving = (options?: GateOptions) => gatedServer(serverOf([createOrder]), options);

describe("enforce", () => {
  test("a valid call is forwarded unchanged and at once", async () => {
    const server = serving();
    await server.call("create_order", good);
    const message = toolCall(9, "create_order", good);
    expect(server.gate.fromClient(message, server.link())).toEqual({ kind: "forward" });
    expect(textOf(await server.request(message))).toBe("done");
    expect(server.received.at(-1)).toBe(message);
  });

  test.each([
    [null, "null"],
    [[1], "array"],
    [{ a: 1 }, "object"],
    [1.5, "number"],
    [3, "integer"],
    [true, "boolean"],
  ])("programs read the JSON type of what was sent: %j is %s", async (sku, received) => {
    const server = serving({ soft: "reject" });
    const { result } = (await server.call("create_order", { ...good, sku })) ?? {};
    expect(result).toMatchObject({
      _meta: { "dev.toolcontract/validation": { errors: [{ path: "/sku", received }] } },
    });
  });

  test("programs read no type of what was not sent", async () => {
    const { result } = (await serving().call("create_order", { quantity: 1 })) ?? {};
    expect(result).toMatchObject({
      _meta: {
        "dev.toolcontract/validation": {
          errors: [{ path: "/sku", code: "VAL-001", expected: "string" }],
        },
      },
    });
    expect(JSON.stringify(result)).not.toContain("received");
  });

  test("an invalid call is answered in the contract's words and never forwarded", async () => {
    const server = serving();
    const response = await server.call("create_order", { sku: "A1", quantity: 0, gift: "maybe" });
    expect(response).toMatchInlineSnapshot(`
      {
        "id": 1,
        "jsonrpc": "2.0",
        "result": {
          "_meta": {
            "dev.toolcontract/validation": {
              "attempt": 1,
              "errors": [
                {
                  "code": "VAL-002",
                  "expected": "boolean",
                  "path": "/gift",
                  "received": "string",
                },
                {
                  "code": "VAL-003",
                  "expected": "integer at least 1",
                  "path": "/quantity",
                  "received": "integer",
                },
              ],
              "exhausted": false,
              "formatVersion": "1.2",
              "maxAttempts": 3,
              "status": "rejected",
              "tool": "create_order",
            },
          },
          "content": [
            {
              "text": "Validation failed for tool 'create_order' (attempt 1/3):

      Errors:
      • /gift (VAL-002): Type mismatch: expected boolean, got string
        Expected: boolean
        Actual: "maybe"
      • /quantity (VAL-003): Value out of range
        Expected: integer at least 1
        Actual: 0

      Correct these and call 'create_order' again with all arguments.",
              "type": "text",
            },
          ],
          "isError": true,
        },
      }
    `);
    expect(server.received.map((message) => message["method"])).toEqual(["tools/list"]);
  });

  test("a result of the stateless era names its type", async () => {
    const server = serving();
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
    const params = { name: "create_order", arguments: bad, _meta };
    const response = await server.request({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect(response).toMatchObject({ result: { resultType: "complete", isError: true } });
  });

  test("no answer has structuredContent, which clients validate against the output schema", async () => {
    const response = await serving().call("create_order", bad);
    expect(JSON.stringify(response)).not.toContain("structuredContent");
  });

  test.each([
    ["null", null],
    ["a string", "A1"],
    ["JSON text that is not an object", "[1]"],
    ["a list", ["A1", 2]],
    ["a number", 7],
  ])("arguments that are %s are an error that the model reads", async (_, args) => {
    const response = await serving().call("create_order", args);
    expect(response).toMatchObject({ result: { isError: true } });
    expect(textOf(response)).toContain("(arguments) (VAL-002): Type mismatch: expected object");
  });

  test.each([
    ["no schema", {}],
    ["an empty schema", { inputSchema: {} }],
    ["a schema that allows anything", { inputSchema: { title: "Anything" } }],
  ])("also of a tool with %s", async (_, tool) => {
    const server = gatedServer(serverOf([{ name: "ping", ...tool }]));
    expect(textOf(await server.call("ping", ["x"]))).toContain("VAL-002");
    expect(textOf(await server.call("ping", { anything: 1 }))).toBe("done");
    expect(textOf(await server.call("ping", undefined))).toBe("done");
  });

  test("null for optional arguments is forwarded: some servers accept it", async () => {
    const server = gatedServer(serverOf([{ name: "ping", inputSchema: { type: "object" } }]));
    expect(textOf(await server.call("ping", null))).toBe("done");
  });

  test("a task call is answered with an error, because a task has no result to carry the message", async () => {
    const server = serving();
    const params = { name: "create_order", arguments: bad, task: { ttl: 1000 } };
    const response = await server.request({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
    expect(response).toMatchObject({ jsonrpc: "2.0", id: 5, error: { code: -32602 } });
    expect(textOf(response)).toMatch(/^Validation failed for tool 'create_order' \(attempt 1\/3\)/);
  });

  test.each([
    ["inputResponses", { inputResponses: {} }],
    ["requestState", { requestState: "abc" }],
  ])("a call with %s is validated, because anybody can add it", async (_, round) => {
    const server = serving();
    const retry = (args: unknown): Message => ({
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: { name: "create_order", arguments: args, ...round },
    });
    expect(textOf(await server.request(retry(bad)))).toContain("(attempt 1/3)");
    expect(textOf(await server.request(retry(good)))).toBe("done");
    expect(server.received.at(-1)).toEqual(retry(good));
  });

  test.each([
    ["null as id", { id: null }, -32_600],
    ["an id that JavaScript cannot hold exactly", { id: 2 ** 60 }, -32_600],
    ["an infinite id", { id: Number.POSITIVE_INFINITY }, -32_600],
    ["a list as id", { id: [1] }, -32_600],
    ["true as id", { id: true }, -32_600],
    ["no parameters", { params: undefined }, -32_602],
    ["a list of parameters", { params: ["create_order"] }, -32_602],
    ["no name", { params: { arguments: bad } }, -32_602],
    ["a list as name, which JavaScript takes for its member", { params: { name: ["x"] } }, -32_602],
    [
      "a number beyond double precision",
      {
        params: {
          name: "create_order",
          arguments: { ...good, quantity: [Number.NEGATIVE_INFINITY] },
        },
      },
      -32_602,
    ],
  ])("a call with %s is refused, because servers may run it", async (_, odd, code) => {
    const server = serving();
    const ruling = await server.gate.fromClient(
      { ...toolCall(1, "create_order", bad), ...odd },
      server.link(),
    );
    const id = code === -32_600 ? null : 1;
    expect(ruling).toMatchObject({ kind: "answer", message: { id, error: { code } } });
    expect(server.gate.unvalidated()).toEqual([
      { reason: "unreadable", outcome: "refused", count: 1 },
    ]);
  });

  test("a call without an id is dropped, because nobody waits for an answer", async () => {
    const server = serving();
    const { id: _, ...notification } = toolCall(1, "create_order", bad);
    expect(await server.gate.fromClient(notification, server.link())).toEqual({ kind: "drop" });
  });

  test.each(["assist", "audit"] as const)(
    "an odd call is forwarded and counted in mode %s, which refuses nothing",
    async (mode) => {
      const server = serving({ mode });
      const odd = { ...toolCall(1, "create_order", bad), id: null };
      expect(await server.gate.fromClient(odd, server.link())).toEqual({ kind: "forward" });
      expect(server.gate.unvalidated()).toEqual([
        { reason: "unreadable", outcome: "forwarded", count: 1 },
      ]);
    },
  );

  test("an unknown tool is answered with the near name", async () => {
    const response = await serving({ soft: "reject" }).call("create_ordr", good);
    expect(response).toMatchObject({ result: { isError: true } });
    expect(textOf(response)).toContain('Hint: use "create_order"');
  });

  test("a call of an unlisted tool goes through if the server accepts it", async () => {
    const server = serving();
    expect(textOf(await server.call("create_ordr", good))).toBe("done");
    expect(server.gate.unvalidated()).toEqual([
      { reason: "unlisted", outcome: "forwarded", count: 1 },
    ]);
  });

  test("calls of a tool that is off are forwarded unchecked", async () => {
    const server = serving({ tools: { create_order: "off" } });
    expect(textOf(await server.call("create_order", bad))).toBe("done");
    expect(server.ownLists()).toBe(0);
    expect(server.gate.unvalidated()).toEqual([
      { reason: "turned-off", outcome: "forwarded", count: 1 },
    ]);
  });

  test("rules, also asynchronous ones, refuse what the schema accepts", async () => {
    const server = serving({
      rules: { create_order: [async () => [{ message: "The shop is closed" }]] },
    });
    expect(textOf(await server.call("create_order", good))).toContain("The shop is closed");
  });

  test("an existing contract counts and logs here too", async () => {
    const contract = createContract({ maxAttempts: 1, logger: () => undefined });
    const server = gatedServer(serverOf([createOrder]), { contract });
    await server.call("create_order", good);
    expect(textOf(await server.call("create_order", bad))).toContain("(attempt 1/1)");
    expect(contract.metrics().byTool["create_order"]).toMatchObject({ admitted: 1, blocked: 1 });
  });
});

describe("calls that some servers accept against their schema", () => {
  test.each(softCalls)(
    "%s: is forwarded, and accepted if the server accepts it",
    async (_, args) => {
      const server = serving();
      expect(textOf(await server.call("create_order", args))).toBe("done");
      expect(server.gate.contract.metrics().byTool["create_order"]).toMatchObject({ admitted: 1 });
    },
  );

  test.each(softCalls)("%s: the server's rejection is rewritten in our words", async (_, args) => {
    const server = gatedServer(serverOf([createOrder], refuseAll));
    const response = await server.call("create_order", args);
    expect(response).toMatchObject({ result: { isError: true } });
    expect(textOf(response)).toMatch(/^Validation failed for tool 'create_order' \(attempt 1\/3\)/);
    expect(textOf(response)).not.toContain("MCP error");
  });

  test.each(softCalls)("%s: is refused if the user asks for it", async (_, args) => {
    const server = serving({ soft: "reject" });
    expect(textOf(await server.call("create_order", args))).toContain("Validation failed");
  });

  test("their rejections are passed on unchanged if the user asks for it", async () => {
    const server = gatedServer(serverOf([createOrder], refuseAll), { soft: "forward" });
    expect(textOf(await server.call("create_order", { sku: "A1", quantity: "2" }))).toBe(v1Text);
  });

  test.each([
    ["true for an integer", { sku: "A1", quantity: true }],
    ["a word for a number", bad],
    ["null for a required field", { sku: null, quantity: 2 }],
    ["text that reads as another type than the one wanted", { sku: "A1", quantity: "true" }],
    ["a number below the limit, as text", { sku: "A1", quantity: "0" }],
    ["one that could be repaired beside one that could not", { quantity: "2" }],
    ["null in a list", { ...good, tags: [null] }],
  ])("%s is for no server", async (_, args) => {
    const server = serving();
    expect(textOf(await server.call("create_order", args))).toContain("Validation failed");
  });
});

describe("assist", () => {
  const assisted = (answer: Message, options: GateOptions = {}) =>
    gatedServer(
      serverOf([createOrder], ({ id }) => ({ jsonrpc: "2.0", id, ...answer })),
      { mode: "assist", ...options },
    );
  const failed = (text: string): Message => ({
    result: { isError: true, content: [{ type: "text", text }] },
  });

  test("an invalid call is forwarded, and only the rejection is replaced", async () => {
    const response = await assisted(failed(v1Text)).call("create_order", bad);
    expect(response).toMatchObject({
      id: 1,
      result: {
        isError: true,
        _meta: { "dev.toolcontract/validation": { attempt: 1, errors: [{ path: "/quantity" }] } },
      },
    });
    expect(textOf(response)).toMatch(/^Validation failed for tool 'create_order' \(attempt 1\/3\)/);
  });

  test("a call that the server accepts resets the attempts", async () => {
    let answer = failed(v1Text);
    const server = gatedServer(
      serverOf([createOrder], ({ id }) => ({ jsonrpc: "2.0", id, ...answer })),
      { mode: "assist", coalesceMs: 0 },
    );
    await server.call("create_order", bad);
    answer = { result: { content: [{ type: "text", text: "fine" }] } };
    expect(textOf(await server.call("create_order", bad))).toBe("fine");
    answer = failed(v1Text);
    expect(textOf(await server.call("create_order", bad))).toContain("(attempt 1/3)");
  });

  test.each([
    ["invalid params", { error: { code: -32602, message: "Invalid tools/call request: […]" } }],
    [
      "an internal error that is a list of issues",
      {
        error: {
          code: -32603,
          message: '[{ "code": "invalid_type", "path": ["quantity"], "message": "Required" }]',
        },
      },
    ],
  ])("a JSON-RPC error becomes one that the model reads: %s", async (_, answer) => {
    const response = await assisted(answer).call("create_order", bad);
    expect(response).toMatchObject({ result: { isError: true } });
    expect(textOf(response)).toMatch(/^Validation failed[^]*with all arguments\.$/);
  });

  test.each([
    ["result", failed("The database is down")],
    ["error", { error: { code: -32603, message: "The database is down" } }],
  ])("what else a failed tool says is kept beside ours: %s", async (_, answer) => {
    const text = textOf(await assisted(answer).call("create_order", bad));
    expect(text).toMatch(/^Validation failed/);
    expect(text).toMatch(/---\nThe database is down$/);
  });

  test("connection errors are passed on unchanged", async () => {
    const answer = { error: { code: -32001, message: "Request timed out" } };
    const server = assisted(answer);
    expect(await server.call("create_order", bad)).toMatchObject(answer);
    expect(server.gate.contract.metrics().byTool).toEqual({});
  });

  test("the error of a valid call is never replaced", async () => {
    const server = assisted(failed(v1Text));
    expect(textOf(await server.call("create_order", good))).toBe(v1Text);
  });

  test("the rejection of an unknown tool is rewritten in our words, with the nearest name", async () => {
    const server = assisted({ error: { code: -32602, message: "Tool create_ordr not found" } });
    expect(textOf(await server.call("create_ordr", good))).toContain('Hint: use "create_order"');
  });

  test("the server's own _meta stays in the result", async () => {
    const result = { ...(failed(v1Text)["result"] as object), _meta: { serverInfo: "shop" } };
    const response = await assisted({ result }).call("create_order", bad);
    expect(response).toMatchObject({ result: { _meta: { serverInfo: "shop" } } });
  });

  test("the rejection of a task call stays an error, with our text", async () => {
    const server = assisted({
      error: { code: -32602, message: "Invalid task creation result: []" },
    });
    const params = { name: "create_order", arguments: bad, task: {} };
    const response = await server.request({ jsonrpc: "2.0", id: 5, method: "tools/call", params });
    expect(response).toMatchObject({ id: 5, error: { code: -32602 } });
    expect(textOf(response)).toContain("Validation failed");
  });
});

describe("audit", () => {
  test.each([
    ["hard", bad, "rejected"],
    ["soft", { sku: "A1", quantity: "2" }, "rejected"],
    ["valid", good, "admitted"],
  ] as const)("changes nothing and counts: %s", async (_, args, outcome) => {
    const server = gatedServer(serverOf([createOrder], refuseAll), { mode: "audit" });
    const response = await server.call("create_order", args);
    expect(textOf(response)).toBe(v1Text);
    const counts = (): unknown => server.gate.contract.metrics().byTool["create_order"];
    await expect.poll(() => counts()).toMatchObject({ [outcome]: 1 });
  });
});

describe("spent attempts", () => {
  const spend = async (options: GateOptions) => {
    const server = serving({ coalesceMs: 0, ...options });
    for (const quantity of ["one", "two", "three"]) {
      await server.call("create_order", { sku: "A1", quantity });
    }
    return server;
  };

  test("the last answer stops the model, and later ones say that the tool is blocked", async () => {
    const server = await spend({});
    const response = await server.call("create_order", bad);
    expect(textOf(response)).toContain("(blocked after 3/3)");
    expect(response).toMatchObject({
      result: { isError: true, _meta: { "dev.toolcontract/validation": { exhausted: true } } },
    });
  });

  test("a valid call runs and unblocks", async () => {
    const server = await spend({});
    expect(textOf(await server.call("create_order", good))).toBe("done");
    expect(textOf(await server.call("create_order", bad))).toContain("(attempt 1/3)");
  });

  test("a valid call is refused if the user asks for it", async () => {
    const server = await spend({ onBlocked: "refuse" });
    expect(textOf(await server.call("create_order", good))).toContain("VAL-016");
    expect(server.received.filter(({ method }) => method === "tools/call")).toEqual([]);
  });

  test("calls are forwarded if the user asks for it", async () => {
    const server = await spend({ onExhausted: "forward" });
    expect(textOf(await server.call("create_order", bad))).toBe("done");
  });
});

describe("warnings", () => {
  const misspelt = { ...good, notes: "soon" };

  test("are a note after the result only if the user turned on both the check and the report", async () => {
    const silent = serving({ unknownFields: "warn" });
    expect(textOf(await silent.call("create_order", misspelt))).toBe("done");
    const reporting = serving({ unknownFields: "warn", reportAdvisories: true });
    expect(textOf(await reporting.call("create_order", misspelt))).toMatchInlineSnapshot(`
      "done
      ---
      Advisories:
      • /notes (VAL-005 warning): Unknown field 'notes'
        Expected: only sku, quantity, gift, note, tags
        Hint: rename it to "note""
    `);
  });

  test("follow the words of a failed result", async () => {
    const server = gatedServer(serverOf([createOrder], refuseAll), {
      unknownFields: "warn",
      reportAdvisories: true,
    });
    const text = textOf(await server.call("create_order", misspelt));
    expect(text).toMatch(/^[^]+\n---\nAdvisories:\n• \/notes/);
    expect(text.startsWith(v1Text)).toBe(true);
  });
});

describe("invalid options", () => {
  test.each([
    [{ mode: "strict" }, `createGate: option 'mode' must be "enforce" or "assist" or "audit".`],
    [{ sotf: "reject" }, "createGate: unknown option 'sotf'. Did you mean 'soft'?"],
    [{ tools: { ping: false } }, "createGate: option 'tools' must be an object of"],
    [{ coalesceMs: -1 }, "createGate: option 'coalesceMs' must be a whole number of at least 0."],
    [
      { contract: createContract(), maxAttempts: 2 },
      "createGate: pass either a contract or contract options",
    ],
  ])("%j throws at once", (options, message) => {
    expect(() => createGate(options as GateOptions)).toThrow(message);
  });
});

test("other options go on with what was counted and learnt; wrong ones change nothing", async () => {
  const server = serving({ maxAttempts: 5, soft: "reject", coalesceMs: 0 });
  expect(textOf(await server.call("create_order", bad))).toContain("(attempt 1/5)");
  const others = { maxAttempts: 3, soft: "reject", coalesceMs: 0 } as const;
  server.gate.reload({ ...others, logger: () => undefined });
  expect(textOf(await server.call("create_order", bad))).toContain("(attempt 2/3)");
  expect(() => server.gate.reload({ maxAttempts: 0 })).toThrow("reload: option 'maxAttempts'");
  expect(textOf(await server.call("create_order", bad))).toContain("(attempt 3/3)");
  expect(textOf(await server.call("create_order", bad))).toContain("(blocked after 3/3)");
  expect(server.ownLists()).toBe(1);
  expect(server.gate.counts().map(({ calls }) => calls)).toEqual([1, 3]);
});

test("a call in flight ends by the options that it began with", async () => {
  const refusing = gatedServer(serverOf([createOrder], refuseAll), { mode: "assist" });
  const message = toolCall(1, "create_order", bad);
  const link = refusing.link();
  await refusing.gate.fromClient(message, link);
  refusing.gate.reload({ mode: "audit", logger: () => undefined });
  const answer = await refusing.gate.fromServer(refuseAll(message), link);
  expect(textOf(answer ?? undefined)).toContain("Validation failed for tool 'create_order'");
});

test("a fault of the gate's own forwards the call, and is counted", async () => {
  let isBroken = false;
  const clock = (): number => {
    if (isBroken) throw new Error("no clock");
    return 0;
  };
  const server = serving({ clock });
  await server.call("create_order", good);
  isBroken = true;
  const stages: string[] = [];
  server.gate.contract.on("contract-degraded", ({ stage }) => stages.push(stage));
  expect(textOf(await server.call("create_order", good))).toBe("done");
  expect(server.gate.unvalidated()).toEqual([{ reason: "gate", outcome: "forwarded", count: 1 }]);
  expect(stages).toEqual(["gate"]);
});
