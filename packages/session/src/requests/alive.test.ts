import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { watchedFetch, whileAlive } from "./alive.ts";
import { startRequestClock } from "./request-clock.ts";

const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers with these pieces, each once the last was read, and where it is. */
async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_, response) => answer(response));
  servers.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("the command's own fetch", () => {
  test("tells the request around it of each piece of a body, and passes the answer on as it is", async () => {
    const url = await serve((response) => {
      response.writeHead(201, { "x-own": "yes" });
      response.write(": ping\n\n");
      setTimeout(() => response.end("data: 1\n\n"), 20);
    });
    let signs = 0;
    const alive = (): void => void (signs += 1);
    const [status, header, body] = await whileAlive(alive, async () => {
      const response = await watchedFetch(url);
      return [response.status, response.headers.get("x-own"), await response.text()] as const;
    });
    expect([status, header, body]).toEqual([201, "yes", ": ping\n\ndata: 1\n\n"]);
    // The head, and each piece.
    expect(signs).toBeGreaterThanOrEqual(3);
  });

  test("is fetch where nobody waits, and for an answer without a body", async () => {
    const url = await serve((response) => response.writeHead(204).end());
    const alive = vi.fn();
    expect((await watchedFetch(url)).status).toBe(204);
    await whileAlive(alive, async () => watchedFetch(url));
    expect(alive).not.toHaveBeenCalled();
  });

  test("keeps requests apart that are made at the same time", async () => {
    const url = await serve((response) => response.end("x"));
    const signs = { a: 0, b: 0 };
    const ask = async (of: "a" | "b", times: number): Promise<void> =>
      whileAlive(
        () => void (signs[of] += 1),
        async () => {
          for (let made = 0; made < times; made += 1) await (await watchedFetch(url)).text();
        },
      );
    await Promise.all([ask("a", 1), ask("b", 4)]);
    expect(signs.b).toBeGreaterThan(signs.a);
    expect(signs.a).toBeGreaterThan(0);
  });
});

describe("a connection that is alive", () => {
  const timeout = { firstToken: 1_000, silence: 1_000, total: 10_000 };

  /** Waits for the first part of an answer, with a ping every 900 ms for 4.5 s. */
  async function pinged(more: { readonly isPatient: boolean }): Promise<unknown> {
    vi.useFakeTimers();
    const clock = startRequestClock({ timeout, isStreamed: true, signal: undefined, ...more });
    const waiting = clock
      .read(
        async () => new Promise((resolve) => void setTimeout(() => resolve("part"), 4_600)),
        () => true,
      )
      .catch((error: unknown) => (error as Error).message);
    for (let pings = 0; pings < 5; pings += 1) {
      await vi.advanceTimersByTimeAsync(900);
      clock.alive();
    }
    await vi.advanceTimersByTimeAsync(900);
    const answer = await waiting;
    clock.stop();
    return answer;
  }

  test("is waited for beyond the time of its first part, if nobody gave that time", async () => {
    expect(await pinged({ isPatient: true })).toBe("part");
  });

  test("is given up at a time that was asked for", async () => {
    expect(await pinged({ isPatient: false })).toBe("nothing of an answer came within 1000 ms");
  });

  test("is given up at the time of the whole request, however alive it is", async () => {
    vi.useFakeTimers();
    const clock = startRequestClock({
      timeout,
      isStreamed: true,
      isPatient: true,
      signal: undefined,
    });
    const waiting = clock
      .read(
        async () => new Promise<never>(() => undefined),
        () => true,
      )
      .catch((error: unknown) => (error as Error).message);
    for (let pings = 0; pings < 12; pings += 1) {
      await vi.advanceTimersByTimeAsync(900);
      clock.alive();
    }
    expect(await waiting).toBe("the answer was not complete within 10000 ms");
    clock.stop();
  });
});
