import { expect, test } from "vitest";
import { measurePeers } from "./measure-peers.ts";
import { peerTable } from "./peer-table.ts";
import type { RealCall } from "./real-calls.ts";

const tool = {
  name: "search",
  inputSchema: {
    type: "object",
    properties: { words: { type: "array", items: { type: "string" } }, most: { type: "integer" } },
    required: ["words", "most"],
  },
};

/** As authors write it: no value has both. */
const contradictory = {
  type: "object",
  properties: { year: { type: "integer", enum: ["2010", "2011"] } },
};

function call(sent: string, more: Partial<RealCall>): RealCall {
  const usual = {
    id: sent,
    source: "house",
    model: "m",
    called: "search",
    known: true,
    answers: null,
  };
  return { ...usual, tool, arguments: sent, json: true, valid: false, ...more };
}

const CALLS: readonly RealCall[] = [
  call('{"words": "lima", "most": "5"}', {
    faults: [
      { kind: "one string for array", at: "/words" },
      { kind: "quoted integer", at: "/most" },
    ],
  }),
  call("{'words': ['lima'], 'most': 5}", { json: false }),
  call('{"words": ["lima"], "most": 5}', { valid: true }),
  call('{"year": "2010"}', { tool: { name: "songs", inputSchema: contradictory } }),
];

test("the systems are compared on the same calls, by a reader who takes their words literally", async () => {
  const results = await measurePeers(CALLS);
  expect(results).toMatchObject({ invalid: 2, answered: 1, malformed: 1 });
  const seen = results.systems.map(
    ({ system, located, validAfter, malformedRun, ranInvalid, ranAsMeant }) => [
      system,
      ranInvalid,
      ranAsMeant,
      located,
      ...validAfter,
      malformedRun,
    ],
  );
  expect(seen).toEqual([
    ["Toolcontract standard, core", 0, 1, 2, 1, 1, 1],
    ["AI SDK 7", 0, 1, 2, 1, 1, 0],
    ["ajv errorsText", 0, 0, 2, 1, 1, 0],
  ]);
  expect(peerTable(results).split("\n")).toHaveLength(5);
});
