import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Duplex } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { isWhole } from "@toolcontract/case-table/whole";
import { afterEach, expect, test } from "vitest";
import { ADD, closePairs, sendJson, startOn } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { endProxies, type ProxyProcess, startProxy } from "../testing/proxy-process.ts";
import { createUpstream } from "./upstream.ts";

afterEach(closePairs);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const MEGABYTE = 1_000_000;

function memory(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Starts a server that reads requests without keeping them, and answers calls when it is told to. */
async function slowServer(): Promise<{
  url: URL;
  waiting: ServerResponse[];
  close: () => void;
}> {
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const isList =
      request.headers["content-length"] !== undefined &&
      Number(request.headers["content-length"]) < 1_000;
    request.resume().once("end", () => {
      if (isList) sendJson(response, { jsonrpc: "2.0", id: 1, result: { tools: [ADD] } });
      else waiting.push(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    waiting,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const headers = { "content-type": "application/json", "content-encoding": "gzip" };
const call = toolCall(1, "add", { a: 1, b: 2 });

test.each([
  ["blanks", `${JSON.stringify(call)}${" ".repeat(MEGABYTE)}`],
  ["a string", JSON.stringify(toolCall(1, "add", { a: 1, b: 2, c: "x".repeat(MEGABYTE) }))],
])("compressed calls of 1 MB, %s, are not held while their tool runs", async (_, text) => {
  const server = await slowServer();
  // Sixteen of the largest messages may be held, which these would exceed.
  const proxy = await startOn(server.url, { maxMessageBytes: 1.1 * MEGABYTE });
  const body = gzipSync(text);
  const before = memory();
  const answers: Promise<Response>[] = [];
  for (let index = 1; index <= 20; index += 1) {
    answers.push(fetch(`http://127.0.0.1:${proxy.port}/mcp`, { method: "POST", body, headers }));
    await expect.poll(() => server.waiting.length, { interval: 2 }).toBe(index);
  }
  // What is only garbage, or on its way, goes while the tools run; what is held stays until they are answered.
  await expect
    .poll(() => memory() - before, { interval: 100, timeout: 4_000 })
    .toBeLessThan(8 * MEGABYTE);
  for (const response of server.waiting) sendJson(response, { jsonrpc: "2.0", id: 1, result: {} });
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  server.close();
});

test("bodies that the server does not take use the budget until their clients leave", async () => {
  const upstream = createUpstream(new URL("http://127.0.0.1:1/mcp"));
  const start: typeof upstream.start = () =>
    httpRequest({
      method: "POST",
      createConnection: () => new Duplex({ read: stuck, write: stuck }),
    });
  const proxy = await startOn(upstream.url, {
    upstream: { ...upstream, start },
    maxMessageBytes: 100_000,
  });
  const body = gzipSync(`${JSON.stringify({ ...call, method: "ping" })}${" ".repeat(90_000)}`);
  const url = `http://127.0.0.1:${proxy.port}/mcp`;
  const leave = new AbortController();
  const refused: number[] = [];
  const send = async (): Promise<unknown> =>
    fetch(url, { method: "POST", body, headers, signal: leave.signal }).then(
      ({ status }) => refused.push(status),
      () => undefined,
    );
  const sent = Array.from({ length: 30 }, send);
  // Sixteen of the largest messages fit, and these are a little smaller.
  await expect.poll(() => refused).toEqual(Array.from({ length: 13 }, () => 503));
  leave.abort();
  await Promise.all(sent);
  const next = fetch(url, { method: "POST", body, headers, signal: AbortSignal.timeout(200) });
  await expect(next).rejects.toThrow("timeout");
});

test("memory is given back after a flood of calls, most of which were refused for it", async () => {
  const server = await slowServer();
  const proxy = await startOn(server.url, { maxMessageBytes: MEGABYTE });
  const body = gzipSync(`${JSON.stringify(call)}${" ".repeat(0.9 * MEGABYTE)}`);
  const before = memory();
  const statuses = Array.from({ length: 30 }, async () => {
    const response = await fetch(`http://127.0.0.1:${proxy.port}/mcp`, {
      method: "POST",
      body,
      headers,
    });
    await response.arrayBuffer();
    return response.status;
  });
  const answering = setInterval(() => {
    for (const response of server.waiting.splice(0)) {
      sendJson(response, { jsonrpc: "2.0", id: 1, result: {} });
    }
  }, 20);
  expect(await Promise.all(statuses)).toContain(503);
  clearInterval(answering);
  // Well before the time in which a body must arrive.
  await expect
    .poll(() => memory() - before, { interval: 100, timeout: 4_000 })
    .toBeLessThan(5 * MEGABYTE);
  server.close();
});

/** Megabytes of memory that a process has. */
function residentOf(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_000;
}

/** Has a process collect its garbage at SIGWINCH, and write how many bytes it holds. */
const REPORTING = `
  import { setFlagsFromString } from "node:v8";
  import { runInNewContext } from "node:vm";
  setFlagsFromString("--expose-gc");
  process.on("SIGWINCH", () => {
    runInNewContext("gc")();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    process.stderr.write("holds " + (heapUsed + arrayBuffers) + " bytes\\n");
  });`;

/** Megabytes that a process still holds; those of its last report. */
function heldBy({ child, errors }: ProxyProcess): number {
  child.kill("SIGWINCH");
  const [, bytes = "Infinity"] = [...errors().matchAll(/holds (\d+) bytes/g)].at(-1) ?? [];
  return Number(bytes) / MEGABYTE;
}

test.skipIf(!isWhole || process.platform !== "linux")(
  "300 compressed calls of 4 MB at once stay under 400 MB, and are given back before the next 300",
  async () => {
    const server = await slowServer();
    const hook = `data:text/javascript,${encodeURIComponent(REPORTING)}`;
    const flags = ["--upstream", server.url.href, "--port", "0"];
    const proxy = startProxy(flags, { NODE_OPTIONS: `--import=${hook}` });
    const url = await proxy.listening();
    const body = gzipSync(`${JSON.stringify(call)}${" ".repeat(3.9 * MEGABYTE)}`);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, residentOf(proxy.child.pid))), 20);
    const answering = setInterval(() => {
      for (const response of server.waiting.splice(0)) {
        sendJson(response, { jsonrpc: "2.0", id: 1, result: {} });
      }
    }, 1_000);
    for (let flood = 0; flood < 2; flood += 1) {
      const statuses = Array.from({ length: 300 }, async () =>
        fetch(url, { method: "POST", body, headers }).then(async (response) => {
          await response.arrayBuffer();
          return response.status;
        }),
      );
      const counts = new Set(await Promise.all(statuses));
      expect([...counts].every((status) => status === 200 || status === 503)).toBe(true);
      expect(most).toBeLessThan(400);
      // The budget is 64 MB, of which nothing is left.
      await expect.poll(() => heldBy(proxy), { interval: 200, timeout: 10_000 }).toBeLessThan(32);
    }
    clearInterval(watch);
    clearInterval(answering);
    await endProxies();
    server.close();
  },
  60_000,
);

const stuck = (): void => undefined;
