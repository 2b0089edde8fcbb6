import { countCost } from "@toolcontract/case-table/cost";
import type { ValidationError } from "@toolcontract/core";
import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { gatedServer, serverOf, textOf } from "../../testing/gated-server.ts";
import { createRepairedCopy } from "./repaired-copy.ts";

function errorAt(fieldPath: string, errorCode: ValidationError["errorCode"]): ValidationError {
  return { fieldPath, errorCode, message: "", severity: "error" };
}

function repaired(text: string, ...paths: readonly string[]): string | undefined {
  const copy = createRepairedCopy(JSON.parse(text));
  const isRepaired = copy.repair(paths.map((path) => errorAt(path, "VAL-002")));
  return isRepaired ? JSON.stringify(copy.value()) : undefined;
}

test.each<[string, string, readonly string[], string | undefined]>([
  ["text of numbers", '{"a":["1","x","-2.5e1"]}', ["/a/0", "/a/2"], '{"a":[1,"x",-25]}'],
  ["text of a boolean", '{"a":{"b":"TRUE"}}', ["/a/b"], '{"a":{"b":true}}'],
  ["JSON text", '{"a":"[1]"}', ["/a"], '{"a":[1]}'],
  [
    "a number and a boolean",
    '{"a":5,"b":[-1.5e2,true],"c":{"d":1e-7}}',
    ["/a", "/b/0", "/b/1", "/c/d"],
    '{"a":"5","b":["-150","true"],"c":{"d":"1e-7"}}',
  ],
  ["null", '{"a":null,"b":1}', ["/a"], '{"b":1}'],
  ["null for everything", "null", [""], "{}"],
  ["JSON text of everything", String.raw`"{\"a\":1}"`, [""], '{"a":1}'],
  [
    "a name that objects inherit",
    '{"__proto__":{"a":"1"}}',
    ["/__proto__/a"],
    '{"__proto__":{"a":1}}',
  ],
  ["such a name itself", '{"__proto__":"1"}', ["/__proto__"], '{"__proto__":1}'],
  ["a name with a slash", '{"a/b~":"1"}', ["/a~1b~0"], '{"a/b~":1}'],
  [
    "names that are masked",
    '{"a":{"2026-01-01":"1","b c":"x","d":"2"}}',
    ["/a/(unknown field)"],
    '{"a":{"2026-01-01":1,"b c":"x","d":"2"}}',
  ],
  ["null in a list", '{"a":[null]}', ["/a/0"], undefined],
  ["a word", '{"a":"one"}', ["/a"], undefined],
  ["what is not there", '{"a":1}', ["/b"], undefined],
  ["what every object inherits", "{}", ["/toString"], undefined],
])("%s", (_, text, paths, expected) => {
  expect(repaired(text, ...paths)).toBe(expected);
});

test("the arguments themselves never change, over several rounds either", () => {
  const args = { rows: [{ n: "1" }, { n: "2" }], other: { x: 1 } };
  const before = structuredClone(args);
  const copy = createRepairedCopy(args);
  copy.repair([errorAt("/rows/0/n", "VAL-002")]);
  copy.repair([errorAt("/rows/1/n", "VAL-002")]);
  expect(copy.value()).toEqual({ rows: [{ n: 1 }, { n: 2 }], other: { x: 1 } });
  expect((copy.value() as typeof args).other).toBe(args.other);
  expect(args).toEqual(before);
});

test.each([5, true])("%j that is no better as a string is not repaired twice", (value) => {
  const copy = createRepairedCopy({ a: value });
  expect(copy.repair([errorAt("/a", "VAL-002")])).toBe(true);
  expect(copy.value()).toEqual({ a: String(value) });
  expect(copy.repair([errorAt("/a", "VAL-002")])).toBe(false);
});

test("an error of another kind is not repaired", () => {
  expect(createRepairedCopy({ a: "1" }).repair([errorAt("/a", "VAL-007")])).toBe(false);
});

describe("many errors that can be repaired", () => {
  const tool = {
    name: "sum",
    inputSchema: {
      properties: { of: { type: "array", items: { type: "integer" } } },
      additionalProperties: { type: "integer" },
    },
  };

  test.each([
    ["400 in a list", { of: Array.from({ length: 400 }, () => "1") }, 10],
    ["50, of which the message shows one", { of: Array.from({ length: 50 }, () => "1") }, 1],
  ])("%s: the call is forwarded", async (_, args, maxErrors) => {
    const server = gatedServer(serverOf([tool]), { format: { maxErrors } });
    expect(textOf(await server.call("sum", args))).toBe("done");
  });

  test("under masked names: the call is forwarded", async () => {
    const server = gatedServer(serverOf([tool]));
    const args = { "2026-01-01": "5", "2026-01-02": "6", plain: "7" };
    expect(textOf(await server.call("sum", args))).toBe("done");
    const text = textOf(await server.call("sum", { ...args, "2026-01-03": "six" }));
    expect(text).toContain("VAL-002");
  });

  const MANY = isWhole ? 200_000 : 40_000;

  test(`${MANY} fields cost little`, async () => {
    const server = gatedServer(serverOf([tool]));
    const args = Object.fromEntries(Array.from({ length: MANY }, (_, n) => [`k${n}`, "1"]));
    const cost = countCost();
    await server.call("sum", args);
    // Copying them for each error took more than half a minute.
    expect(cost()).toBeLessThan(MANY / 20);
  });
});
