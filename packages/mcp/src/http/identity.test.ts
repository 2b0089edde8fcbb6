import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type AttemptKeySource, createKeysOf, type RequestKeys } from "./identity.ts";
import { OF_AN_EDGE, PREFIXES } from "./separating-headers.ts";

type Headers = Readonly<Record<string, string>>;

/** Reads the keys of requests from one address, which have a few headers in common. */
function reader({
  attemptKey = "auto",
  vary,
}: { attemptKey?: AttemptKeySource; vary?: readonly string[] } = {}) {
  const varying: string[] = [];
  const keysOf = createKeysOf({ attemptKey, vary, onVarying: (name) => varying.push(name) });
  const keys = (headers: Headers, address = "10.0.0.1"): RequestKeys => {
    const all = { "User-Agent": "agent/1", ...headers };
    return keysOf({ headers: Object.entries(all), query: "", address }, {});
  };
  return { keys, varying };
}

const EDGES = [...OF_AN_EDGE, ...PREFIXES.map((prefix) => `${prefix}something`)]
  // Each trace is one run of an agent, by intent.
  .filter((name) => name !== "traceparent");

test("docs/mcp-flags.md names every header that tells nobody apart", () => {
  const page = readFileSync(new URL("../../../../docs/mcp-flags.md", import.meta.url), "utf8");
  for (const name of [...OF_AN_EDGE, ...PREFIXES]) expect(page).toContain(`\`${name}\``);
});

describe("what changes with every request", () => {
  test.each([...EDGES, "X-Amzn-Trace-Id", "CF-Ray", "X-B3-TraceId", "Idempotency-Key"])(
    "is no other user: %s",
    (name) => {
      const { keys } = reader();
      expect(keys({ [name]: "one" })).toEqual(keys({ [name]: "other" }));
    },
  );

  test.each([
    ["10.1.2.3:50111", "10.1.2.3:50112"],
    ["10.1.2.3:1, 10.9.9.9:2", "10.1.2.3, 10.9.9.9"],
    ["[fd00::7]:50111", "[fd00::7]:50112"],
  ])("is the port of X-Forwarded-For: %s and %s", (one, other) => {
    const { keys } = reader();
    expect(keys({ "X-Forwarded-For": one })).toEqual(keys({ "x-forwarded-for": other }));
  });

  test.each([
    ["10.1.2.3:50111", "10.1.2.4:50111"],
    ["[fd00::7]:1", "[fd00::8]:1"],
    ["fd00::7", "fd00::8"],
    ["fd00::1:80", "fd00::1:81"],
  ])("but not its address: %s and %s", (one, other) => {
    const { keys } = reader();
    const [first, second] = [keys({ "X-Forwarded-For": one }), keys({ "X-Forwarded-For": other })];
    expect(first.attemptKey).not.toBe(second.attemptKey);
    expect(first.listKey).not.toBe(second.listKey);
  });
});

describe("--attempt-key", () => {
  const { keys } = reader({ attemptKey: "header:X-User" });

  test("replaces the headers for counts and lists alike", () => {
    const one = keys({ "X-User": "ann", "X-Unknown": "1" });
    expect(keys({ "X-User": "ann", "X-Unknown": "2" })).toEqual(one);
  });

  test.each<[string, Headers, Headers]>([
    ["users", { "X-User": "ann" }, { "X-User": "bob" }],
    [
      "credentials",
      { "X-User": "ann", Authorization: "one" },
      { "X-User": "ann", Authorization: "other" },
    ],
    [
      "sessions",
      { "X-User": "ann", "Mcp-Session-Id": "1" },
      { "X-User": "ann", "Mcp-Session-Id": "2" },
    ],
  ])("keeps the lists of other %s apart", (_, one, other) => {
    expect(keys(one).listKey).not.toBe(keys(other).listKey);
  });
});

describe("--vary", () => {
  const { keys } = reader({ vary: ["X-Tenant", "x-role"] });

  test("names the only headers that separate, whatever the address and the trace", () => {
    const one = keys({ "X-Tenant": "a", "X-Unknown": "1", traceparent: `00-${"1".repeat(32)}-` });
    expect(keys({ "x-tenant": "a", "X-Unknown": "2" }, "10.0.0.1")).toEqual(one);
    expect(keys({ "x-tenant": "a" }, "10.0.0.2").attemptKey).toBe(one.attemptKey);
  });

  test.each<[string, Headers]>([
    ["another tenant", { "X-Tenant": "b" }],
    ["another role", { "X-Tenant": "a", "X-Role": "admin" }],
    ["credentials", { "X-Tenant": "a", Cookie: "id=7" }],
    ["a session", { "X-Tenant": "a", "Mcp-Session-Id": "1" }],
  ])("separates %s", (_, headers) => {
    const [one, other] = [keys({ "X-Tenant": "a" }), keys(headers)];
    expect(one.attemptKey).not.toBe(other.attemptKey);
    expect(one.listKey).not.toBe(other.listKey);
  });
});

describe("a header that seems to be another one with every request", () => {
  const requests = (count: number, headers: (n: number) => Headers) => {
    const { keys, varying } = reader();
    for (let n = 0; n < count; n += 1) keys(headers(n));
    return varying;
  };

  test("is named once", () => {
    expect(requests(100, (n) => ({ "X-Span": String(n) }))).toEqual(["x-span"]);
  });

  test.each<[string, number, (n: number) => Headers]>([
    ["a few users are new", 20, (n) => ({ "X-Span": String(n) })],
    ["users come back", 200, (n) => ({ "X-User": String(n % 10 === 9 ? 0 : n) })],
    ["it is a credential", 100, (n) => ({ Authorization: `Bearer ${n}` })],
    ["several headers differ", 100, (n) => ({ "X-A": String(n), "X-B": String(n) })],
    ["they have sessions", 100, (n) => ({ "X-A": String(n), "Mcp-Session-Id": String(n) })],
    ["nothing differs", 100, () => ({})],
  ])("is not suspected if %s", (_, count, headers) => {
    expect(requests(count, headers)).toEqual([]);
  });
});
