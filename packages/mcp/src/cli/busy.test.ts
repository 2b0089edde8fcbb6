import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism } from "node:os";
import { isWhole } from "@toolcontract/case-table/whole";
import { startRedis, WHY_NO_REDIS } from "@toolcontract/redis-server";
import { expect, onTestFinished, test } from "vitest";
import { ADD, sendJson } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { endProxies, startProxy } from "../testing/proxy-process.ts";

const USERS = 40;
/** What each user reads of five bad calls in a row. */
const RIGHT = "1 2 3 blocked blocked";

/** Twice as many busy processes as there are processors. */
function stress(): void {
  const busy = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"]),
  );
  onTestFinished(() => {
    for (const child of busy satisfies ChildProcess[]) child.kill("SIGKILL");
  });
}

async function startReplicas(store: string): Promise<readonly string[]> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      sendJson(response, { jsonrpc: "2.0", id: 1, result: { tools: [ADD] } });
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await endProxies();
    server.close();
    server.closeAllConnections();
  });
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const flags = ["--upstream", upstream, "--port", "0", "--store", store];
  return Promise.all([1, 2, 3].map(async () => startProxy(flags).listening()));
}

async function attemptOf(url: string, session: string): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    body: JSON.stringify(toolCall(1, "add", { a: "x" })),
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "mcp-session-id": session,
    },
  });
  const text = await response.text();
  const attempt = /\(attempt (\d)\/3\)/.exec(text)?.[1];
  return attempt ?? (text.includes("(blocked after 3/3)") ? "blocked" : text);
}

test.skipIf(!isWhole || WHY_NO_REDIS !== undefined)(
  "three replicas on one Redis count exactly on a machine that is too busy",
  { timeout: 300_000 },
  async () => {
    const redis = await startRedis();
    onTestFinished(async () => redis.stop());
    const replicas = await startReplicas(redis.url);
    stress();
    const wrong: string[] = [];
    for (const width of [1, 4, 16, 64]) {
      let left = USERS;
      const lane = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const session = `at ${width}, user ${left}`;
          const seen: string[] = [];
          for (let call = 0; call < 5; call += 1) {
            const url = replicas[(call * 2 + left) % replicas.length] ?? "";
            seen.push(await attemptOf(url, session));
          }
          if (seen.join(" ") !== RIGHT) wrong.push(`${session}: ${seen.join(" ")}`);
        }
      };
      await Promise.all(Array.from({ length: width }, lane));
    }
    expect(wrong).toEqual([]);
  },
);
