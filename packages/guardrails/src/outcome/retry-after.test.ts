import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { describe, expect, test } from "vitest";
import { adaptive, classOf, extrinsic } from "../testing/index.ts";

describe("Retry-After", () => {
  const failed = (fields: object): Error =>
    Object.assign(new Error("slow down"), { status: 429 }, fields);
  test.each<readonly [string, object, number | undefined]>([
    ["seconds in Headers", { response: { headers: new Headers({ "Retry-After": "7" }) } }, 7000],
    ["seconds in an object of any case", { headers: { "RETRY-after": "7" } }, 7000],
    ["a number", { headers: { "retry-after": 7 } }, 7000],
    ["a list, as Node has it", { headers: { "retry-after": ["7", "9"] } }, 7000],
    [
      "axios' headers",
      { response: { headers: { get: (name: string) => (name === "retry-after" ? "7" : null) } } },
      7000,
    ],
    ["the AI SDK's headers", { responseHeaders: { "retry-after": "7" } }, 7000],
    ["a date", { headers: { "retry-after": "Sun, 22 Nov 2026 09:00:30 GMT" } }, 30_000],
    ["a date that is over", { headers: { "retry-after": "Sun, 22 Nov 2026 08:00:00 GMT" } }, 0],
    ["milliseconds", { headers: { "retry-after-ms": "250", "retry-after": "1" } }, 250],
    ["on a cause", { cause: failed({ headers: { "retry-after": "7" } }) }, 7000],
    ["nonsense", { headers: { "retry-after": "soon" } }, undefined],
    ["a negative number", { headers: { "retry-after": "-7" } }, undefined],
    ["no header", { headers: {} }, undefined],
  ])("%s", (_, fields, expected) => {
    expect(classOf(failed(fields))).toEqual({
      ...extrinsic("http_429"),
      ...(expected !== undefined && { retryAfterMs: expected }),
    });
  });

  test("a real response", async () => {
    const server = createServer((_, answer) => answer.writeHead(503, { "Retry-After": "2" }).end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    server.close();
    const error = Object.assign(new Error("unavailable"), { response });
    expect(classOf(error)).toEqual({ ...extrinsic("http_503"), retryAfterMs: 2000 });
  });

  test("a failure that the model repairs has none", () => {
    expect(classOf(failed({ status: 404, headers: { "retry-after": "7" } }))).toEqual(
      adaptive("http_404"),
    );
  });
});
