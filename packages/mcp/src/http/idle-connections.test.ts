import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { createIdleConnections } from "./idle-connections.ts";

afterEach(async () => {
  vi.useRealTimers();
  await closePairs();
});

/** A connection of which only what it has written is looked at. */
function socket(): { bytesWritten: number } {
  return { bytesWritten: 1 };
}

test("a free connection is closed after its time, and not before half of it; one in use stays", () => {
  vi.useFakeTimers();
  const [quiet, busy] = [socket(), socket()];
  const closed: unknown[] = [];
  const watch = createIdleConnections(4_000, {
    free: () => [quiet, busy] as unknown as readonly Socket[],
    close: (one) => closed.push(one),
  });
  expect(watch.mayStay()).toBe(true);
  for (let time = 0; time < 4_000; time += 500) {
    expect(closed).toEqual([]);
    busy.bytesWritten += 1;
    vi.advanceTimersByTime(500);
  }
  expect(closed).toEqual([quiet]);
  watch.stop();
  vi.advanceTimersByTime(60_000);
  expect(closed).toEqual([quiet]);
});

test.each<[announced: string, mayStay: boolean, closedAfter: number]>([
  ["timeout=60", true, 4_000],
  ["timeout=5, max=100", true, 4_000],
  ["timeout=3", true, 2_000],
  ["Timeout=2", true, 1_000],
  ["timeout=1", false, 4_000],
  ["max=100", true, 4_000],
])(
  "a server that announces '%s': free connections stay: %s, for %s ms",
  (announced, mayStay, after) => {
    vi.useFakeTimers();
    let closes = 0;
    const watch = createIdleConnections(4_000, {
      free: () => [one as unknown as Socket],
      close: () => (closes += 1),
    });
    const one = socket();
    watch.announced(announced);
    expect(watch.mayStay()).toBe(mayStay);
    vi.advanceTimersByTime(after - 1);
    expect(closes).toBe(0);
    vi.advanceTimersByTime(1);
    expect(closes).toBe(mayStay ? 1 : 0);
    watch.stop();
  },
);

async function serverThatAnnounces(keepAlive: string): Promise<{ server: Server; url: URL }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "keep-alive": keepAlive, connection: "keep-alive" }).end("done");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: new URL(`http://127.0.0.1:${port}/mcp`) };
}

test.each([
  ["timeout=5", 1],
  ["timeout=1", 3],
])(
  "three requests in a row to a server that announces %s use %s connections",
  async (keepAlive, count) => {
    const { server, url } = await serverThatAnnounces(keepAlive);
    let connections = 0;
    server.on("connection", () => (connections += 1));
    const { port } = await startOn(url);
    for (let sent = 0; sent < 3; sent += 1) {
      const answer = await fetch(`http://127.0.0.1:${port}/other`);
      expect(await answer.text()).toBe("done");
    }
    expect(connections).toBe(count);
    server.close();
  },
);
