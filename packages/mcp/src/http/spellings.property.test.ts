import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { oneInThree } from "@toolcontract/case-table/whole";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createGate } from "../gate/index.ts";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import {
  firstWins,
  lenientOnExpress,
  type ReadingServer,
  sdkOnExpress,
  sdkServer,
} from "../testing/reading-servers.ts";
import type { TestTool } from "../testing/test-servers.ts";

/** What the server has executed. */
const ran: { readonly name: string; readonly args: unknown }[] = [];

const tools: readonly TestTool[] = ["count", "danger"].map((name) => ({
  name,
  inputSchema: {
    type: "object",
    required: ["n"],
    properties: { n: name === "count" ? { type: "integer" } : { const: "sure" } },
  },
  run: (args) => {
    ran.push({ name, args });
    return { text: "ran" };
  },
}));

function isValid({ name, args }: (typeof ran)[number]): boolean {
  const { n } = (args ?? {}) as { readonly n?: unknown };
  return name === "count" ? Number.isInteger(n) : n === "sure";
}

interface Spelling {
  readonly name: string;
  readonly n: unknown;
  readonly id: string;
  /** A member beside the one named `of`. */
  readonly doubled: Doubled | null;
  readonly isShuffled: boolean;
  /** Which letters are written as escapes. */
  readonly escapes: readonly number[];
  readonly space: string;
  readonly isBatch: boolean;
  readonly extra: object;
  readonly charset: string;
  /** How the text becomes bytes, whatever the headers say. */
  readonly bytes: "utf8" | "utf16le";
  readonly coding: string;
  readonly encode: (bytes: Buffer) => Buffer;
  readonly mark: string;
  /** A header that `Connection` hides from the server. */
  readonly hidden: string;
  readonly method: string;
  readonly path: string;
  readonly accept: string;
  readonly cuts: readonly number[];
}

interface Doubled {
  readonly of: string;
  readonly as: string;
  readonly value: unknown;
  readonly isFirst: boolean;
}

const USUAL: Spelling = {
  name: "count",
  n: 1,
  id: "1",
  doubled: null,
  isShuffled: false,
  escapes: [],
  space: "",
  isBatch: false,
  extra: {},
  charset: "",
  bytes: "utf8",
  coding: "",
  encode: (bytes) => bytes,
  mark: "",
  hidden: "",
  method: "POST",
  path: "/mcp",
  accept: "application/json, text/event-stream",
  cuts: [],
};

const DOUBLED: readonly (readonly [of: string, as: string, value: unknown])[] = [
  ["method", "method", "ping"],
  ["method", "method", "tools/call"],
  ["method", "Method", "tools/call"],
  ["params", "params", { name: "danger", arguments: { n: 1 } }],
  ["params", "params", { name: "count", arguments: { n: 1 } }],
  ["name", "name", "danger"],
  ["name", "name", "count"],
  ["arguments", "arguments", { n: { x: 1 } }],
  ["arguments", "arguments", { n: 1 }],
  ["n", "n", { x: 1 }],
  ["n", "n", 1],
  ["n", "N", { x: 1 }],
  ["n", "+AG4-", { x: 1 }],
  ["id", "id", 2],
];
const CODINGS: readonly (readonly [string, Spelling["encode"]])[] = [
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["gzip", (bytes) => bytes],
  ["identity", (bytes) => bytes],
  ["identity", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["gzip, identity", gzipSync],
  ["gzip, gzip", (bytes) => gzipSync(gzipSync(bytes))],
  ["zstd", (bytes) => bytes],
];
const VERSION = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

/** What one client may spell otherwise than others do. */
const ODDITIES: readonly Partial<Spelling>[] = [
  ...DOUBLED.flatMap(([of, as, value]) =>
    [true, false].map((isFirst) => ({ doubled: { of, as, value, isFirst } })),
  ),
  ...CODINGS.map(([coding, encode]) => ({ coding, encode })),
  ...["", "utf-8", '"UTF-8"', "latin1", "utf-7"].map((charset) => ({
    charset: `; charset=${charset}`,
  })),
  ...["utf-16le", "utf-16", "utf-8"].map((charset) => ({
    charset: `; charset=${charset}`,
    bytes: "utf16le" as const,
  })),
  {
    charset: "; charset=utf-7",
    doubled: { of: "n", as: "+AG4-", value: { x: 1 }, isFirst: false },
  },
  ...['"a"', "null", "1e999", "true", "9007199254740993", "1.5", "[1]", ""].map((id) => ({ id })),
  ...[{ requestState: "s" }, { inputResponses: {} }, { task: {} }, { _meta: VERSION }].map(
    (extra) => ({ extra }),
  ),
  ...["content-encoding", "content-type", "content-length"].map((hidden) => ({ hidden })),
  ...["PUT", "DELETE"].map((method) => ({ method })),
  ...["/mcp/", "/MCP", "/mcp?a=b", "//mcp"].map((path) => ({ path })),
  ...["text/event-stream", "*/*"].map((accept) => ({ accept })),
  { mark: "\uFEFF" },
  { isBatch: true },
];

const layouts = fc.record({
  isShuffled: fc.boolean(),
  escapes: fc.array(fc.nat(60), { maxLength: 4 }),
  space: fc.constantFrom("", " ", "\n", "\t\r\n"),
  cuts: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
});

const calls = fc.constantFrom(
  { name: "count", n: 1 },
  { name: "danger", n: "sure" },
  { name: "count", n: { x: 1 } },
  { name: "danger", n: 1 },
);

const spellings: fc.Arbitrary<Spelling> = fc
  .tuple(calls, layouts, fc.uniqueArray(fc.constantFrom(...ODDITIES), { maxLength: 3 }))
  .map(([call, layout, odd]) => Object.assign({}, USUAL, call, layout, ...odd) as Spelling);

/** A JSON value as text. */
type Spell = (value: unknown) => string;

function spell({
  name,
  n,
  id,
  doubled,
  isShuffled,
  escapes,
  space,
  extra,
  isBatch,
}: Spelling): string {
  const write: Spell = (value) => {
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(`,${space}`)}]`;
    return object(Object.entries(value).map(([key, one]) => [key, write(one)] as const));
  };
  const object = (entries: readonly (readonly [string, string])[]): string => {
    const all = entries.flatMap(([key, one]) => {
      if (doubled?.of !== key) return [[key, one] as const];
      const other = [doubled.as, JSON.stringify(doubled.value)] as const;
      return doubled.isFirst ? [other, [key, one] as const] : [[key, one] as const, other];
    });
    const ordered = isShuffled ? all.toReversed() : all;
    return `{${space}${ordered.map(([key, one]) => `${JSON.stringify(key)}${space}:${space}${one}`).join(",")}${space}}`;
  };
  const params = object([
    ["name", write(name)],
    ["arguments", write({ n })],
    ...Object.entries(extra).map(([key, one]) => [key, write(one)] as const),
  ]);
  const message = object([
    ["jsonrpc", '"2.0"'],
    ...(id === "" ? [] : [["id", id] as const]),
    ["method", '"tools/call"'],
    ["params", params],
  ]);
  const escaped = escapes.reduce(escapeLetter, message);
  return isBatch ? `[${escaped}]` : escaped;
}

/** Writes one letter of a string as an escape. */
function escapeLetter(json: string, at: number): string {
  const letters = [...json.matchAll(/(?<=[a-z/"])[a-z](?=[a-z"])/g)];
  const index = letters[at % Math.max(1, letters.length)]?.index;
  // Not within another escape.
  if (index === undefined || json.slice(Math.max(0, index - 6), index).includes("\\")) return json;
  const code = json.charCodeAt(index).toString(16).padStart(4, "0");
  return `${json.slice(0, index)}\\u${code}${json.slice(index + 1)}`;
}

async function send(port: number, spelling: Spelling): Promise<string> {
  const { charset, bytes, mark, coding, encode, hidden, method, path, accept, cuts } = spelling;
  const body = encode(Buffer.from(mark + spell(spelling), bytes));
  const headers = {
    "content-type": `application/json${charset}`,
    accept,
    ...(coding !== "" && { "content-encoding": coding }),
    connection: hidden === "" ? "keep-alive" : `keep-alive, ${hidden}`,
    ...(cuts.length === 0 ? { "content-length": body.length } : { "transfer-encoding": "chunked" }),
  };
  const sent = httpRequest({ host: "127.0.0.1", port, method, path, headers });
  const answer = new Promise<string>((resolve, reject) => {
    sent.once("response", (response) => {
      text(response).then(resolve, reject);
    });
    sent.once("error", reject);
  });
  let at = 0;
  for (const size of cuts) {
    sent.write(body.subarray(at, at + size));
    at += size;
  }
  sent.end(body.subarray(at));
  return answer;
}

const running: ReadingServer[] = [];
afterEach(closePairs);
afterAll(() => {
  for (const { close } of running) close();
});

const SERVERS = [
  ["the SDK, which reads the body itself", async () => sdkServer(() => tools)],
  ["the SDK behind Express", async () => sdkOnExpress(() => tools)],
  ["a lenient server behind Express", async () => lenientOnExpress(tools)],
  ["a parser that keeps the first of two members", async () => firstWins(tools)],
] as const;

describe.each(oneInThree(SERVERS))("in front of %s", (_, start) => {
  async function proxyPort(): Promise<number> {
    const server = await start();
    running.push(server);
    // Servers may run soft calls; here they would hide what was read from what was validated.
    const gate = createGate({ soft: "reject", logger: () => undefined });
    return (await startOn(server.url, { gate })).port;
  }

  test("whatever the spelling of a request: what runs is what was validated", async () => {
    const port = await proxyPort();
    let executed = 0;
    await fc.assert(
      fc.asyncProperty(spellings, async (spelling) => {
        ran.length = 0;
        await send(port, spelling);
        executed += ran.length;
        expect(ran.filter((call) => !isValid(call))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    // A proxy that refuses everything would pass, too.
    expect(executed).toBeGreaterThan(0);
  });

  test("a valid call runs in every spelling that leaves no doubt", async () => {
    const port = await proxyPort();
    await fc.assert(
      fc.asyncProperty(spellings, async ({ isShuffled, escapes, space, cuts }) => {
        ran.length = 0;
        await send(port, { ...USUAL, isShuffled, escapes, space, cuts });
        expect(ran).toEqual([{ name: "count", args: { n: 1 } }]);
      }),
      { numRuns: 100 },
    );
  });
});
