import { expectLinearCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Message, readRequestId } from "../wire/index.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Link } from "./link.ts";

const tools = [
  {
    name: "read_file",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, head: { type: "integer" } },
      required: ["path"],
    },
  },
];
const modes = ["enforce", "assist", "audit"] as const;
const ids = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("1", "a", null, 1.5, 2 ** 60));
const json = fc.jsonValue({ maxDepth: 3 });

/** Messages that look like those that the gate looks at, and any others. */
const messages: fc.Arbitrary<Message> = fc.oneof(
  fc.dictionary(fc.constantFrom("id", "method", "params", "result", "error", "x"), json),
  fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: ids,
      method: fc.constantFrom(
        "tools/call",
        "tools/list",
        "notifications/cancelled",
        "notifications/tools/list_changed",
        "ping",
      ),
      params: fc.oneof(
        json,
        fc.record(
          {
            name: fc.oneof(fc.constantFrom("read_file", "", "__proto__"), fc.string()),
            arguments: fc.oneof(json, fc.record({ path: json, head: json }, { requiredKeys: [] })),
            task: json,
            _meta: json,
            cursor: json,
            requestId: ids,
            requestState: json,
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: ["method"] },
  ),
  fc.record(
    {
      jsonrpc: fc.constant("2.0"),
      id: ids,
      result: fc.oneof(
        json,
        fc.record(
          {
            tools: fc.oneof(
              json,
              fc.constant(tools),
              fc.array(fc.record({ name: json, inputSchema: json })),
            ),
            nextCursor: json,
            ttlMs: json,
            content: json,
            isError: fc.boolean(),
          },
          { requiredKeys: [] },
        ),
      ),
      error: json,
    },
    { requiredKeys: ["id"] },
  ),
) as fc.Arbitrary<Message>;

const steps = fc.array(fc.tuple(fc.boolean(), messages), { maxLength: 12 });

function linkTo(answer: unknown): Link {
  return {
    attemptKey: "property",
    listKey: "",
    listTools: async () => {
      if (answer === undefined) throw new Error("refused");
      return answer;
    },
  };
}

/** The part of a ruling or a replacement that others can see. */
function seen(value: unknown): string {
  return JSON.stringify(value ?? null);
}

test("any messages: nothing throws, only invalid calls are changed, and the outcome is deterministic", async () => {
  const property = fc.asyncProperty(
    steps,
    fc.constantFrom(...modes),
    fc.option(json),
    async (script, mode, answer) => {
      const run = async (): Promise<readonly string[]> => {
        const stages: string[] = [];
        const gate = createGate({
          mode,
          listTimeoutMs: 50,
          clock: () => 0,
          logger: (fields) =>
            stages.push("error_class" in fields && "stage" in fields ? String(fields.stage) : ""),
        });
        const outcomes = await play(script, gate, linkTo(answer ?? undefined));
        // A step that failed lets everything through; that must not be why nothing is thrown.
        expect(stages).not.toContain("gate");
        return outcomes;
      };
      expect(await run()).toEqual(await run());
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

/** Passes the messages one by one; only calls are answered, under their own ids, and no message is changed in place. */
async function play(
  script: readonly (readonly [boolean, Message])[],
  gate: Gate,
  link: Link,
): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (const [fromClient, message] of script) {
    const before = JSON.stringify(message);
    if (fromClient) {
      const ruling = await gate.fromClient(message, link);
      outcomes.push(seen(ruling));
      if (ruling.kind === "answer") {
        // An id that cannot be written back is answered with null.
        const id = readRequestId(message["id"]) ?? null;
        expect([message["method"], ruling.message["id"]]).toEqual(["tools/call", id]);
      }
    } else {
      const other = await gate.fromServer(message, link);
      outcomes.push(seen(other));
      if (other) expect(other["id"]).toBe(message["id"]);
    }
    expect(JSON.stringify(message)).toBe(before);
  }
  return outcomes;
}

test("every valid call of a known tool is forwarded at once, every invalid one is answered or left to the server", async () => {
  const calls = fc.array(fc.record({ path: json, head: json }, { requiredKeys: [] }), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(calls, async (script) => {
      const gate = createGate({ clock: () => 0, logger: () => undefined });
      const link = linkTo(undefined);
      void gate.fromClient({ jsonrpc: "2.0", id: "list", method: "tools/list" }, link);
      void gate.fromServer({ jsonrpc: "2.0", id: "list", result: { tools } }, link);
      for (const [id, args] of script.entries()) {
        const isValid =
          typeof args.path === "string" && (args.head === undefined || Number.isInteger(args.head));
        const params = { name: "read_file", arguments: args };
        const ruling = gate.fromClient({ jsonrpc: "2.0", id, method: "tools/call", params }, link);
        if (isValid) expect(ruling).toEqual({ kind: "forward" });
        else expect((await ruling).kind === "answer" || gate.awaits(link)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

const nestedArrays = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);
const nested = JSON.parse(nestedArrays(20_000)) as unknown;

test.each<[string, number, (size: number) => unknown]>([
  ["levels", 5_000, (size) => ({ path: JSON.parse(nestedArrays(size)) as unknown })],
  ["letters", 1_250_000, (size) => ({ path: 5, head: "x".repeat(size) })],
  [
    "fields",
    12_500,
    (size) => Object.fromEntries(Array.from({ length: size }, (_, n) => [`k${n}`, n])),
  ],
  [
    "levels of JSON strings for a number",
    5_000,
    (size) => ({ path: "a", head: nestedArrays(size) }),
  ],
])("four times as many %s are answered in about four times the time", async (_, size, make) => {
  const gate = createGate({ logger: () => undefined });
  const link = linkTo({ tools });
  let id = 0;
  await expectLinearCost((length) => {
    const params = { name: "read_file", arguments: make(length) };
    return async () => {
      id += 1;
      const call = { jsonrpc: "2.0", id, method: "tools/call", params };
      expect((await gate.fromClient(call, link)).kind).toBe("answer");
    };
  }, size);
});

test("schemas of 20,000 levels in a tool list stop nothing", async () => {
  const gate = createGate({ logger: () => undefined });
  const deep = { tools: [{ name: "deep", inputSchema: { enum: [nested] } }, ...tools] };
  const link = linkTo(deep);
  const call = (id: number, name: string): Message => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: { path: ["a"] } },
  });
  expect((await gate.fromClient(call(1, "read_file"), link)).kind).toBe("answer");
  expect(["answer", "forward"]).toContain((await gate.fromClient(call(2, "deep"), link)).kind);
});
