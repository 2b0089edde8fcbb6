import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { serveAdd } from "../testing/http-proxy.ts";
import { addServer, toolCall } from "../testing/messages.ts";
import { script } from "../testing/proxy-process.ts";
import type { Proxy } from "../testing/proxy-streams.ts";
import { runMain } from "../testing/run-main.ts";
import { runProxy } from "../testing/run-proxy.ts";

async function shown(proxy: Proxy, pattern: RegExp): Promise<string> {
  await expect.poll(() => proxy.errors()).toMatch(pattern);
  return pattern.exec(proxy.errors())?.[1] ?? "";
}

async function get(url: string, host = "localhost"): Promise<readonly [number, string]> {
  const sent = request(url, { headers: { host } });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return [answer.statusCode ?? 0, await text(answer)];
}

describe("an HTTP proxy", () => {
  test("says what it guards, and that the server cannot be reached", async () => {
    const flags = ["--port", "0", "--metrics-port", "0", "--log-level", "info", "--mode", "audit"];
    const proxy = runProxy(["--upstream", "http://127.0.0.1:1/mcp", ...flags]);
    expect(await shown(proxy, /in front of (.*)\n/)).toBe("http://127.0.0.1:1/mcp (mode audit)");
    await shown(proxy, /(The MCP server cannot be reached.*ECONNREFUSED)/);
    const metrics = await shown(proxy, /Metrics are at (http:[^"]+)/);
    expect(await get(metrics.replace("/metrics", "/healthz"))).toEqual([200, "ok\n"]);
    expect(await get(metrics.replace("/metrics", "/readyz"))).toEqual([
      503,
      "not ready: the MCP server cannot be reached (ECONNREFUSED)\n",
    ]);
  });

  test("says which tools it guards, is ready, and counts what it does not validate", async () => {
    const server = createServer((incoming, response) => {
      void text(incoming).then((body) => {
        const message = JSON.parse(body) as object;
        serveAdd({ request: incoming, body, message: { ...message } }, response);
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const flags = ["--port", "0", "--metrics-port", "0", "--log-level", "info"];
    const proxy = runProxy(["--upstream", upstream, ...flags]);
    const url = await proxy.listening();
    const post = async (path: string): Promise<void> => {
      const body = JSON.stringify(toolCall(1, "add", {}));
      const headers = { "content-type": "application/json" };
      await fetch(new URL(path, url), { method: "POST", body, headers });
    };
    await post("/mcp");
    await post("/message");
    const line = await shown(proxy, /(\{.*Tool calls are validated.*\})/);
    expect(JSON.parse(line)).toMatchObject({ server: upstream, tools: 1, mode: "enforce" });
    const metrics = await shown(proxy, /Metrics are at (http:[^"]+)/);
    expect(await get(metrics.replace("/metrics", "/readyz"))).toEqual([200, "ok\n"]);
    const [, counts] = await get(metrics);
    expect(counts).toContain(
      'toolcontract_unvalidated_calls_total{reason="other-path",outcome="forwarded"} 1\n',
    );
    server.close();
    server.closeAllConnections();
  });
});

test("a web page that points its domain at the metrics reads nothing", async () => {
  const flags = ["--metrics-port", "0", "--log-level", "info"];
  const proxy = runProxy([...flags, ...script(addServer())]);
  const metrics = await shown(proxy, /Metrics are at (http:[^"]+)/);
  expect((await get(metrics))[0]).toBe(200);
  for (const host of ["evil.example", "evil@localhost"]) {
    expect((await get(metrics, host))[0]).toBe(403);
  }
});

test("a tool list that cannot be had is on standard error once, and in the metrics", async () => {
  const onList = 'write(JSON.stringify({ jsonrpc: "2.0", id: m.id, error: { code: -32603 } }))';
  const proxy = runProxy(script(addServer({ onList })));
  for (const id of [1, 2]) {
    proxy.send(toolCall(id, "add", { a: {}, b: 1 }));
    await proxy.answer(id);
  }
  expect(JSON.parse(proxy.errors())).toMatchObject({
    level: "warn",
    message: "Tool contract degraded",
    stage: "tool-list",
  });
});

describe("the command line", () => {
  test.each([
    [["--header", "Host: x"], "--header cannot set Host: the proxy sets it itself"],
    [["--header", "content-length: 5"], "--header cannot set content-length"],
    [["--header", "Transfer-Encoding: chunked"], "--header cannot set Transfer-Encoding"],
    [["--list-timeout", "5"], "--list-timeout must be a time such as 500ms, 5s or 10m"],
    [["--max-body", "4"], "--max-body must be a size such as 512kb or 4mb"],
  ])("%j is refused", async (flags, words) => {
    const argv = ["--upstream", "http://127.0.0.1:1", "--port", "0", ...flags];
    const { code, errors } = await runMain(argv);
    expect([code, errors]).toEqual([4, expect.stringContaining(words)]);
  });

  test("a variable that does not exist is reported", async () => {
    const proxy = runProxy(script(addServer()), { TOOLCONTRACT_MOD: "audit" });
    expect(await shown(proxy, /variable (TOOLCONTRACT_MOD);/)).toBe("TOOLCONTRACT_MOD");
  });
});
