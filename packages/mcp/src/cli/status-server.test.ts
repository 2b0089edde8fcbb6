import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { serveStatus } from "./status-server.ts";

/** The status of a request for /metrics with these headers. */
async function statusOf(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: "/metrics", headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once("error", reject).end();
  });
}

const PAGE = { host: "10.0.0.7:9464", origin: "https://evil.example" };

test.each<[host: string, headers: Readonly<Record<string, string>>, status: number]>([
  ["127.0.0.1", { host: "localhost:1" }, 200],
  ["127.0.0.1", { host: "10.0.0.7:9464" }, 403],
  ["127.0.0.1", { host: "evil.example" }, 403],
  ["0.0.0.0", { host: "10.0.0.7:9464" }, 200],
  ["0.0.0.0", { host: "[fd00::7]:9464" }, 200],
  ["0.0.0.0", { host: "mcp.internal:9464" }, 200],
  ["0.0.0.0", { host: "evil.example:9464" }, 403],
  ["0.0.0.0", { host: "7.evil.example" }, 403],
  ["0.0.0.0", PAGE, 403],
])("metrics on %s for %j: %i", async (host, headers, status) => {
  const server = await serveStatus(
    { host, port: 0, allowHosts: ["mcp.internal"] },
    () => "",
    async () => undefined,
  );
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  expect(await statusOf(port, headers)).toBe(status);
});

test.each([
  ["GET", "/metrics?name[]=up", 200],
  ["GET", "/healthz?verbose", 200],
  ["HEAD", "/metrics", 200],
  ["POST", "/metrics", 404],
  ["GET", "/metricss", 404],
])("%s %s: %i", async (method, path, status) => {
  const address = { host: "127.0.0.1", port: 0, allowHosts: [] };
  const server = await serveStatus(
    address,
    () => "",
    async () => undefined,
  );
  onTestFinished(() => void server.close());
  const bound = server.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  expect(answer.status).toBe(status);
});
