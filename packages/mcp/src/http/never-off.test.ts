import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { afterEach, describe, expect, test } from "vitest";
import { createGate, type Gate, type GateOptions } from "../gate/index.ts";
import { closePairs, serveAdd, startOn, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import {
  type ReadingServer,
  sdkOnExpress,
  sdkServer,
  serveOn,
} from "../testing/reading-servers.ts";
import { INFO, lowLevelV1, type TestTool } from "../testing/test-servers.ts";

const running: ReadingServer[] = [];
afterEach(async () => {
  await closePairs();
  for (const { close } of running.splice(0)) close();
});

const ran: unknown[] = [];
const tool: TestTool = {
  name: "add",
  inputSchema: { type: "object", required: ["a"], properties: { a: { type: "integer" } } },
  run: (args) => {
    ran.push(args);
    return { text: "ran" };
  },
};

interface Watched {
  readonly gate: Gate;
  readonly stages: readonly string[];
}

/** A gate whose log is watched. */
function watched(options: GateOptions = {}): Watched {
  const stages: string[] = [];
  const gate = createGate({
    logger: (fields) => {
      if ("stage" in fields) stages.push(String(fields.stage));
    },
    ...options,
  } as GateOptions);
  return { gate, stages };
}

async function track(server: Promise<ReadingServer>): Promise<ReadingServer> {
  running.push(await server);
  return server;
}

describe.each([
  ["Express", sdkOnExpress],
  ["a server that looks at no path", sdkServer],
])("the official client of a server on %s is guarded", (_, serve) => {
  test.each(["/mcp", "/mcp/", "/MCP", "/mcp?a=b"])("at %s", async (path) => {
    ran.length = 0;
    const { url } = await track(serve(() => [tool]));
    const { gate } = watched();
    const headers = [["X-Api-Key", "secret"]] as const;
    const proxy = await startOn(url, { gate, headers });
    const client = new Client(INFO);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(path, `http://127.0.0.1:${proxy.port}`)),
    );
    const bad = await client.callTool({ name: "add", arguments: { a: "one" } });
    expect(bad).toMatchObject({ isError: true });
    expect(JSON.stringify(bad)).toContain("VAL-002");
    expect(ran).toEqual([]);
    await client.callTool({ name: "add", arguments: { a: 1 } });
    expect(ran).toEqual([{ a: 1 }]);
    expect(gate.contract.metrics()).toMatchObject({ calls: 2, rejected: 1 });
    await client.close();
  });
});

test.each(["/mcp", "/mcp/", "/MCP", "/%6Dcp", "//mcp", "/mcp;v=1", "/base/../mcp"])(
  "the headers of the proxy and its judgement go together: %s",
  async (path) => {
    const pair = await startPair(serveAdd, { headers: [["X-Api-Key", "secret"]] });
    const { port } = new URL(pair.url);
    await rawPost(Number(port), path, toolCall(1, "add", { a: 1, b: 1 }));
    expect(pair.seen.map(({ request }) => request.headers["x-api-key"])).toEqual([
      "secret",
      "secret",
    ]);
    await rawPost(Number(port), path, toolCall(1, "add", {}));
    expect(pair.count("tools/call")).toBe(1);
  },
);

/** Unlike fetch, leaves the path as it is. */
async function rawPost(port: number, path: string, message: object): Promise<void> {
  const { request } = await import("node:http");
  const headers = { "content-type": "application/json" };
  await new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers }, (answer) => {
      answer.resume().once("end", resolve);
    });
    sent.once("error", reject).end(JSON.stringify(message));
  });
}

describe("a tool call on another path", () => {
  const post = async (url: string, message: object): Promise<Response> =>
    fetch(url.replace("/mcp", "/message?session=1"), {
      method: "POST",
      body: JSON.stringify(message),
      headers: { "content-type": "application/json" },
    });

  test("is forwarded, counted and reported once", async () => {
    const stages: string[] = [];
    const logger = (fields: object): unknown =>
      "stage" in fields && stages.push(String(fields.stage));
    const pair = await startPair(serveAdd, {}, { logger });
    for (const id of [1, 2])
      expect((await post(pair.url, toolCall(id, "add", {}))).status).toBe(200);
    expect(pair.count("tools/call")).toBe(2);
    expect(stages).toEqual(["other-path"]);
    expect(pair.gate.unvalidated()).toEqual([
      { reason: "other-path", outcome: "forwarded", count: 2 },
    ]);
  });

  test("is refused with failOpen: false, in every spelling", async () => {
    const pair = await startPair(serveAdd, {}, { failOpen: false });
    const batch = [toolCall(1, "add", {})];
    for (const message of [toolCall(1, "add", {}), batch]) {
      expect((await post(pair.url, message)).status).toBe(403);
    }
    expect(pair.seen).toHaveLength(0);
  });

  test("is not looked for in what is not a call", async () => {
    const pair = await startPair(serveAdd, {}, { failOpen: false });
    expect((await post(pair.url, { grant_type: "tools/call" })).status).toBe(200);
    expect(pair.seen[0]?.body).toBe('{"grant_type":"tools/call"}');
    expect(pair.gate.unvalidated()).toEqual([]);
  });
});

describe("a server on the old HTTP+SSE transport", () => {
  async function serveOldTransport(): Promise<URL> {
    let transport: SSEServerTransport | undefined;
    const { url } = await track(
      serveOn((request, response) => {
        if (request.method === "GET") {
          transport = new SSEServerTransport("/message", response);
          void lowLevelV1([tool]).connect(transport);
        } else void transport?.handlePostMessage(request, response);
      }),
    );
    return new URL("/sse", url);
  }

  test("is reported when its client connects, and its calls are counted", async () => {
    ran.length = 0;
    const upstream = await serveOldTransport();
    const { gate, stages } = watched();
    const proxy = await startOn(upstream, { gate, endpoint: "/sse" });
    const client = new Client(INFO);
    await client.connect(new SSEClientTransport(new URL(`http://127.0.0.1:${proxy.port}/sse`)));
    expect(stages).toEqual(["http-sse"]);
    await client.callTool({ name: "add", arguments: { a: "one" } });
    expect(ran).toEqual([{ a: "one" }]);
    expect(stages).toEqual(["http-sse", "other-path"]);
    expect(gate.unvalidated()).toMatchObject([{ reason: "other-path", count: 1 }]);
    await client.close();
  });
});

describe("a server that redirects", () => {
  const redirecting = async (location: (port: number) => string, status = 307) => {
    const pair = await startPair(({ request }, response) => {
      const { localPort = 0 } = request.socket;
      response.writeHead(status, { location: location(localPort) }).end();
    });
    const { gate } = pair;
    const stages: string[] = [];
    gate.contract.on("contract-degraded", ({ stage }) => stages.push(stage));
    const answer = await fetch(pair.url, { method: "POST", body: "{}", redirect: "manual" });
    return { location: answer.headers.get("location"), stages };
  };

  test.each([
    [
      "to its own address keeps clients at the proxy",
      (port: number) => `http://127.0.0.1:${port}/mcp/?a#b`,
      "/mcp/?a#b",
    ],
    ["without a scheme, too", (port: number) => `//127.0.0.1:${port}/mcp/`, "/mcp/"],
    ["to a path keeps it", () => "../mcp/", "../mcp/"],
  ])("%s", async (_, location, expected) => {
    expect(await redirecting(location)).toEqual({ location: expected, stages: [] });
  });

  test("to another host is reported, because calls there are not validated", async () => {
    const elsewhere = "https://example.com/mcp";
    expect(await redirecting(() => elsewhere)).toEqual({
      location: elsewhere,
      stages: ["redirect"],
    });
    expect(await redirecting(() => elsewhere, 302)).toEqual({ location: elsewhere, stages: [] });
  });
});

describe("bodies that never end", () => {
  const half = async (port: number, bytes: number): Promise<import("node:net").Socket> => {
    const { connect } = await import("node:net");
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n`,
    );
    socket.write("x".repeat(bytes));
    return socket;
  };

  test("are given up from the oldest on when there are too many, and others are served", async () => {
    const pair = await startPair(serveAdd, { maxMessageBytes: 100_000 });
    const { port } = new URL(pair.url);
    const answers: string[] = [];
    const sockets = [];
    // Sixteen of the largest messages may be arriving, and these are more than half of that each.
    for (let index = 0; index < 60; index += 1) {
      const socket = await half(Number(port), 80_000);
      socket.on("data", (chunk) => answers.push(chunk.toString().slice(9, 12)));
      sockets.push(socket);
    }
    await expect.poll(() => answers.length).toBe(40);
    expect(new Set(answers)).toEqual(new Set(["503"]));
    const good = await pair.post(toolCall(1, "add", { a: 1, b: 1 }));
    expect(await good.text()).toContain("ran");
    for (const socket of sockets) socket.destroy();
  });

  test("are given up after some time", async () => {
    const pair = await startPair(serveAdd, { bodyTimeoutMs: 100 });
    const { text } = await import("node:stream/consumers");
    const halves = Array.from({ length: 60 }, async () =>
      text(await half(Number(new URL(pair.url).port), 10)),
    );
    for (const answer of await Promise.all(halves)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain("the body took too long");
    }
  });
});

test("a server that cannot be reached expires the tool lists", async () => {
  const { gate } = watched();
  let expired = 0;
  const counting = { ...gate, expireLists: () => (expired += 1) };
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  server.close();
  const proxy = await startOn(new URL(`http://127.0.0.1:${port}/mcp`), { gate: counting });
  await fetch(`http://127.0.0.1:${proxy.port}/mcp`, { method: "POST", body: "{}" });
  expect(expired).toBe(1);
});
