import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isWhole } from "@toolcontract/case-table/whole";
import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { compileBare } from "./bare-ajv.ts";
import { BENCHMARKS } from "./benchmarks.ts";
import { type Corpus, corpusCall, readBfclCorpus } from "./corpus.ts";
import { sampleValue } from "./mcp-corpus.ts";
import { plainTables } from "./plain-table.ts";
import { median, race } from "./race.ts";
import { spoilCorpus } from "./spoil-call.ts";

const searchTool = {
  name: "search_issues",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string" },
      max_results: { type: "integer", minimum: 1 },
      labels: { type: "array", items: { enum: ["bug", "docs"] } },
    },
    required: ["query"],
    additionalProperties: false,
  },
};
const searches: Corpus = {
  name: "searches",
  calls: [
    corpusCall(searchTool, { query: "login fails", max_results: 20 }),
    corpusCall(searchTool, { query: "typo", labels: ["docs"] }),
  ],
};
const length = { rounds: 2, turnTime: 0.01, warmRuns: 1 };

// All of them take a minute.
test.each(isWhole ? BENCHMARKS : BENCHMARKS.slice(0, 1))(
  "$name runs and can be printed",
  async (benchmark) => {
    const tables = await benchmark.run({ corpora: [searches], length, isQuick: true });
    const rows = tables.flatMap((table) => table.rows);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter(({ value }) => !Number.isFinite(value))).toEqual([]);
    const text = plainTables(benchmark, tables);
    for (const { name } of rows) expect(text).toContain(name);
  },
);

describe("corpora", () => {
  test("real calls are read from a folder, one a line", () => {
    const folder = mkdtempSync(join(tmpdir(), "toolcontract-bench-"));
    expect(readBfclCorpus(folder)).toBeUndefined();
    const row = { id: "1", tool: searchTool, arguments: { query: "login fails" } };
    writeFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(row)}\n${JSON.stringify(row)}\n`);
    expect(readBfclCorpus(folder)?.calls.map(({ text }) => text)).toEqual([
      '{"query":"login fails"}',
      '{"query":"login fails"}',
    ]);
    rmSync(folder, { recursive: true });
  });

  test("spoilt calls are refused by ajv and by the contract, and are the same on every run", () => {
    const { calls } = spoilCorpus(searches);
    const contract = createContract({ logger: () => undefined, unwrapStrings: false });
    expect(calls.length).toBeGreaterThan(6);
    expect(spoilCorpus(searches)).toEqual({ name: "searches", calls });
    for (const { tool, args, text } of calls) {
      expect(compileBare(tool)(args)).toBe(false);
      expect(contract.check(tool, text)).toMatchObject({ status: "invalid" });
    }
  });

  test("samples follow references, unions and limits", () => {
    const schema = {
      $defs: {
        place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
      },
      type: "object",
      properties: {
        from: { $ref: "#/$defs/place" },
        when: { anyOf: [{ type: "string", format: "date" }, { type: "null" }] },
        seats: { type: "integer", minimum: 1, maximum: 2 },
      },
      required: ["from"],
    };
    const city = { city: expect.any(String) as string };
    expect(sampleValue(schema, "required")).toEqual({ from: city });
    expect(sampleValue(schema, "all")).toEqual({ from: city, when: "2026-03-14", seats: 2 });
  });
});

describe("race", () => {
  test("takes turns in changing order and compares within a round", async () => {
    const order: string[] = [];
    const contestant = (name: string) => ({ name, run: () => order.push(name) });
    const timings = await race([contestant("a"), contestant("b")], {
      rounds: 2,
      turnTime: 0,
      warmRuns: 1,
    });
    expect(order.join("")).toBe("abba");
    expect(timings.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
  ])("the median of %j is %d", (values, expected) => {
    expect(median(values)).toBe(expected);
  });
});
