import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { freePort } from "@toolcontract/free-port";
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toolCall } from "../testing/messages.ts";
import { endProxies, type ProxyProcess, startProxy } from "../testing/proxy-process.ts";

const BIN = fileURLToPath(new URL("../../node_modules/.bin/", import.meta.url));
const INFO = { name: "test", version: "1" };

/** Starts the proxy; 1h is longer than any test. */
async function startOn(
  upstream: string,
  ...flags: readonly string[]
): Promise<readonly [ProxyProcess, string]> {
  const proxy = startProxy(["--grace", "1h", "--port", "0", "--upstream", upstream, ...flags]);
  return [proxy, await proxy.listening()];
}

/** Resolves when new connections are refused. */
async function refused(url: string): Promise<void> {
  const knock = async (): Promise<unknown> =>
    fetch(url, { headers: { connection: "close" } }).then(
      () => "answered",
      (thrown: unknown) => (thrown as { readonly cause: { readonly code: string } }).cause.code,
    );
  await expect.poll(knock).toBe("ECONNREFUSED");
}

afterEach(endProxies);

describe("the official server-everything", () => {
  let child: ChildProcess | undefined;
  let upstream = "";

  beforeAll(async () => {
    const port = await freePort();
    child = spawn(`${BIN}mcp-server-everything`, ["streamableHttp"], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const { stderr } = child;
    upstream = `http://127.0.0.1:${port}/mcp`;
    await new Promise<void>((resolve) => {
      stderr?.on("data", (chunk: Buffer) => {
        if (chunk.includes("listening on port")) resolve();
      });
    });
  });
  afterAll(() => {
    child?.kill("SIGKILL");
  });

  test.each([
    [
      "SDK 1",
      "SIGTERM",
      async (url: URL) => {
        const client = new ClientV1(INFO);
        await client.connect(new TransportV1(url));
        return client;
      },
    ],
    [
      "SDK 2",
      "SIGINT",
      async (url: URL) => {
        const client = new ClientV2(INFO);
        await client.connect(new TransportV2(url));
        return client;
      },
    ],
  ] as const)(
    "%s: a call in flight at %s gets its answer, while new connections are refused",
    async (_, name, connect) => {
      const [proxy, url] = await startOn(upstream);
      const client = await connect(new URL(url));
      const seen: number[] = [];
      const params = {
        name: "trigger-long-running-operation",
        arguments: { duration: 3, steps: 6 },
      };
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const call =
        client instanceof ClientV1
          ? client.callTool(params, undefined, { onprogress })
          : client.callTool(params, { onprogress });
      await expect.poll(() => seen.length).toBeGreaterThan(0);
      proxy.child.kill(name);
      await refused(url);
      const text = expect.stringContaining("completed") as string;
      expect(await call).toMatchObject({ content: [{ text }] });
      expect(await proxy.exited).toBe(0);
      await client.close().catch(() => undefined);
    },
  );
});

describe("a server that answers when it is told to", () => {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === "GET")
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    else waiting.push(response);
  });
  let upstream = "";

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Posts a call and waits until the server has it. */
  async function posted(
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly answer: Promise<Response> }> {
    const before = waiting.length;
    const answer = fetch(url, {
      method: "POST",
      body: JSON.stringify(toolCall(1, "add", {})),
      headers: { "content-type": "application/json", ...headers },
    });
    answer.catch(() => undefined);
    await expect.poll(() => waiting.length).toBe(before + 1);
    return { answer };
  }

  const allOff = ["--tool", "add=off"];

  test("is waited for, after signals that end nothing; its client is asked to close the connection", async () => {
    const [proxy, url] = await startOn(upstream, ...allOff);
    const { answer } = await posted(url);
    if (process.platform !== "win32") {
      proxy.child.kill("SIGHUP");
      proxy.child.kill("SIGUSR2");
      await expect.poll(proxy.errors).toContain("mode enforce, ");
      await posted(url);
      waiting.pop()?.end("early");
    }
    proxy.child.kill("SIGTERM");
    await refused(url);
    waiting.at(-1)?.end("late");
    const response = await answer;
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.text()).toBe("late");
    expect(await proxy.exited).toBe(0);
  });

  test("is waited for: the proxy is healthy meanwhile, but not ready", async () => {
    const [proxy, url] = await startOn(
      upstream,
      ...allOff,
      "--metrics-port",
      "0",
      "--log-level",
      "info",
    );
    const metrics = /http:[^"]+\/metrics/.exec(proxy.errors())?.[0] ?? "";
    const status = async (path: string): Promise<unknown> => {
      const answer = await fetch(new URL(path, metrics));
      return [answer.status, await answer.text()];
    };
    expect(await status("/readyz")).toEqual([200, "ok\n"]);
    const { answer } = await posted(url);
    proxy.child.kill("SIGTERM");
    await refused(url);
    expect(await status("/readyz")).toEqual([503, "not ready: the proxy is stopping\n"]);
    expect(await status("/healthz")).toEqual([200, "ok\n"]);
    waiting.at(-1)?.end("late");
    expect(await (await answer).text()).toBe("late");
    expect(await proxy.exited).toBe(0);
  });

  test("is not waited for after a second signal", async () => {
    const [proxy, url] = await startOn(upstream, ...allOff);
    const { answer } = await posted(url);
    proxy.child.kill("SIGTERM");
    await refused(url);
    proxy.child.kill("SIGTERM");
    await expectUnknown(answer);
    expect(await proxy.exited).toBe(0);
  });

  test("is not waited for longer than --grace", async () => {
    const [proxy, url] = await startOn(upstream, ...allOff, "--grace", "300ms");
    const { answer } = await posted(url);
    proxy.child.kill("SIGTERM");
    await expectUnknown(answer);
    expect(await proxy.exited).toBe(0);
  });

  test("is not waited for if it never will: streams of sessions and subscriptions", async () => {
    const [proxy, url] = await startOn(upstream, ...allOff);
    const stream = await fetch(url, { headers: { accept: "text/event-stream" } });
    const { answer } = await posted(url, { "mcp-method": "subscriptions/listen" });
    proxy.child.kill("SIGTERM");
    expect(await proxy.exited).toBe(0);
    await expectUnknown(answer);
    await expect(stream.text()).rejects.toThrow("terminated");
  });
});

/** The client is told that nobody knows what became of its call. */
async function expectUnknown(answer: Promise<Response>): Promise<void> {
  const { id, error } = (await (await answer).json()) as {
    readonly id: number;
    readonly error: { readonly message: string };
  };
  expect({ id, ...error }).toEqual({
    id: 1,
    code: -32_603,
    message: expect.stringContaining("the outcome of this call is unknown") as string,
  });
}
