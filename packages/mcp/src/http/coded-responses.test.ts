import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import type { GateOptions } from "../gate/index.ts";
import { ADD, closePairs, type HttpPair, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

type Encode = (body: string) => Buffer;
const CODINGS: readonly (readonly [coding: string, encode: Encode])[] = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["GZIP, identity", gzipSync],
];
const FORMS = [
  ["JSON", "application/json", (text: string) => text],
  ["events", "text/event-stream", (text: string) => `data: ${text}\n\n`],
] as const;

interface Coded {
  readonly method: string;
  readonly coding: string;
  readonly encode: Encode;
  readonly type?: string;
  readonly frame?: (text: string) => string;
  readonly result?: object;
  readonly status?: number;
}

/** A server that encodes its answers to one method without being asked. */
async function startCoded(coded: Coded, options: GateOptions = {}): Promise<HttpPair> {
  const { method, coding, encode, type = "application/json", frame = (text) => text } = coded;
  const { result = { tools: [ADD] }, status = 200 } = coded;
  return startPair(
    (seen, response) => {
      const { id } = seen.message;
      if (seen.message["method"] !== method) return serveAdd(seen, response);
      response.writeHead(status, { "content-type": type, "content-encoding": coding });
      response.end(encode(frame(JSON.stringify({ jsonrpc: "2.0", id, result }))));
    },
    {},
    options,
  );
}

const bad = toolCall(2, "add", { a: [], b: 2 });

describe.each(CODINGS)("what comes as %s is read where it must be", (coding, encode) => {
  describe.each(FORMS)("in %s", (_, type, frame) => {
    test.each([
      ["the client's list", true],
      ["the gate's own list", false],
    ])("%s", async (__, asks) => {
      const pair = await startCoded({ method: "tools/list", coding, encode, type, frame });
      if (asks) {
        const list = await pair.post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
        expect(list.headers.get("content-encoding")).toBeNull();
        expect(await list.text()).toBe(
          frame(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [ADD] } })),
        );
      }
      expect(await (await pair.post(bad)).text()).toContain("VAL-002");
      expect(pair.count("tools/call")).toBe(0);
      expect(pair.gate.unvalidated()).toEqual([]);
    });

    test("a result that is cut", async () => {
      const result = { content: [{ type: "text", text: "0123456789" }] };
      const coded = { method: "tools/call", coding, encode, type, frame, result };
      const pair = await startCoded(coded, { toolResponseMaxBytes: 4 });
      const answer = await pair.post(toolCall(2, "add", { a: 1, b: 2 }));
      expect(await answer.text()).toContain("truncated to 4 bytes.\\n0123");
    });
  });

  test("a failure of a gateway", async () => {
    const result = { content: [{ type: "text", text: "its own words" }] };
    const pair = await startCoded({ method: "tools/call", coding, encode, result, status: 500 });
    const answer = await pair.post(toolCall(2, "add", { a: 1, b: 2 }));
    expect(await answer.text()).toContain("its own words");
  });
});

test("a bomb is decoded no further than lists are read", async () => {
  const degraded: unknown[] = [];
  const result = { tools: [ADD], padding: "x".repeat(70 * 1024 * 1024) };
  const pair = await startCoded(
    { method: "tools/list", coding: "gzip", encode: gzipSync, result },
    { logger: (fields: object) => degraded.push(fields) },
  );
  expect(await (await pair.post(bad)).text()).toContain("ran");
  expect(degraded).toContainEqual(
    expect.objectContaining({ stage: "tool-list", error_class: "ToolListTooLarge" }),
  );
});

test.each([
  ["that nobody knows", "odd", (text: string) => Buffer.from(text), "UnknownCoding"],
  ["twice", "gzip, gzip", (text: string) => gzipSync(gzipSync(text)), "UnknownCoding"],
  ["that it does not have", "gzip", (text: string) => Buffer.from(text), "BodyCutOff"],
])("a list in a coding %s is reported with its cause", async (_, coding, encode, cause) => {
  const degraded: unknown[] = [];
  const pair = await startCoded(
    { method: "tools/list", coding, encode },
    { logger: (fields: object) => degraded.push(fields) },
  );
  expect(await (await pair.post(bad)).text()).toContain("ran");
  expect(degraded).toContainEqual(
    expect.objectContaining({ stage: "tool-list", error_class: cause }),
  );
});
