import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type WireReply, type WireScript, type WireServer, serveWire } from "@toolcontract/wire";
import { afterEach, describe, expect, test } from "vitest";
import { type LiveOptions, type LiveReport, runLive } from "./run-live.ts";
import { proportion, shownProportion } from "./proportion.ts";

const weather = {
  name: "weather.get",
  description: "The weather of a day.",
  inputSchema: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city", "days"],
  },
} as const;

/** A call as the data have it. */
function callOf(id: string, args: object, more: object = {}) {
  const sent = { arguments: JSON.stringify(args), json: true, valid: false, known: true };
  return {
    id,
    source: "house",
    model: "m",
    called: weather.name,
    tool: weather,
    answers: null,
    ...sent,
    ...more,
  };
}

const CALLS = [
  callOf(
    "1",
    { city: "Oslo", days: "two" },
    {
      faults: [{ kind: "type", at: "/days" }],
      answers: [{ city: ["Oslo"], days: [2] }],
    },
  ),
  callOf("2", { days: 3 }, { faults: [{ kind: "missing", at: "/city" }] }),
  // None of these is asked about: the same call again, a valid one, and an unknown tool.
  callOf("3", { days: 3 }, { faults: [{ kind: "missing", at: "/city" }] }),
  callOf("4", { city: "Oslo", days: 1 }, { valid: true }),
  callOf("5", { city: "Oslo" }, { known: false, tool: null, offered: [] }),
];

let server: WireServer | undefined;
afterEach(async () => server?.close());

async function live(script: WireScript, more: Partial<LiveOptions> = {}): Promise<LiveReport> {
  server = await serveWire(script);
  const data = join(mkdtempSync(join(tmpdir(), "live-")), "calls.jsonl");
  writeFileSync(data, CALLS.map((call) => JSON.stringify(call)).join("\n"));
  const fixed = { calls: 10, runs: 1, maxCost: undefined, price: [1, 10] as const };
  return runLive({
    baseUrl: server.openaiUrl,
    models: ["small"],
    apiKey: "k",
    data,
    ...fixed,
    ...more,
  });
}

async function tables(script: WireScript, more: Partial<LiveOptions> = {}): Promise<string> {
  return (await live(script, more)).tables;
}

const usage = { input: 100, output: 10 };
const calling = (args: object): WireReply => ({
  usage,
  calls: [{ id: "call_9", name: "weather_get", input: JSON.stringify(args) }],
});

/** The cells of the rows of a table, by their first two cells. */
function rowsOf(text: string): Readonly<Record<string, readonly string[]>> {
  const rows = text.split("\n").filter((line) => line.startsWith("| small"));
  return Object.fromEntries(
    rows.map((line) => {
      const [, , system = "", ...cells] = line.split("|").map((cell) => cell.trim());
      return [system, cells.slice(0, -1)];
    }),
  );
}

describe("bench:live", () => {
  test("a model that corrects at once is valid after one round, whoever answered", async () => {
    const text = await tables(() => calling({ city: "Oslo", days: 2 }));
    expect(rowsOf(text)).toEqual({
      "Toolcontract standard, core": [
        "100 % (34 to 100, of 2)",
        "100 % (34 to 100, of 2)",
        "100 % (21 to 100, of 1)",
        "0",
        "110",
        "0.0004",
      ],
      "AI SDK 7": [
        "100 % (34 to 100, of 2)",
        "100 % (34 to 100, of 2)",
        "100 % (21 to 100, of 1)",
        "0",
        "110",
        "0.0004",
      ],
      "ajv errorsText": [
        "100 % (34 to 100, of 2)",
        "100 % (34 to 100, of 2)",
        "100 % (21 to 100, of 1)",
        "0",
        "110",
        "0.0004",
      ],
    });
    expect(text).toContain("| missing | 100 % (21 to 100, of 1) |");
    expect(text).toContain("| type | 100 % (21 to 100, of 1) |");
  });

  test("a model reads the tool, its own tries and each answer", async () => {
    let asked = 0;
    await tables(
      () => {
        asked += 1;
        return calling(asked % 2 === 1 ? { city: 5, days: 2 } : { city: "Oslo", days: 2 });
      },
      { calls: 1 },
    );
    const [first, second] = server?.requests.map(({ body }) => body) ?? [];
    expect(first).toMatchObject({
      model: "small",
      tools: [{ function: { name: "weather_get", parameters: weather.inputSchema } }],
      messages: [
        { role: "user" },
        {
          tool_calls: [
            { function: { name: "weather_get", arguments: '{"city":"Oslo","days":"two"}' } },
          ],
        },
        { role: "tool", content: expect.stringContaining("expected integer, got string") },
      ],
    });
    expect(second?.["messages"]).toHaveLength(5);
    expect(second).toMatchObject({
      messages: { 4: { content: expect.stringContaining("/city") } },
    });
  });

  test("one that repeats its call is never valid, and one that calls nothing is asked no more", async () => {
    const repeating = await tables((_, index) =>
      index < 9 ? calling({ days: "two" }) : { text: "I give up.", usage },
    );
    expect(rowsOf(repeating)["ajv errorsText"]?.slice(0, 2)).toEqual([
      "0 % (0 to 66, of 2)",
      "0 % (0 to 66, of 2)",
    ]);
    expect(server?.requests).toHaveLength(3 * 3 + 3);
  });

  test("stops when the cost is reached, and asks for a price if none is known", async () => {
    const text = await tables(() => calling({ city: "Oslo", days: 2 }), { maxCost: 0.0003 });
    expect(text).toContain("Stopped: 0.00 dollars are spent.");
    expect(server?.requests).toHaveLength(2);
    await server?.close();
    await expect(
      tables(() => calling({}), { maxCost: 1, price: undefined, models: ["house-model"] }),
    ).rejects.toThrow(
      "No price of 'house-model' is known, so --max-cost cannot hold: pass --price.",
    );
    expect(server?.requests).toEqual([]);
  });

  test("a page has the three numbers that matter, by whose answer the model read", async () => {
    const { page, tables: all } = await live(() => calling({ city: "Oslo", days: 2 }));
    const share = "100 % (34 to 100, of 2)";
    expect(page).toContain(`## small

|  | Toolcontract standard, core | AI SDK 7 | ajv errorsText |
| --- | --- | --- | --- |
| calls that are valid after one answer | ${share} | ${share} | ${share} |
| calls that are valid after three | ${share} | ${share} | ${share} |
| tokens a call | 110 | 110 | 110 |`);
    expect(page).toContain(all);
  });

  test("what the endpoint refuses is listed and counts as no call", async () => {
    const text = await tables(() => ({ status: 400, message: "no tools here" }));
    expect(text).toContain("6 calls failed:");
    expect(text).toContain("no tools here");
    expect(rowsOf(text)).toEqual({});
  });
});

test.each([
  [0, 0, "–"],
  [0, 10, "0 % (0 to 28, of 10)"],
  [5, 10, "50 % (24 to 76, of 10)"],
  [10, 10, "100 % (72 to 100, of 10)"],
])("of %i in %i the interval is Wilson's: %s", (hits, of, shown) => {
  expect(shownProportion(proportion(hits, of))).toBe(shown);
});
