import { describe, expect, test } from "vitest";
import { gatedServer, type Script, serverOf, textOf, toolCall } from "../testing/gated-server.ts";
import type { GateOptions } from "./index.ts";

const sort = {
  name: "sort",
  inputSchema: {
    type: "object",
    properties: { of: { type: "array", items: { type: "integer" } } },
  },
};
const REWRITTEN = expect.objectContaining({ kind: "forward", message: expect.anything() });

describe("numbers and booleans that a client has quoted, at the proxy", () => {
  test.each([
    ["in enforce", { unwrapStrings: "scalars" }, true],
    ["in assist", { mode: "assist", unwrapStrings: "scalars" }, true],
    ["not without being asked", { mode: "assist" }, false],
    ["not by the switch alone", { unwrapStrings: true }, false],
  ] as const)("%s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    const args = { of: ["2", 1] };
    const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
    const params = { arguments: { of: [2, 1] }, name: "sort" };
    if (isRewritten) expect(ruling).toMatchObject({ kind: "forward", message: { params } });
    else expect(ruling).not.toHaveProperty("message.params");
  });
});

describe("what clients make of arguments, at the proxy", () => {
  const rows = [
    ["enforce", {}, false],
    ["audit", { mode: "audit" }, false],
    ["assist", { mode: "assist" }, true],
    ["assist, turned off", { mode: "assist", unwrapStrings: false }, false],
    ["enforce, asked for", { unwrapStrings: true }, true],
  ] as const;

  test.each(rows)("%s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    for (const args of [{ of: "[2, 1]" }, null]) {
      const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
      expect(ruling).toEqual(isRewritten ? REWRITTEN : { kind: "forward" });
    }
  });

  const joined = [[], "null", "undefined", '{}{"of":[1]}', '{"of":[1]}{"of":[1]}'];
  test.each(rows)(
    "what no server reads is rewritten or left as it is: %s",
    async (name, options, isRewritten) => {
      const server = gatedServer(serverOf([sort]), options);
      const refused = expect.objectContaining({ kind: name === "enforce" ? "answer" : "forward" });
      for (const args of joined) {
        const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
        expect(ruling).toEqual(isRewritten ? REWRITTEN : refused);
        if (!isRewritten) expect(ruling).not.toHaveProperty("message.params");
      }
    },
  );
});

describe("arguments that a client has left out", () => {
  test.each([
    ["asked for", { unwrapStrings: true }, true],
    ["with scalars", { unwrapStrings: "scalars" }, true],
    ["in assist", { mode: "assist" }, true],
    ["by default", {}, false],
    ["in audit", { mode: "audit", unwrapStrings: true }, false],
  ] as const)("are empty ones %s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    const { params: _params, ...call } = toolCall(1, "sort", {});
    const message = { ...call, params: { name: "sort", _meta: { progressToken: 7 } } };
    const ruling = await server.gate.fromClient(message, server.link());
    const params = { ...message.params, arguments: {} };
    expect(ruling).toEqual(
      isRewritten ? { kind: "forward", message: { ...message, params } } : { kind: "forward" },
    );
  });
});

const INVALID: Script = ({ id }) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_602, message: "Invalid arguments" },
});

describe("quotes that a client may have added", () => {
  const limit = {
    name: "limit",
    inputSchema: {
      type: "object",
      properties: { of: { type: "integer" }, all: { type: "boolean" } },
      required: ["of"],
    },
  };
  async function texts(options: GateOptions, calls: readonly object[]): Promise<readonly string[]> {
    let now = 0;
    const own = { clock: () => now, ...options } as GateOptions;
    const server = gatedServer(serverOf([limit], INVALID), own);
    const read: string[] = [];
    for (const args of calls) {
      now += 1_000;
      read.push(textOf(await server.call("limit", args)));
    }
    return read;
  }

  test.each([
    ["where the server refuses them", {}],
    ["where the proxy does", { soft: "reject" }],
  ] as const)("block no tool %s", async (_, options) => {
    const read = await texts(
      options,
      Array.from({ length: 6 }, () => ({ of: "5", all: "true" })),
    );
    expect(read.map((text) => /attempt \d\/3|blocked/.exec(text)?.[0])).toEqual([
      "attempt 1/3",
      ...Array(5).fill("attempt 2/3"),
    ]);
    for (const text of read.slice(1)) expect(text).toContain("your client adds these");
  });

  test.each([
    ["another fault beside them", { of: "5", all: "maybe" }],
    ["a word", { of: "five" }],
  ])("do not keep a tool open with %s", async (_, args) => {
    const read = await texts({}, Array(4).fill(args));
    expect(read.at(-1)).toContain("blocked after 3/3");
  });

  test("leave the last attempt to other faults", async () => {
    const quoted = { of: "5" };
    const read = await texts({}, [quoted, quoted, quoted, { of: [] }, quoted]);
    expect(read[3]).toContain("Do not call 'limit' again");
    expect(read[4]).toContain("blocked after 3/3");
  });
});
