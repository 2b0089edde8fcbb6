import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { closePairs, startOn } from "../testing/http-proxy.ts";
import { createUpstream } from "./upstream.ts";

afterEach(closePairs);

const MAX_BYTES = 10_000;

/** Posts a body in two parts, so that it counts in the budget; returns the status. */
async function postInParts(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request({ port, path: "/other", method: "POST", headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.write(`"${"x".repeat(MAX_BYTES / 2)}`);
    setTimeout(() => sent.end(`${"x".repeat(MAX_BYTES / 4)}"`), 5);
  });
}

test("bodies whose requests cannot be made leave nothing in the budget", async () => {
  const url = new URL("http://127.0.0.1:9/mcp");
  const upstream = {
    ...createUpstream(url),
    start(): never {
      throw new TypeError("Invalid character in header content");
    },
  };
  const { port } = await startOn(url, { upstream, maxMessageBytes: MAX_BYTES });
  const statuses: number[] = [];
  // Together they are larger than the budget, which is 16 times the longest message.
  for (let sent = 0; sent < 25; sent += 1) statuses.push(await postInParts(port));
  expect(new Set(statuses)).toEqual(new Set([502]));
});
