import { describe, expect, test } from "vitest";
import { createTargets } from "./target.ts";

const targetOf = createTargets(new URL("http://127.0.0.1/base/mcp?key=k"), "/mcp");

describe("the endpoint is matched as servers match it", () => {
  test.each([
    ["/mcp", "/base/mcp?key=k"],
    ["/mcp/", "/base/mcp?key=k"],
    ["/MCP", "/base/mcp?key=k"],
    ["//mcp", "/base/mcp?key=k"],
    ["/./x/../mcp", "/base/mcp?key=k"],
    ["/%6dcp", "/base/mcp?key=k"],
    ["/mcp;v=1", "/base/mcp?key=k"],
    ["/mcp#here", "/base/mcp?key=k"],
    ["/mcp?a=%2F&b", "/base/mcp?key=k&a=%2F&b"],
    ["/mcp/?a=1", "/base/mcp?key=k&a=1"],
  ])("%s", (url, path) => {
    expect(targetOf(url)).toMatchObject({ path, isEndpoint: true });
  });

  test.each([
    ["/base/mcp", "/base/mcp?key=k"],
    ["/base/mcp/", "/base/mcp/?key=k"],
    ["/Base/%4Dcp?a", "/Base/%4Dcp?key=k&a"],
  ])("%s, the server's own path, keeps its spelling", (url, path) => {
    expect(targetOf(url)).toMatchObject({ path, isEndpoint: true });
  });
});

test.each(["/", "/mc", "/mcp2", "/mcp/x", "/x?to=/mcp", "/%zz/mcp", "/base"])(
  "%s is another path",
  (url) => {
    expect(targetOf(url)).toMatchObject({ path: url, isEndpoint: false });
  },
);

test.each(["http://evil.example/mcp", "*", "", "mcp"])("%j is not a path", (url) => {
  expect(targetOf(url)).toBeUndefined();
});
