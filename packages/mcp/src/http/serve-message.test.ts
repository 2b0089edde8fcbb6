import { describe, expect, test } from "vitest";
import type { Header } from "./headers.ts";
import { headersAgree } from "./serve-message.ts";

function listed(headers: Readonly<Record<string, string | undefined>>): readonly Header[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
}

const LEGACY = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "add", arguments: {} },
};
const MODERN = {
  ...LEGACY,
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "add",
};

function modernCall(args: object, version = "2026-07-28"): Readonly<Record<string, unknown>> {
  const envelope = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { ...CALL, params: { name: "add", arguments: args, _meta: envelope } };
}

describe("with sessions", () => {
  test.each([
    ["the usual headers", LEGACY],
    ["a version that has sessions", { ...LEGACY, "mcp-protocol-version": "2025-11-25" }],
    ["headers of the other protocol", { ...LEGACY, "mcp-method": "ping", "mcp-name": "other" }],
  ])("%s: nothing to contradict", (_, headers) => {
    expect(headersAgree(listed(headers), CALL)).toBe(true);
  });

  test("the message alone does not switch the protocol", () => {
    expect(headersAgree(listed(LEGACY), modernCall({}))).toBe(true);
    const old = { ...LEGACY, "mcp-protocol-version": "2025-11-25" };
    expect(headersAgree(listed(old), modernCall({}))).toBe(true);
  });
});

describe("without sessions", () => {
  test.each([
    ["headers that repeat the message", MODERN, {}],
    ["a wrapped name", { ...MODERN, "mcp-name": "=?base64?YWRk?=" }, {}],
    ["a repeated argument", { ...MODERN, "mcp-param-region": "eu" }, { at: { region: "eu" } }],
    ["a repeated number", { ...MODERN, "mcp-param-n": "42" }, { n: 42 }],
    ["a wrapped argument", { ...MODERN, "mcp-param-x": "=?base64?4piD?=" }, { x: "☃" }],
  ])("%s: no contradiction", (_, headers, args) => {
    expect(headersAgree(listed(headers), modernCall(args))).toBe(true);
  });

  test.each([
    ["another version", MODERN, modernCall({}, "2027-01-01")],
    ["no envelope", MODERN, CALL],
    ["no method header", { ...MODERN, "mcp-method": undefined }, modernCall({})],
    ["another method", { ...MODERN, "mcp-method": "tools/list" }, modernCall({})],
    ["another name", { ...MODERN, "mcp-name": "drop" }, modernCall({})],
    ["another argument", { ...MODERN, "mcp-param-region": "us" }, modernCall({ region: "eu" })],
  ])("%s: refused", (_, headers, message) => {
    expect(headersAgree(listed(headers), message)).toBe(false);
  });
});
