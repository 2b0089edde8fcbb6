import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { gatedServer, type Script, serverOf, succeed, textOf } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";
import type { GateOptions } from "./options.ts";

const plan = {
  name: "plan",
  inputSchema: {
    properties: { at: { type: "string", format: "date-time" }, n: { type: "integer" } },
    required: ["at"],
  },
};

const failWith =
  (text: string): Script =>
  ({ id }: Message) => ({
    jsonrpc: "2.0",
    id,
    result: { isError: true, content: [{ type: "text", text }] },
  });
const refuse = failWith("Input validation error: '2026-11-20' is not a 'date-time'");

describe("a value of the wrong format, which few servers reject", () => {
  test.each([
    ["alone", { at: "2026-11-20T09:30:00" }],
    ["beside one that can be repaired", { at: "2026-11-20", n: "1" }],
  ])("%s: is forwarded, and the server's rejection is rewritten in our words", async (_, args) => {
    expect(textOf(await gatedServer(serverOf([plan])).call("plan", args))).toBe("done");
    const server = gatedServer(serverOf([plan], refuse));
    expect(textOf(await server.call("plan", args))).toMatch(
      /^Validation failed[^]*\/at \(VAL-010\)/,
    );
  });

  test("beside one that no server accepts is reported with it", async () => {
    const server = gatedServer(serverOf([plan], succeed));
    const text = textOf(await server.call("plan", { at: "2026-11-20", n: "one" }));
    expect(text).toMatch(/\/at \(VAL-010\)[^]*\/n \(VAL-002\)/);
  });

  test("is refused if the user asks for it", async () => {
    const server = gatedServer(serverOf([plan]), { soft: "reject" });
    expect(textOf(await server.call("plan", { at: "2026-11-20" }))).toContain("VAL-010");
  });
});

test.each([
  [
    "its validator's issues",
    'Error: [{"code":"invalid_type","expected":"number","received":"string","path":["n"],"message":"Expected number, received string"}]',
  ],
  ["its validator's words", "Invalid n: Expected number, received string"],
])(
  "a server that refuses a soft call in %s is read in our words, and counted",
  async (_, words) => {
    const server = gatedServer(serverOf([plan], failWith(words)));
    const text = textOf(await server.call("plan", { at: "2026-11-20T09:30:00Z", n: "1" }));
    expect(text).toMatch(/^Validation failed[^]*\/n \(VAL-002\)/);
    expect(text).not.toContain("received string");
    expect(server.gate.contract.metrics().byTool).toMatchObject({ plan: { rejected: 1 } });
  },
);

describe("a number or a boolean for a string, which many servers pass on as it is", () => {
  const issue = {
    name: "get_issue",
    inputSchema: {
      properties: {
        id: { type: "string", pattern: "^[0-9]+$" },
        page: { type: "string", enum: ["1", "2"] },
        ids: { type: "array", items: { type: "string" } },
        n: { type: "integer" },
        draft: { type: "boolean" },
      },
    },
  };

  test.each([
    ["alone", { id: 7 }],
    ["one of an enum", { page: 2 }],
    ["in a list", { ids: [1, true] }],
    ["beside the opposite", { id: 7, n: "5", draft: "false" }],
  ])("%s: is forwarded, and the server's rejection is rewritten in our words", async (_, args) => {
    expect(textOf(await gatedServer(serverOf([issue])).call("get_issue", args))).toBe("done");
    const server = gatedServer(serverOf([issue], refuse));
    expect(textOf(await server.call("get_issue", args))).toMatch(/^Validation failed/);
  });

  test.each([
    ["that would not fit as a string either", { id: 1.5 }],
    ["for another type", { n: true }],
    ["for a boolean", { draft: 1 }],
    ["and an object", { id: {} }],
  ])("%s is refused", async (_, args) => {
    const server = gatedServer(serverOf([issue]));
    expect(textOf(await server.call("get_issue", args))).toMatch(/^Validation failed/);
  });
});

describe("a field that the schema forbids, from a library whose validator drops such fields", () => {
  const item = {
    type: "object",
    properties: { a: { type: "integer" } },
    additionalProperties: false,
  };
  const closed = {
    name: "closed",
    inputSchema: { ...item, properties: { a: { type: "integer" }, item } },
  };

  test.each([
    ["beside the others", { a: 1, b: 2 }],
    ["with a masked name", { a: 1, "b c": 2 }],
    ["further down", { item: { a: 1, b: 2 } }],
    ["and one that can be repaired", { a: "1", b: 2 }],
    ["twenty times", Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x${n}`, n]))],
  ])("%s: is forwarded, and the server's rejection is rewritten in our words", async (_, args) => {
    expect(textOf(await gatedServer(serverOf([closed])).call("closed", args))).toBe("done");
    const server = gatedServer(serverOf([closed], refuse));
    expect(textOf(await server.call("closed", args))).toMatch(/^Validation failed[^]*VAL-005/);
  });

  test("beside an error that no server accepts is reported with it", async () => {
    const text = textOf(await gatedServer(serverOf([closed])).call("closed", { a: "one", b: 2 }));
    expect(text).toMatch(/\/a \(VAL-002\)[^]*\/b \(VAL-005\)/);
  });

  test.each<[string, GateOptions]>([
    ["rejects such calls", { soft: "reject" }],
    ["rejects unknown fields", { unknownFields: "reject" }],
    [
      "brings a contract that does",
      { contract: createContract({ unknownFields: "reject", logger: () => undefined }) },
    ],
  ])("is refused if the user %s", async (_, options) => {
    const server = gatedServer(serverOf([closed]), options);
    expect(textOf(await server.call("closed", { a: 1, b: 2 }))).toContain("VAL-005");
  });
});

const NOTE = "What does not fit the tool's schema, if that is why:";

describe("a soft call that fails in words of the server's own", () => {
  const deploys = {
    name: "deploys",
    inputSchema: {
      type: "object",
      properties: { query: { type: "object", properties: { service: { type: "string" } } } },
      additionalProperties: false,
    },
  };
  const call = async (script: Script, options: GateOptions = {}): Promise<Message | undefined> =>
    gatedServer(serverOf([deploys], script), options).call("deploys", { service: "cart" });

  test("keeps them, and what the contract knows follows", async () => {
    const failed = await call(failWith("Tell me which service you mean."));
    expect(textOf(failed)).toBe(
      `Tell me which service you mean.\n---\n${NOTE}\n- /service (VAL-005): unknown field; expected only query; move it into "query"`,
    );
    expect(failed).toMatchObject({ result: { isError: true } });
  });

  test.each([
    ["at the root", { service: "cart" }, true],
    ["further down", { query: { servce: "cart" } }, true],
    ["a declared one alone", { query: { service: "cart" } }, false],
  ])("hears of a field that an open schema does not declare: %s", async (_, args, isNoted) => {
    const { additionalProperties: _closed, ...inputSchema } = deploys.inputSchema;
    const open = { ...deploys, inputSchema };
    const server = gatedServer(serverOf([open], failWith("Which service?")));
    const text = textOf(await server.call("deploys", args));
    expect(text.includes(NOTE)).toBe(isNoted);
    expect(text.startsWith("Which service?")).toBe(true);
    expect(textOf(await gatedServer(serverOf([open])).call("deploys", args))).toBe("done");
  });

  test.each([-32_603, -32_000])("keeps the code %i of its error", async (code) => {
    const answer = await call(({ id }) => ({
      jsonrpc: "2.0",
      id,
      error: { code, message: "No." },
    }));
    expect(answer).toMatchObject({ error: { code } });
    expect(textOf(answer)).toMatch(/^No\.\n\nWhat does not fit/);
  });

  test("stays as it is if the connection failed, in audit, and with a number that would be rounded", async () => {
    const timeout = { code: -32_001, message: "Request timed out" };
    const late = await call(({ id }) => ({ jsonrpc: "2.0", id, error: timeout }));
    expect(late).toMatchObject({ error: timeout });
    expect(textOf(await call(failWith("No."), { mode: "audit" }))).toBe("No.");
    const long = JSON.parse('{"of":12345678901234567890}') as object;
    const result = { isError: true, content: [{ type: "text", text: "No." }], _meta: long };
    expect(await call(({ id }) => ({ jsonrpc: "2.0", id, result }))).toMatchObject({ result });
  });

  test("is cut without what follows", async () => {
    const text = textOf(await call(failWith("x".repeat(1_000)), { toolResponseMaxBytes: 300 }));
    expect(text).toContain("[TRUNCATED]");
    expect(text).toContain(NOTE);
  });
});

test.each([
  ["that a server may take", "plan", { at: "2026-11-20T09:30:00Z", n: "1" }],
  ["of a tool that is not listed", "hidden", {}],
])("a call %s and that ran and failed is neither refused nor counted", async (_, name, args) => {
  const text = "The order was placed, but the mail could not be sent";
  const server = gatedServer(serverOf([plan], failWith(text)));
  expect(textOf(await server.call(name, args)).split(`\n---\n${NOTE}`)[0]).toBe(text);
  expect(server.gate.contract.metrics().byTool).toEqual({});
});

test("the server's reason reaches the host if a tool that is not listed is disabled", async () => {
  const error = { code: -32_602, message: "Tool pay disabled" };
  const server = gatedServer(serverOf([plan], ({ id }) => ({ jsonrpc: "2.0", id, error })));
  expect(await server.call("pay", {})).toMatchObject({ error });
});
