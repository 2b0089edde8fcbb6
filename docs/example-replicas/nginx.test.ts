import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { request } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@toolcontract/free-port";
import { expect, onTestFinished, test } from "vitest";

const config = new URL("nginx.conf", import.meta.url);
const { NGINX = "nginx", OPENSSL = "openssl" } = process.env;
const has = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args).error === undefined;
const isPresent = has(NGINX, "-v") && has(OPENSSL, "version");

/** As long as the token that the page makes, and longer ones fit too. */
const TOKEN = `Bearer ${"f".repeat(300)}`;

/** Starts nginx by our file, in front of one server in place of the replicas; returns its port. */
async function startNginx(backend: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "toolcontract-nginx-"));
  const port = await freePort();
  const text = readFileSync(config, "utf8")
    .replaceAll(/127\.0\.0\.1:878[123]/g, `127.0.0.1:${backend}`)
    .replace("listen 8443", `listen 127.0.0.1:${port}`)
    .replaceAll("/tmp/toolcontract-nginx", join(folder, "temp"));
  writeFileSync(join(folder, "nginx.conf"), text);
  writeFileSync(join(folder, "tokens.conf"), `"${TOKEN}" 1;\n`);
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1"];
  const made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert];
  execFileSync(OPENSSL, ["req", "-x509", ...made, ...subject], { stdio: "ignore" });
  const child = spawn(NGINX, ["-p", folder, "-c", "nginx.conf", "-g", "daemon off;"]);
  onTestFinished(async () => {
    // Killed at once, it would leave its workers behind.
    child.kill("SIGTERM");
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  });
  return port;
}

async function post(port: number, token: string, path = "/mcp"): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, path, method: "POST", headers: { authorization: token }, rejectUnauthorized: false },
      (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => (body += chunk.toString()));
        response.on("end", () => resolve([response.statusCode ?? 0, body]));
      },
    );
    sent.on("error", reject);
    sent.end("{}");
  });
}

test.skipIf(!isPresent)(
  "nginx lets known tokens through, with the headers that the proxy needs",
  async () => {
    const backend = createServer((received, response) => {
      received.resume();
      response.end(JSON.stringify(received.headers));
    });
    await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      backend.close();
      backend.closeAllConnections();
    });
    const port = await startNginx((backend.address() as AddressInfo).port);
    await expect
      .poll(async () => post(port, "Bearer wrong").catch(() => [0]))
      .toEqual([401, expect.anything()]);
    expect((await post(port, TOKEN, "/metrics"))[0]).toBe(404);
    const [status, text] = await post(port, TOKEN);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      host: "127.0.0.1:8787",
      authorization: TOKEN,
      "x-forwarded-for": "127.0.0.1",
    });
  },
);
