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

describe("numbers and booleans that a client has quoted, at the proxy", () => {
  test.each([
    ["in enforce", { unwrapStrings: "scalars" }, true],
    ["in assist", { mode: "assist", unwrapStrings: "scalars" }, true],
    ["not without being asked", { mode: "assist" }, false],
    ["not by the switch alone", { unwrapStrings: true }, false],
  ] as const)("%s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    const args = { of: ["2", 1] };
    const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
    const params = { arguments: { of: [2, 1] }, name: "sort" };
    if (isRewritten) expect(ruling).toMatchObject({ kind: "forward", message: { params } });
    else expect(ruling).not.toHaveProperty("message.params");
  });
});

describe("what clients make of arguments, at the proxy", () => {
  const rows = [
    ["enforce", {}, false],
    ["audit", { mode: "audit" }, false],
    ["assist", { mode: "assist" }, true],
    ["assist, turned off", { mode: "assist", unwrapStrings: false }, false],
    ["enforce, asked for", { unwrapStrings: true }, true],
  ] as const;

  test.each(rows)("%s", async (_, options, isRewritten) => {
    const server = gatedServer(serverOf([sort]), options);
    for (const args of [{ of: "[2, 1]" }, null]) {
      const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
      expect(ruling).toEqual(isRewritten ? REWRITTEN : { kind: "forward" });
    }
  });

  const joined = [[], "null", "undefined", '{}{"of":[1]}', '{"of":[1]}{"of":[1]}'];
  test.each(rows)(
    "what no server reads is rewritten or left as it is: %s",
    async (name, options, isRewritten) => {
      const server = gatedServer(serverOf([sort]), options);
      const refused = expect.objectContaining({ kind: name === "enforce" ? "answer" : "forward" });
      for (const args of joined) {
        const ruling = await server.gate.fromClient(toolCall(1, "sort", args), server.link());
        expect(ruling).toEqual(isRewritten ? REWRITTEN : refused);
        if (!isRewritten) expect(ruling).not.toHaveProperty("message.params");
      }
    },
  );
});
