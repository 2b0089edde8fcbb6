import assert from "node:assert";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ToolContractError } from "@toolcontract/core";
import { GraphInterrupt, NodeInterrupt, ParentCommand, Command } from "@langchain/langgraph";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

import type { Classification } from "../shared/index.ts";
import { classifyFailure, isFailedResult } from "./classify-failure.ts";
import type { Failure } from "./classify-failure.ts";
import { GuardrailViolation } from "./guardrail-violation.ts";
import { Outcome } from "./outcome.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outcome-"));
  await writeFile(join(folder, "a.txt"), "a");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NOW = Date.UTC(2026, 10, 22, 9, 0, 0);

function failureOf(error: unknown, args: unknown = {}, thrown = true): Failure {
  return classifyFailure(error, { tool: "t", args, thrown }, { now: NOW });
}

function classOf(error: unknown, args: unknown = {}, thrown = true): Classification | undefined {
  const failure = failureOf(error, args, thrown);
  return failure.kind === "failure" ? failure.classification : undefined;
}

async function thrownBy(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

const extrinsic = (error_type: string): Classification => ({
  class: "extrinsic",
  retriable: false,
  error_type,
});
const adaptive = (error_type: string): Classification => ({
  class: "adaptive",
  retriable: true,
  error_type,
});
const intrinsic = (error_type: string): Classification => ({
  class: "intrinsic",
  retriable: false,
  error_type,
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("what is not a failure", () => {
  test.each<readonly [string, unknown]>([
    ["an interrupt", new GraphInterrupt([{ value: "approve?" }])],
    ["an interrupt of a node", new NodeInterrupt("approve?")],
    ["a command to the parent graph", new ParentCommand(new Command({ goto: "next" }))],
    ["an interrupt whose class was lost", { name: "GraphInterrupt", message: "[]" }],
    ["a redirect", Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push;/" })],
    ["a tripwire", Object.assign(new Error("stopped"), { name: "TripWire" })],
  ])("%s steers the host's run", (_, error) => {
    expect(failureOf(error)).toEqual({ kind: "control-flow" });
  });

  test("whatever is thrown after the host's own abort, also a string", () => {
    const host = new AbortController();
    host.abort("user left");
    const context = { tool: "t", args: {}, thrown: true };
    for (const error of [host.signal.reason, new TypeError("bug"), undefined]) {
      expect(classifyFailure(error, context, { signal: host.signal })).toEqual({
        kind: "control-flow",
      });
    }
  });

  test("what was returned after the abort is still what it says", () => {
    const signal = AbortSignal.abort();
    const context = { tool: "t", args: {}, thrown: false };
    expect(classifyFailure(Outcome.error("late", "too late"), context, { signal }).kind).toBe(
      "failure",
    );
  });
});

test("a GuardrailViolation is one of the guardrail lane, as the same object", () => {
  const violation = new GuardrailViolation("full", "the cart is full");
  expect(failureOf(violation)).toEqual({ kind: "violation", violation });
});

describe("Outcome.error", () => {
  test.each<readonly [string, Parameters<typeof Outcome.error>[2], Classification]>([
    ["says nothing more", undefined, { ...adaptive("sold_out"), retriable: false }],
    ["is retriable", { retriable: true }, adaptive("sold_out")],
    [
      "names its kind",
      { kind: "intrinsic", retriable: true },
      { ...intrinsic("sold_out"), retriable: true },
    ],
    ["has a status", { metadata: { status: 503 } }, extrinsic("sold_out")],
    [
      "has a status and is retriable",
      { metadata: { status: 409 }, retriable: true },
      adaptive("sold_out"),
    ],
    [
      "has a kind and another status",
      { kind: "adaptive", metadata: { status: 503 } },
      { ...adaptive("sold_out"), retriable: false },
    ],
    [
      "has a status that is none",
      { metadata: { status: 42 }, retriable: true },
      adaptive("sold_out"),
    ],
    [
      "is unauthorised, by its author's word alone",
      { metadata: { status: 401 } },
      extrinsic("sold_out"),
    ],
  ])("that %s", (_, options, expected) => {
    const outcome = Outcome.error("sold_out", "the shop refused\nask later", options);
    expect(failureOf(outcome, {}, false)).toEqual({
      kind: "failure",
      classification: expected,
      message: "the shop refused\nask later",
    });
    // Thrown, it says the same.
    expect(classOf(outcome)).toEqual(expected);
  });
});

describe("RFC 9457", () => {
  const problem = {
    type: "https://example.com/probs/out-of-credit",
    title: "You do not have enough credit.",
    status: 409,
    detail: "Your balance is 30, but that costs 50.",
  };
  const asError = (fields: object): Error =>
    Object.assign(new Error("Request failed with status code 409"), fields);

  test.each<readonly [string, unknown]>([
    ["thrown", problem],
    ["as the body", asError({ body: problem })],
    ["as data", asError({ data: problem })],
    ["as the response's data", asError({ status: 409, response: { status: 409, data: problem } })],
    ["as the body's text", asError({ body: JSON.stringify(problem) })],
    ["as the response's text", asError({ responseBody: JSON.stringify(problem) })],
    ["as a cause", new Error("could not order", { cause: asError({ body: problem }) })],
  ])("a problem %s", (_, error) => {
    expect(classOf(error)).toEqual(adaptive("out-of-credit"));
  });

  test.each<readonly [string, unknown, Classification]>([
    ["without a type", { title: "Gone", status: 410 }, adaptive("http_410")],
    ["of no type", { type: "about:blank", title: "Busy", status: 503 }, extrinsic("http_503")],
    [
      "with a URN",
      { type: "urn:problem:shop:soldOut", title: "No", status: 409 },
      adaptive("soldOut"),
    ],
    [
      "with a fragment",
      { type: "/problems#sold-out", detail: "No", status: 409 },
      adaptive("sold-out"),
    ],
    [
      "with an address as its last part",
      { type: "https://example.com/a%20b", title: "No", status: 400 },
      adaptive("http_400"),
    ],
    [
      "that needs credentials",
      { type: "https://example.com/probs/no-key", title: "No", status: 401 },
      { ...extrinsic("no-key"), terminal: "missing_credentials" },
    ],
    [
      "whose status is that of the response",
      asError({ status: 422, body: { type: "https://example.com/bad-sku", title: "Bad" } }),
      adaptive("bad-sku"),
    ],
  ])("a problem %s", (_, error, expected) => {
    expect(classOf(error)).toEqual(expected);
  });

  test("the message is the problem's detail, or its title", () => {
    expect(failureOf(asError({ body: problem }))).toMatchObject({
      message: "Your balance is 30, but that costs 50.",
    });
    expect(failureOf({ title: "Gone", status: 410 })).toMatchObject({ message: "Gone" });
  });

  test.each<readonly [string, unknown]>([
    ["a type alone", { type: "error" }],
    ["a library's own type", { type: "invalid_request_error", message: "no" }],
    ["a status that is none", { title: "ok", status: 200 }],
    ["text that is not JSON", asError({ body: "{ title: 'x', status: 409 }" })],
    [
      "a body that is too long",
      asError({ body: `{"title":"${"x".repeat(70_000)}","status":409}` }),
    ],
  ])("%s is no problem", (_, error) => {
    expect(classOf(error)?.class).toBe("adaptive");
    expect(classOf(error)?.error_type).toMatch(/^(?:error|Error)$/);
  });
});

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
  ])("%s", (_, error, type) => {
    expect(classOf(error)).toEqual(extrinsic(type));
  });
});

function withCode(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`it failed: ${code}`), { code, ...fields });
}

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

  test("a blocked port has no code at all", async () => {
    const error = await thrownBy(() => fetch("http://127.0.0.1:22/"));
    expect(classOf(error)).toEqual(extrinsic("fetch_failed"));
  });

  test.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EPIPE",
    "UND_ERR_CONNECT_TIMEOUT",
    "ENOSPC",
    "EMFILE",
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
    for (let depth = 0; depth < 20; depth += 1) deep = new Error("wrapped", { cause: deep });
    expect(classOf(deep)).toEqual(adaptive("Error"));
  });
});

describe("HTTP", () => {
  const rows: readonly (readonly [readonly number[], Omit<Classification, "error_type">])[] = [
    [[408, 425, 429, 500, 502, 503, 504, 507, 599], { class: "extrinsic", retriable: false }],
    [
      [401, 402, 403, 407, 451],
      { class: "extrinsic", retriable: false, terminal: "missing_credentials" },
    ],
    [[501], { class: "extrinsic", retriable: false, terminal: "unsupported_capability" }],
    [[400, 404, 409, 410, 412, 413, 414, 416, 422, 428], { class: "adaptive", retriable: true }],
    [[405, 406, 411, 415, 426, 431], { class: "intrinsic", retriable: false }],
    [[418, 423], { class: "adaptive", retriable: true }],
  ];
  test.each(rows.flatMap(([statuses, treatment]) => statuses.map((s) => [s, treatment] as const)))(
    "%i",
    (status, treatment) => {
      const expected = { ...treatment, error_type: `http_${status}` };
      const places = [
        { status },
        { statusCode: status },
        { response: { status } },
        { response: { statusCode: status } },
        { $metadata: { httpStatusCode: status } },
        { cause: Object.assign(new Error("inner"), { status }) },
      ];
      for (const place of places) {
        expect(classOf(Object.assign(new Error("it failed"), place))).toEqual(expected);
      }
    },
  );

  test.each([200, 302, 600, 404.5, "404", Number.NaN])(
    "%j is not the status of an error",
    (status) => {
      expect(classOf(Object.assign(new Error("it failed"), { status }))).toEqual(adaptive("Error"));
    },
  );
});

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

describe("gRPC", () => {
  const grpc = (code: number, details: unknown = "it failed"): Error =>
    Object.assign(new Error(`${code}: it failed`), { code, details, metadata: new Map() });
  test.each<readonly [number, Classification]>([
    [1, extrinsic("grpc_cancelled")],
    [2, extrinsic("grpc_unknown")],
    [3, adaptive("grpc_invalid_argument")],
    [4, extrinsic("grpc_deadline_exceeded")],
    [5, adaptive("grpc_not_found")],
    [6, adaptive("grpc_already_exists")],
    [7, { ...extrinsic("grpc_permission_denied"), terminal: "missing_credentials" }],
    [8, extrinsic("grpc_resource_exhausted")],
    [9, adaptive("grpc_failed_precondition")],
    [10, adaptive("grpc_aborted")],
    [11, adaptive("grpc_out_of_range")],
    [12, { ...extrinsic("grpc_unimplemented"), terminal: "unsupported_capability" }],
    [13, extrinsic("grpc_internal")],
    [14, extrinsic("grpc_unavailable")],
    [15, extrinsic("grpc_data_loss")],
    [16, { ...extrinsic("grpc_unauthenticated"), terminal: "missing_credentials" }],
  ])("%i", (code, expected) => {
    expect(classOf(grpc(code))).toEqual(expected);
    // Connect lists the details.
    expect(classOf(grpc(code, []))).toEqual(expected);
    expect(classOf(new Error("could not call", { cause: grpc(code) }))).toEqual(expected);
  });

  test.each([0, 17, 5.5])("%d is no code of gRPC", (code) => {
    expect(classOf(grpc(code))).toEqual(adaptive("Error"));
  });

  test("a number of another library is none", () => {
    expect(classOf(Object.assign(new Error("no"), { code: 5 }))).toEqual(adaptive("Error"));
    expect(classOf(Object.assign(new Error("no"), { code: 5, details: "x" }))).toEqual(
      adaptive("Error"),
    );
  });
});

describe("files", () => {
  test.each<readonly [string, string, () => unknown]>([
    ["is missing", "ENOENT", () => readFile(join(folder, "b.txt"))],
    ["exists", "EEXIST", () => mkdir(join(folder, "a.txt"))],
    ["is no folder", "ENOTDIR", () => readFile(join(folder, "a.txt", "b.txt"))],
    ["is a folder", "EISDIR", () => readFile(folder)],
  ])("a path that %s", async (_, code, run) => {
    const error = await thrownBy(run);
    const path = (error as { path?: string }).path ?? "";
    expect(classOf(error, { path })).toEqual(adaptive(code));
    // Node does not say which path is a folder.
    const elsewhere = path === "" ? adaptive(code) : intrinsic(code);
    expect(classOf(error, { path: "/elsewhere" })).toEqual(elsewhere);
  });

  test.each<readonly [string, unknown, string]>([
    ["the whole path", { path: "/srv/notes/a.md" }, "adaptive"],
    ["a relative path", { path: "./notes/a.md" }, "adaptive"],
    ["a path that goes up", { path: "old/../notes/a.md" }, "adaptive"],
    ["a path of Windows", { path: "notes\\a.md" }, "adaptive"],
    ["a folder of it", { folder: "notes" }, "adaptive"],
    ["a name without its extension", { note: { id: "a" } }, "adaptive"],
    ["a deep place", { notes: [{ id: "notes/a" }] }, "adaptive"],
    ["a short string that is in it by chance", { mode: "o" }, "intrinsic"],
    ["the current folder", { path: "." }, "intrinsic"],
    ["nothing of it", { path: "b.md" }, "intrinsic"],
    ["no object", undefined, "intrinsic"],
  ])("a path from %s", (_, args, kind) => {
    const error = withCode("ENOENT", { path: "/srv/notes/a.md" });
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
          execFile("no-such-program-anywhere", reject);
        }),
    );
    expect(classOf(error, { query: "x" })).toEqual(intrinsic("ENOENT"));
  });

  test("without a path, the arguments may be to blame", () => {
    expect(classOf(withCode("ENOENT"), { path: "a.md" })).toEqual(adaptive("ENOENT"));
  });
});

describe("a result of MCP", () => {
  const result = { isError: true, content: [{ type: "text", text: "No such page.\nTry search." }] };
  test("with isError is for the model", () => {
    expect(failureOf(result, {}, false)).toEqual({
      kind: "failure",
      classification: adaptive("tool_error"),
      message: "No such page.",
    });
  });
});

test.each<readonly [string, unknown, boolean]>([
  ["Outcome.error", Outcome.error("sold_out", "no"), true],
  ["isError", { isError: true, content: [] }, true],
  ["a problem", { type: "https://example.com/x", title: "X", status: 404 }, true],
  ["Outcome.ok", Outcome.ok(1), false],
  ["isError: false", { isError: false, content: [] }, false],
  ["data that resembles a problem", { type: "book", title: "X", status: 404 }, false],
  ["a problem without an error's status", { type: "/x", title: "X", status: 200 }, false],
  ["an error as a value", new Error("x"), false],
  ["nothing", undefined, false],
])("whether a returned value failed: %s", (_, value, failed) => {
  expect(isFailedResult(value)).toBe(failed);
});

describe("mistakes in the tool's code", () => {
  test.each<readonly [string, () => unknown, string]>([
    ["TypeError", () => (undefined as unknown as { a: 1 }).a, "TypeError"],
    // oxlint-disable-next-line typescript/no-implied-eval -- a name that the compiler does not see
    ["ReferenceError", () => new Function("return missingName")() as unknown, "ReferenceError"],
    ["RangeError", () => "x".repeat(-1), "RangeError"],
    ["SyntaxError", () => JSON.parse("{") as unknown, "SyntaxError"],
    ["AssertionError", () => assert.equal(1, 2), "AssertionError"],
    ["a schema of zod", () => z.object({ a: z.string() }).parse({}), "invalid_data"],
    [
      "misuse of this library",
      () => {
        throw new ToolContractError("no");
      },
      "ToolContractError",
    ],
  ])("%s", async (_, run, type) => {
    expect(classOf(await thrownBy(run))).toEqual(intrinsic(type));
  });

  test.each([
    "ValiError",
    "ValidationError",
    "AI_TypeValidationError",
    "TraversalError",
    "SchemaError",
  ])("a validator's %s", (name) => {
    expect(classOf(Object.assign(new Error("no"), { name }))).toEqual(intrinsic("invalid_data"));
  });

  test("as a cause of an error with words of its own, it is the author's", () => {
    const error = new Error("the filter is not valid JSON", { cause: new SyntaxError("x") });
    expect(classOf(error)).toEqual(adaptive("Error"));
  });
});

describe("anything else", () => {
  class SoldOut extends Error {}
  test.each<readonly [string, unknown, string, string]>([
    ["an error", new Error("sold out"), "Error", "sold out"],
    ["a class of the author", new SoldOut("sold out"), "SoldOut", "sold out"],
    ["a name of the author", Object.assign(new Error("no"), { name: "SoldOut" }), "SoldOut", "no"],
    ["a name with a value", Object.assign(new Error("no"), { name: "order 17" }), "Error", "no"],
    ["a string", "sold out", "error", "sold out"],
    ["several lines", new Error("\n first \n second"), "Error", "first"],
    ["undefined", undefined, "error", "the tool failed"],
    ["null", null, "error", "the tool failed"],
    ["a number", 42, "error", "the tool failed"],
    ["an empty message", new Error(""), "Error", "the tool failed"],
    ["a plain object", { message: "sold out" }, "error", "sold out"],
    ["an Outcome.ok", Outcome.ok(1), "error", "the tool failed"],
  ])("%s", (_, error, type, message) => {
    expect(failureOf(error)).toEqual({
      kind: "failure",
      classification: adaptive(type),
      message,
    });
  });

  test("a long message is cut", () => {
    const failure = failureOf(new Error("x".repeat(1000)));
    expect(failure.kind === "failure" && failure.message).toBe(`${"x".repeat(299)}…`);
  });
});

describe("the user's own classify", () => {
  const context = { tool: "t", args: { a: 1 }, thrown: true };
  const ask = (classify: unknown, error: unknown = new Error("no")): Failure =>
    classifyFailure(error, context, { classify: classify as () => undefined });

  test("wins for what it answers, and gets the error and what is known", () => {
    const asked: unknown[] = [];
    const answer: Classification = {
      class: "extrinsic",
      error_type: "busy",
      retriable: false,
      terminal: "dependency_unavailable",
      retryAfterMs: 50,
    };
    const error = new TypeError("no");
    expect(ask((...given: unknown[]) => (asked.push(...given), answer), error)).toEqual({
      kind: "failure",
      classification: answer,
      message: "no",
    });
    expect(asked).toEqual([error, context]);
    expect(ask(() => undefined, error)).toMatchObject({ classification: intrinsic("TypeError") });
  });

  test("is not asked about control flow and violations", () => {
    const never = (): never => expect.unreachable();
    expect(ask(never, new GraphInterrupt([])).kind).toBe("control-flow");
    expect(ask(never, new GuardrailViolation("full", "no")).kind).toBe("violation");
  });

  test.each<readonly [string, unknown, string]>([
    [
      "throws",
      () => {
        throw new Error("secret");
      },
      "classify threw",
    ],
    ["is async", () => Promise.reject(new Error("secret")), "classify returned a promise"],
    ["returns null", () => null, "classify returned no object"],
    ["returns a string", () => "adaptive", "classify returned no object"],
    [
      "names no class",
      () => ({ class: "transient", error_type: "x", retriable: true }),
      "classify returned an unknown class",
    ],
    [
      "names no type",
      () => ({ class: "adaptive", error_type: "", retriable: true }),
      "classify returned an error_type that is not a name",
    ],
    [
      "says nothing of retrying",
      () => ({ class: "adaptive", error_type: "x" }),
      "classify returned no retriable",
    ],
    [
      "invents a reason",
      () => ({ class: "adaptive", error_type: "x", retriable: true, terminal: "tired" }),
      "classify returned an unknown terminal reason",
    ],
    [
      "waits for ever",
      () => ({
        class: "adaptive",
        error_type: "x",
        retriable: true,
        retryAfterMs: Number.POSITIVE_INFINITY,
      }),
      "classify returned a retryAfterMs that is no time",
    ],
  ])("that %s is reported, and the table decides", (_, classify, fault) => {
    expect(ask(classify)).toEqual({
      kind: "failure",
      classification: adaptive("Error"),
      message: "no",
      fault,
    });
  });
});

describe("whatever is thrown", () => {
  const hostile = new Proxy(
    {},
    Object.fromEntries(
      ["get", "has", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor"].map((trap) => [
        trap,
        () => {
          throw new Error("no entry");
        },
      ]),
    ),
  );
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const throwing = Object.defineProperty(new Error("x"), "code", {
    get() {
      throw new Error("no entry");
    },
  });
  // As functions: fast-check itself reads what it generates.
  const anything = fc.oneof(
    fc
      .anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
      .map((value) => () => value),
    ...[hostile, revoked, throwing, Symbol("x"), () => hostile].map((value) =>
      fc.constant<() => unknown>(() => value),
    ),
  );
  const key = fc.constantFrom(
    "body",
    "cause",
    "code",
    "content",
    "data",
    "details",
    "digest",
    "errors",
    "headers",
    "isError",
    "message",
    "metadata",
    "name",
    "path",
    "response",
    "status",
    "title",
    "type",
  );
  const errorLike = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(key, anything)))
    .map(([real, fields]) => () => {
      const target = real ? new Error("x") : {};
      for (const [name, value] of fields) {
        Object.defineProperty(target, name, { value: value(), configurable: true });
      }
      return target;
    });

  test("the classifier never throws and always answers in its words", () => {
    fc.assert(
      fc.property(fc.oneof(anything, errorLike), anything, fc.boolean(), (error, args, thrown) => {
        const failure = failureOf(error(), args(), thrown);
        expect(typeof isFailedResult(error())).toBe("boolean");
        if (failure.kind !== "failure") return;
        expect(["extrinsic", "adaptive", "intrinsic"]).toContain(failure.classification.class);
        expect(failure.classification.error_type).toMatch(/^[A-Za-z_][\w.-]{0,63}$/);
        expect(failure.message.length).toBeLessThanOrEqual(300);
        expect(failure.message).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });
});
