import { describe, expect, test } from "vitest";
import { headersAgree } from "./serve-message.ts";

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
    ["a charset", { ...LEGACY, "content-type": "application/json; charset=utf-8" }],
    ["anything accepted", { ...LEGACY, accept: "*/*" }],
    ["a version that has sessions", { ...LEGACY, "mcp-protocol-version": "2025-11-25" }],
  ])("%s: may be answered", (_, headers) => {
    expect(headersAgree(headers, CALL)).toBe(true);
  });

  test.each([
    ["a form, which any web page can send", { ...LEGACY, "content-type": "text/plain" }],
    ["no content type", { accept: "*/*" }],
    ["a client that takes no JSON", { ...LEGACY, accept: "text/event-stream" }],
  ])("%s: the server's to answer", (_, headers) => {
    expect(headersAgree(headers, CALL)).toBe(false);
  });
});

describe("without sessions", () => {
  test.each([
    ["headers that repeat the message", MODERN, {}],
    ["a wrapped name", { ...MODERN, "mcp-name": "=?base64?YWRk?=" }, {}],
    ["a repeated argument", { ...MODERN, "mcp-param-region": "eu" }, { at: { region: "eu" } }],
    ["a repeated number", { ...MODERN, "mcp-param-n": "42" }, { n: 42 }],
    ["a wrapped argument", { ...MODERN, "mcp-param-x": "=?base64?4piD?=" }, { x: "☃" }],
  ])("%s: may be answered", (_, headers, args) => {
    expect(headersAgree(headers, modernCall(args))).toBe(true);
  });

  test.each([
    ["no version header", { ...MODERN, "mcp-protocol-version": undefined }, modernCall({})],
    ["another version", MODERN, modernCall({}, "2027-01-01")],
    ["no envelope", MODERN, CALL],
    ["no method header", { ...MODERN, "mcp-method": undefined }, modernCall({})],
    ["another method", { ...MODERN, "mcp-method": "tools/list" }, modernCall({})],
    ["another name", { ...MODERN, "mcp-name": "drop" }, modernCall({})],
    ["another argument", { ...MODERN, "mcp-param-region": "us" }, modernCall({ region: "eu" })],
  ])("%s: the server's to refuse", (_, headers, message) => {
    expect(headersAgree(headers as typeof MODERN, message)).toBe(false);
  });
});
