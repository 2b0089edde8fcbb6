import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

const compress = promisify(gzip);

/** For a page that says nothing of its policy. */
const POLICY =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; worker-src 'self' blob:";

/** Where the browser reports what the policy refused; it says so of workers too, which have no console here. */
export const REPORTS = "/refused-by-the-policy";

const NAMED_POLICY = /http-equiv="Content-Security-Policy" content="([^"]+)"/;

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
};

/** Hosts keep the files that have a hash of their content in their name. */
const cacheFor = (url: string): string =>
  url.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-cache";

/** A folder behind a port of this machine. */
export interface SiteServer {
  /** With a port and without a path. */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a folder as a static host does: with the policy that each page names, compressed, and with its own page for what is not there. */
export async function serveSite(folder: string): Promise<SiteServer> {
  const server = createServer((request, response) => {
    const { url = "/" } = request;
    void respond(folder, url).then(({ status, type, policy, body }) =>
      response
        .writeHead(status, {
          "content-security-policy": `${policy}; report-uri ${REPORTS}`,
          "content-type": type,
          "content-encoding": "gzip",
          "content-length": body.length,
          "cache-control": cacheFor(url),
          "x-content-type-options": "nosniff",
        })
        .end(body),
    );
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly policy: string;
  readonly body: Buffer;
}

const compressed = new Map<string, Promise<Buffer>>();

/** Compresses each file once. */
function compressOnce(path: string, content: Buffer): Promise<Buffer> {
  const known = compressed.get(path) ?? compress(content);
  compressed.set(path, known);
  return known;
}

async function respond(folder: string, url: string): Promise<Answer> {
  const [path = "/"] = url.split("?");
  const file = path.endsWith("/") ? `${path}index.html` : path;
  const found = await read(folder, file);
  const content = found ?? (await read(folder, "/404.html")) ?? Buffer.from("Not found");
  const type = TYPES[found === undefined ? ".html" : extname(file)] ?? "application/octet-stream";
  const [, policy = POLICY] =
    (type === TYPES[".html"] && NAMED_POLICY.exec(content.toString())) || [];
  return {
    status: found === undefined ? 404 : 200,
    type,
    policy,
    body: await compressOnce(found === undefined ? folder : join(folder, file), content),
  };
}

async function read(folder: string, path: string): Promise<Buffer | undefined> {
  if (path.split("/").includes("..")) return undefined;
  try {
    return await readFile(join(folder, path));
  } catch {
    return undefined;
  }
}
