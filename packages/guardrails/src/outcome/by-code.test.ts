import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adaptive, classOf, extrinsic, intrinsic, thrownBy, withCode } from "../testing/index.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outcome-"));
  await writeFile(join(folder, "a.txt"), "a");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("interruptions", () => {
  test("an abort that is not the host's", async () => {
    const own = new AbortController();
    own.abort();
    const error = await thrownBy(() => fetch("http://127.0.0.1:9/", { signal: own.signal }));
    expect(classOf(error)).toEqual(extrinsic("aborted"));
  });

  test("a time limit of the tool's own", async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const error = await thrownBy(() =>
      fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1) }),
    );
    server.closeAllConnections();
    server.close();
    expect(classOf(error)).toEqual(extrinsic("timeout"));
  });

  test.each<readonly [string, unknown, string]>([
    ["a connection that timed out", withCode("ETIMEDOUT"), "timeout"],
    ["as a cause", new TypeError("fetch failed", { cause: withCode("ETIMEDOUT") }), "timeout"],
    ["axios' cancel", withCode("ERR_CANCELED"), "aborted"],
    ["a code without its name", withCode("ABORT_ERR"), "aborted"],
    ["a name without its code", Object.assign(new Error("no"), { name: "AbortError" }), "aborted"],
    ["a socket of request", withCode("ESOCKETTIMEDOUT"), "timeout"],
  ])("%s", (_, error, type) => {
    expect(classOf(error)).toEqual(extrinsic(type));
  });
});

describe("codes", () => {
  test("nobody listens: the code is on the cause of 'fetch failed'", async () => {
    const port = await closedPort();
    const error = await thrownBy(() => fetch(`http://127.0.0.1:${port}/`));
    expect(error).toBeInstanceOf(TypeError);
    expect(classOf(error)).toEqual(extrinsic("ECONNREFUSED"));
  });

  test("the server hangs up", async () => {
    const server = createServer((request) => request.socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const error = await thrownBy(() => fetch(`http://127.0.0.1:${port}/`));
    server.close();
    expect(classOf(error)).toEqual(extrinsic("UND_ERR_SOCKET"));
  });

  test.each([
    ["Chrome", "Failed to fetch"],
    ["Safari", "Load failed"],
    ["Firefox", "NetworkError when attempting to fetch resource."],
  ])("what %s says of any of it", (_, message) => {
    expect(classOf(new TypeError(message))).toEqual(extrinsic("fetch_failed"));
    expect(classOf(new Error(message))).toEqual(adaptive("Error"));
  });

  test("a blocked port has no code at all", async () => {
    const error = await thrownBy(() => fetch("http://127.0.0.1:22/"));
    expect(classOf(error)).toEqual(extrinsic("fetch_failed"));
  });

  test.each([
    "EADDRNOTAVAIL",
    "EBUSY",
    "EAI_AGAIN",
    "EAI_FAIL",
    "ECONNABORTED",
    "ECONNREFUSED",
    "ECONNRESET",
    "EDQUOT",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "EIO",
    "EMFILE",
    "ENETDOWN",
    "ENETUNREACH",
    "ENFILE",
    "ENOSPC",
    "ENOTCONN",
    "ENOTFOUND",
    "EPIPE",
    "EPROTO",
    "EROFS",
    "ERR_NETWORK",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_STREAM_PREMATURE_CLOSE",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UND_ERR_CONNECT_TIMEOUT",
  ])("%s on the error, on a cause, in an AggregateError", (code) => {
    const error = withCode(code);
    for (const each of [
      error,
      new Error("could not search", { cause: new Error("inner", { cause: error }) }),
      new AggregateError([new Error("first"), error]),
    ]) {
      expect(classOf(each)).toEqual(extrinsic(code));
    }
  });

  test("a cycle of causes ends, and one too deep is not followed", () => {
    const first = new Error("first");
    first.cause = new Error("second", { cause: first });
    expect(classOf(first)).toEqual(adaptive("Error"));
    let deep: Error = withCode("ECONNRESET");
    for (let depth = 0; depth < 40; depth += 1) deep = new Error("wrapped", { cause: deep });
    expect(classOf(deep)).toEqual(adaptive("Error"));
  });
});

describe("files", () => {
  test.each<readonly [string, string, () => unknown]>([
    ["is missing", "ENOENT", () => readFile(join(folder, "b.txt"))],
    ["exists", "EEXIST", () => mkdir(join(folder, "a.txt"))],
    ["is not a folder", "ENOTDIR", () => readFile(join(folder, "a.txt", "b.txt"))],
    ["is a folder", "EISDIR", () => readFile(folder)],
  ])("a path that %s", async (_, code, run) => {
    const error = await thrownBy(run);
    const path = (error as { path?: string }).path ?? "";
    expect(classOf(error, { path })).toEqual(adaptive(code));
    // Node does not say which path is a folder.
    const elsewhere = path === "" ? adaptive(code) : intrinsic(code);
    expect(classOf(error, { path: "/elsewhere" })).toEqual(elsewhere);
  });

  const many = (count: number): object => Array.from({ length: count }, () => true);
  const throwing = {
    get path() {
      throw new Error("no");
    },
  };

  test.each<readonly [string, unknown, string, path?: string]>([
    ["the whole path", { path: "/srv/notes/a.md" }, "adaptive"],
    ["a relative path", { path: "./notes/a.md" }, "adaptive"],
    ["a path that goes up", { path: "old/../notes/a.md" }, "adaptive"],
    ["a path of Windows", { path: "notes\\a.md" }, "adaptive"],
    ["a folder of it", { folder: "notes" }, "adaptive"],
    ["a name without its extension", { note: { id: "a" } }, "adaptive"],
    ["a deep place", { notes: [{ id: "notes/a" }] }, "adaptive"],
    ["a place after null", { owner: null, path: "notes/a.md" }, "adaptive"],
    ["a place before a getter that throws", { path: "a.md", later: throwing }, "adaptive"],
    ["the last of 999 values", { ...many(998), path: "a.md" }, "adaptive"],
    ["more values than are read", { ...many(1_000), path: "a.md" }, "intrinsic"],
    ["a number", { year: 2026 }, "adaptive", "/srv/2026/a.md"],
    ["a short string that is in it by chance", { mode: "o" }, "intrinsic"],
    ["the current folder", { path: "." }, "intrinsic"],
    ["nothing of it", { path: "b.md" }, "intrinsic"],
    ["no object", undefined, "intrinsic"],
  ])("a path from %s", (_, args, kind, path = "/srv/notes/a.md") => {
    const error = withCode("ENOENT", { path });
    expect(classOf(error, args)?.class).toBe(kind);
  });

  test("a rename names two paths", () => {
    const error = withCode("EACCES", { path: "/srv/a", dest: "/srv/target" });
    expect(classOf(error, { to: "target" })).toEqual(adaptive("EACCES"));
  });

  test("a program that is missing is not on a path from the arguments", async () => {
    const error = await thrownBy(
      () =>
        new Promise((_resolve, reject) => {
          execFile(join(folder, "no-such-program"), reject);
        }),
    );
    expect(classOf(error, { query: "x" })).toEqual(intrinsic("ENOENT"));
  });

  test.each([
    "EACCES",
    "EEXIST",
    "EISDIR",
    "ELOOP",
    "ENAMETOOLONG",
    "ENOENT",
    "ENOTDIR",
    "ENOTEMPTY",
    "EPERM",
    "EXDEV",
  ])("%s on a file of the tool's own", (code) => {
    expect(classOf(withCode(code, { path: "/srv/own" }))).toEqual(intrinsic(code));
  });

  test("without a path, the arguments may be to blame", () => {
    expect(classOf(withCode("ENOENT"), { path: "a.md" })).toEqual(adaptive("ENOENT"));
  });
});
