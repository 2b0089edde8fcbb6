import { describe, expect, test } from "vitest";
import { gatedServer, type Script, serverOf, succeed, textOf } from "../testing/gated-server.ts";
import type { Message } from "../wire/index.ts";

const wrong = { path: ["a.txt"] };

function tool(name: string, type = "string"): Message {
  return { name, inputSchema: { properties: { path: { type } }, required: ["path"] } };
}

/** A server whose pages are the results of a function of the cursor. */
function pages(pageAt: (cursor: string | undefined) => Message | undefined): Script {
  return (request) => {
    if (request["method"] !== "tools/list") return succeed(request);
    const result = pageAt((request["params"] as { readonly cursor?: string }).cursor);
    return result && { jsonrpc: "2.0", id: request["id"], result };
  };
}

describe("the end of a list", () => {
  test.each([
    ["no cursor", {}],
    ["an empty one, which some servers write", { nextCursor: "" }],
    ["null", { nextCursor: null }],
  ])("is a page with %s", async (_, end) => {
    const script = pages((cursor) =>
      cursor === undefined
        ? { tools: [tool("read_file")], nextCursor: "2" }
        : { tools: [tool("write_file")], ...end },
    );
    const server = gatedServer(script, { soft: "reject" });
    expect(textOf(await server.call("copy_file", {}))).toContain(
      'one of "read_file", "write_file"',
    );
    expect(server.ownLists()).toBe(2);
  });

  test.each([
    ["lead back", ["a", "a"], 2],
    ["go round", ["a", "b", "a"], 3],
  ])("never comes if pages %s: one round is enough", async (_, cursors, asked) => {
    let page = 0;
    const server = gatedServer(
      pages(() => ({ tools: [tool("read_file")], nextCursor: cursors[page++ % cursors.length] })),
    );
    expect(textOf(await server.call("read_file", wrong))).toContain("VAL-002");
    expect(textOf(await server.call("copy_file", {}))).toBe("done");
    expect(server.ownLists()).toBe(asked);
  });
});

test("a page that arrived is used, even if the next one does not arrive", async () => {
  const script = pages((cursor) =>
    cursor === undefined ? { tools: [tool("read_file")], nextCursor: "2" } : undefined,
  );
  const server = gatedServer(script, { listTimeoutMs: 20 });
  expect(textOf(await server.call("read_file", wrong))).toContain("VAL-002");
  expect(textOf(await server.call("write_file", wrong))).toBe("done");
});

describe("a list of several pages is as old as its oldest", () => {
  test("by its life time", async () => {
    let now = 0;
    let type = "string";
    const script = pages((cursor) =>
      cursor === undefined
        ? { tools: [tool("read_file", type)], nextCursor: "2", ttlMs: 2_000 }
        : { tools: [tool("write_file")] },
    );
    const server = gatedServer(script, { clock: () => now });
    expect(textOf(await server.call("read_file", wrong))).toContain("VAL-002");
    type = "array";
    now = 3_000;
    expect(textOf(await server.call("read_file", wrong))).toBe("done");
  });

  test("by the changes that it has seen", async () => {
    let type = "string";
    const script = pages((cursor) => {
      if (cursor !== undefined) return { tools: [tool("write_file")] };
      const result = { tools: [tool("read_file", type)], nextCursor: "2" };
      const changed = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
      if (type === "string") void server.gate.fromServer(changed, link);
      type = "array";
      return result;
    });
    const server = gatedServer(script);
    const link = server.link();
    await server.call("write_file", wrong, link);
    expect(textOf(await server.call("read_file", wrong, link))).toBe("done");
  });
});

describe("a name that is listed twice", () => {
  test.each([
    ["on one page", pages(() => ({ tools: [tool("find"), tool("find", "array")] }))],
    [
      "on two",
      pages((cursor) =>
        cursor === undefined
          ? { tools: [tool("find")], nextCursor: "2" }
          : { tools: [tool("find", "array")] },
      ),
    ],
  ])("with two schemas %s is held against no call", async (_, script) => {
    const server = gatedServer(script);
    expect(textOf(await server.call("find", { path: "a" }))).toBe("done");
    expect(textOf(await server.call("find", { path: 1 }))).toBe("done");
  });

  test("with one schema is one tool", async () => {
    const server = gatedServer(serverOf([tool("find"), tool("find")]));
    expect(textOf(await server.call("find", wrong))).toContain("VAL-002");
  });
});

test("500 sessions in turn: one list each, and attempts that count", async () => {
  let now = 0;
  const server = gatedServer(serverOf([tool("read_file")]), { clock: () => now });
  const links = Array.from({ length: 500 }, (_, n) =>
    server.link({ attemptKey: `session ${n}`, listKey: `session ${n}` }),
  );
  const texts: string[] = [];
  for (const path of [1, 2]) {
    for (const link of links)
      texts.push(textOf(await server.call("read_file", { path: [path] }, link)));
    now += 500;
  }
  expect(server.ownLists()).toBe(500);
  expect(texts.filter((text) => text.includes("(attempt 1/3)"))).toHaveLength(500);
  expect(texts.filter((text) => text.includes("(attempt 2/3)"))).toHaveLength(500);
});
