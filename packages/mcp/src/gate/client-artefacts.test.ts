import { describe, expect, test } from "vitest";
import { gatedServer, serverOf, toolCall } from "../testing/gated-server.ts";

const sort = {
  name: "sort",
  inputSchema: {
    type: "object",
    properties: { of: { type: "array", items: { type: "integer" } } },
  },
};
const REWRITTEN = expect.objectContaining({ kind: "forward", message: expect.anything() });

describe("what clients make of arguments, at the proxy", () => {
  test.each([
    ["enforce", {}, false],
    ["audit", { mode: "audit" }, false],
    ["assist", { mode: "assist" }, true],
    ["assist, turned off", { mode: "assist", unwrapStrings: false }, false],
    ["enforce, asked for", { unwrapStrings: true }, true],
  ] as const)("%s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    for (const args of [{ of: "[2, 1]" }, null]) {
      const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
      expect(ruling).toEqual(isRewritten ? REWRITTEN : { kind: "forward" });
    }
  });
});
