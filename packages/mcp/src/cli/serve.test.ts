import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { addServer, toolCall } from "../testing/messages.ts";
import { endProxies, script, startProxy } from "../testing/proxy-process.ts";
import { runMain } from "../testing/run-main.ts";

const seen: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  seen.push(request.headers);
  request.resume().once("end", () => response.end("{}"));
});

afterEach(async () => {
  await endProxies();
  server.closeAllConnections();
  server.close();
});

test("--upstream serves until a signal, prints its URL, and shows no credential", async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const upstream = `http://user:sk-secret@127.0.0.1:${port}/base/mcp?key=sk-secret`;
  const flags = ["--port", "0", "--log-level", "info", "--header", "X-Api-Key:sk-secret"];
  const proxy = startProxy(["--upstream", upstream, ...flags]);
  const url = await proxy.listening();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);

  const body = JSON.stringify(toolCall(1, "add", { password: "sk-secret" }));
  const headers = { "content-type": "application/json" };
  expect((await fetch(url, { method: "POST", body, headers })).status).toBe(200);
  expect(seen.at(-1)).toMatchObject({
    "x-api-key": "sk-secret",
    authorization: `Basic ${Buffer.from("user:sk-secret").toString("base64")}`,
  });

  proxy.child.kill("SIGTERM");
  expect(await proxy.exited).toBe(0);
  expect(proxy.errors()).not.toContain("secret");
  expect(proxy.output()).toHaveLength(0);
});

test("a header that cannot be sent is a usage error that does not show its value", async () => {
  const argv = ["--upstream", "http://127.0.0.1:1", "--header", "X: sk-\u0001"];
  const { code, errors } = await runMain(argv);
  expect(code).toBe(4);
  expect(errors).toContain("--header X has an invalid value");
  expect(errors).not.toContain("sk-");
});

test("a server on stdio is guarded without Node's HTTP, which takes a tenth of the start to load", async () => {
  const atEnd = `process.on("exit", () => {
    if (process.argv[1]?.endsWith("cli.js")) console.error("loaded", ...process.moduleLoadList);
  });`;
  const url = `data:text/javascript,${encodeURIComponent(atEnd)}`;
  const proxy = startProxy(script(addServer()), { NODE_OPTIONS: `--import=${url}` });
  proxy.send(toolCall(1, "add", { a: 1, b: 2 }));
  expect((await proxy.answer(1)).result?.content?.[0]?.text).toBe("3");
  proxy.child.stdin?.end();
  await proxy.exited;
  const loaded = proxy
    .errors()
    .split(" ")
    .filter((name) => /^(?:_?http|internal\/deps\/undici)/.test(name));
  expect(proxy.errors()).toContain("NativeModule child_process");
  expect(loaded).toEqual([]);
});
