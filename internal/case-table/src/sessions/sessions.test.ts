import { describe, expect, test } from "vitest";
import { sessionNeedsOf } from "./needs.ts";
import { SESSIONS } from "./sessions.ts";

describe("the table of sessions", () => {
  test("names every row once, each with the contract's words", () => {
    const names = SESSIONS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(SESSIONS.filter(({ clause }) => clause.length < 15)).toEqual([]);
  });

  test("is data that can be sent to another process", () => {
    expect(JSON.parse(JSON.stringify(SESSIONS))).toEqual(SESSIONS);
  });

  test("names every call of a row once, but for rows about ids that repeat", () => {
    const repeating = new Set([
      "the cap on calls counts calls, whatever their ids are",
      "a run in dollars reports before they are used up",
    ]);
    for (const { name, targets } of SESSIONS) {
      if (repeating.has(name)) continue;
      const made = targets.flatMap(({ replies }) => replies.flatMap(({ calls = [] }) => calls));
      const ids = made.map(({ id }) => id);
      expect([...new Set(ids)]).toEqual(ids);
    }
  });

  test("expects the requests of every row that is one run", () => {
    const silent = SESSIONS.filter(({ runs = 1, expected }) => runs === 1 && !expected.requests);
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("has rows for every need, limit and format", () => {
    const all = SESSIONS.flatMap(sessionNeedsOf);
    expect([...new Set(all)].toSorted()).toEqual([
      "callSettings",
      "resumes",
      "retriesText",
      "stops",
      "streams",
      "unknownTools",
      "xml",
    ]);
    const options = new Set(SESSIONS.flatMap((row) => Object.keys(row.options ?? {})));
    expect([...options].toSorted()).toEqual([
      "countsCharacters",
      "expectedOutputFormat",
      "maxCost",
      "maxRetries",
      "maxTokens",
      "maxToolCallsPerTurn",
      "maxTurns",
      "outputSchema",
      "plainText",
      "price",
      "queueOf",
      "queues",
      "rateLimitWait",
      "repeatableTools",
      "requestTimeout",
      "servers",
      "sharesQueues",
      "toolResponseMaxBytes",
      "toolTimeout",
      "trace",
      "transport",
      "truncateExempt",
    ]);
    const formats = new Set(
      SESSIONS.map((row) => (row.options ?? {}).expectedOutputFormat ?? "markdown"),
    );
    expect(formats.size).toBe(5);
  });
});
