import { expectLinearCost } from "@toolcontract/case-table/cost";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashArguments } from "./arguments-hash.ts";
import { type AttemptState, addFailure, beginCall, openAttempts } from "./attempt-state.ts";
import { countAttempts, isToolClosed } from "./count-attempts.ts";
import type { ModelTurn, TurnCall, TurnResult } from "./model-turn.ts";
import type { ResultMarker } from "./result-marker.ts";

const REJECTED: ResultMarker = {
  formatVersion: "1.0",
  status: "rejected",
  argumentsHash: "00c0ffee00c0ffee",
  errors: [{ errorCode: "VAL-001", fieldPath: "/path", summary: "Missing required field 'path'" }],
};
const TEXT = [
  "Validation failed for tool 'write_file' (attempt 7/9):",
  "",
  "Errors:",
  "• /content (VAL-001): Required field 'content' is missing",
  "  Expected: string",
  "",
  "Correct these and call 'write_file' again with all arguments.",
].join("\n");
const LAST_TEXT = TEXT.replace("7/9", "3/3").replace(
  /Correct these.*$/,
  "Do not call 'write_file' again for this request: tell the user what is missing, or continue without it.",
);

type Answer = Omit<TurnResult, "toolCallId">;
const ANSWERS: Readonly<Record<string, Answer>> = {
  b: { isError: true, content: "anything", marker: REJECTED },
  x: { isError: true, marker: { ...REJECTED, status: "blocked" } },
  t: { isError: true, content: TEXT },
  l: { isError: true, content: LAST_TEXT },
  v: { isError: false, content: "saved" },
  m: { isError: false, marker: { formatVersion: "1.0", status: "executed" } },
  f: { isError: true, content: "ENOENT: no such file" },
  q: { isError: true, content: `The log says: ${TEXT}` },
  g: { isError: false, content: TEXT },
};

/**
 * One turn from a word such as `bv`: a call of write_file for each letter, answered as above, `-` unanswered.
 * The word `>` before it marks a user message, `read:` before it another tool.
 */
function turn(word: string): ModelTurn {
  const [, user, name, letters = ""] = /^(>?)(?:(\w+):)?(.*)$/.exec(word) ?? [];
  const calls = Array.from(letters, (_, index) => ({
    id: `call_${index}`,
    name: name ?? "write_file",
    arguments: { mode: "rw" },
  }));
  const results = Array.from(letters, (letter, index) => ({ letter, toolCallId: `call_${index}` }))
    .filter(({ letter }) => letter !== "-")
    .map(({ letter, toolCallId }) => ({ toolCallId, ...ANSWERS[letter]! }));
  return { calls, results, ...(user === ">" && { afterUserMessage: true }) };
}

function count(words: string, scope: "run" | "thread" = "run"): ReturnType<typeof countAttempts> {
  return countAttempts(words.split(" ").filter(Boolean).map(turn), "write_file", scope);
}

describe("countAttempts", () => {
  test.each([
    ["no turn at all", "", 0],
    ["one failure a turn", "b b", 2],
    ["parallel failures of a turn share a number", "bbb bb", 2],
    ["a valid turn resets", "b b v b", 1],
    ["one good and one bad call of a turn do not reset", "vb bv vb", 3],
    ["turns without a call of the tool change nothing", "b read_file:v read_file:b b", 2],
    ["a failure of the tool itself shows valid arguments", "b f", 0],
    ["a marker of an executed call shows valid arguments", "b m", 0],
    ["the whole text of a rejection counts, never the number in it", "t t", 2],
    ["a text that only quotes a rejection does not count", "b q", 0],
    ["a rejection's text in a result that is not an error does not count", "b g", 0],
    ["calls without a result are ignored", "b -- b", 2],
    ["the last turn settles nothing while a call waits for its answer", "b v-", 1],
    ["an earlier turn settles without the answers it never got", "b v- -", 0],
    ["a failure in the last turn counts at once", "b b-", 2],
    ["a turn after a user message begins a new run", "b b >b", 1],
    ["a user message alone begins a new run", "b b >", 0],
    ["after the limit nothing is counted", "b b x x bx", 3],
    ["a valid turn unblocks", "b b x v b", 1],
  ])("%s: %j", (_, words, failed) => {
    expect(count(words).failed).toBe(failed);
  });

  test.each([
    ["b b >b", 3],
    ["b v >b", 1],
  ])("scope thread keeps counting across user messages: %j", (words, failed) => {
    expect(count(words, "thread").failed).toBe(failed);
  });

  test.each([
    ["run", 1],
    ["thread", 2],
  ] as const)("a changed runId in scope %s leaves %i", (scope, failed) => {
    const turns = ["b", "b"].map((word, index) => ({ ...turn(word), runId: `run-${index}` }));
    expect(countAttempts(turns, "write_file", scope).failed).toBe(failed);
    expect(countAttempts([turns[0]!, turn("b")], "write_file", scope).failed).toBe(2);
  });

  test.each([
    ["b b x", true],
    ["t t l", true],
    ["b b x f", false],
    ["b b x >", false],
    ["b b", false],
  ])("for %j, blocked is %s", (words, blocked) => {
    expect(count(words).blocked).toBe(blocked);
  });

  test.each([
    [["run-1", undefined, "run-1"], 3],
    [["run-1", undefined, "run-2"], 1],
    [[undefined, "run-1", undefined], 3],
  ])("a turn without a run belongs to the one before it: %j", (runs, failed) => {
    const turns = runs.map((runId) => ({ ...turn("b"), ...(runId !== undefined && { runId }) }));
    expect(countAttempts(turns, "write_file", "run").failed).toBe(failed);
  });

  test.each<[what: string, Answer, Answer]>([
    ["its error flag", { isError: false, content: TEXT }, { isError: true, content: TEXT }],
    ["its text", { isError: true, content: "ENOENT" }, { isError: true, content: TEXT }],
    [
      "its marker",
      { isError: true, content: "" },
      { isError: true, content: "", marker: REJECTED },
    ],
  ])("a history whose result changed in %s is counted again", (_, one, other) => {
    const { calls } = turn("b");
    const failedAfter = (answer: Answer): number => {
      const turns = [{ calls, results: [{ toolCallId: "call_0", ...answer }] }, turn("read:v")];
      return countAttempts(turns, "write_file", "run").failed;
    };
    expect([one, other, one].map(failedAfter)).toEqual([0, 1, 0]);
  });

  test.each([
    ["b b", false],
    ["b b x", true],
  ])("for %j, the tool is closed: %s", (words, closed) => {
    expect(isToolClosed(count(words))).toBe(closed);
    const closedBy = { lanes: {}, closedBy: "guardrail" } as const;
    expect(isToolClosed({ ...count(words), ...closedBy })).toBe(true);
  });

  test("only a result with the id of a call of the tool counts", () => {
    const stray = { ...turn("b"), calls: [{ id: "call_9", name: "write_file" }] };
    const others = { ...turn("read_file:b"), results: turn("b").results };
    expect(countAttempts([stray, others], "write_file", "run").failed).toBe(0);
    expect(countAttempts([others], "read_file", "run").failed).toBe(1);
  });

  describe("calls with one id are answered in their order", () => {
    const turnOf = (names: readonly string[], letters: string): ModelTurn => ({
      calls: names.map((name) => ({ id: "", name })),
      results: Array.from(letters, (letter) => ({ toolCallId: "", ...ANSWERS[letter]! })),
    });
    test.each([
      ["a refused one before a valid one", ["write_file", "write_file"], "bv", 1],
      ["a valid one before a refused one", ["write_file", "write_file"], "vb", 1],
      ["a refused one of another tool", ["write_file", "read"], "vb", 0],
      ["a valid one of another tool", ["write_file", "read"], "bv", 1],
      ["one answer for both", ["write_file", "write_file"], "b", 1],
      ["a later answer to one call replaces the first", ["write_file"], "bv", 0],
    ])("%s", (_, names, letters, failed) => {
      expect(countAttempts([turnOf(names, letters)], "write_file", "run").failed).toBe(failed);
    });
  });

  test("rebuilds the history, and reports if only messages were left", () => {
    expect(count("b v b bx")).toEqual({
      failed: 2,
      history: [1, 2].map((attempt) => ({
        attempt,
        argumentsHash: REJECTED.argumentsHash,
        errors: REJECTED.errors,
      })),
      complete: true,
      blocked: true,
    });
    expect(count("b t")).toMatchObject({
      failed: 2,
      history: [
        { attempt: 1 },
        {
          attempt: 2,
          argumentsHash: hashArguments({ mode: "rw" }),
          errors: [
            {
              errorCode: "VAL-001",
              fieldPath: "/content",
              summary: "Missing required field 'content'",
            },
          ],
        },
      ],
      complete: false,
    });
    expect(count("t v b")).toMatchObject({ failed: 1, complete: true });
  });

  test("invented tool names share one count, and misspelt ones count as the tool that was meant", () => {
    const names = ["search_web", "wirte_file", "writefile", "write_file"];
    const turns = names.map((name) => turn(`${name}:b`));
    const options = { declaredTools: new Set(["write_file"]) };
    const counts = ["(unknown)", "another_invention", "write_file", "functions.write_file"].map(
      (toolName) => countAttempts(turns, toolName, "run", options).failed,
    );
    expect(counts).toEqual([1, 1, 3, 3]);
    expect(countAttempts(turns, "wirte_file", "run").failed).toBe(1);
  });

  test("calls of a tool before it is offered count among the unknown names, with a marker or without", () => {
    const errors = (summary: string) => [{ errorCode: "VAL-012" as const, fieldPath: "", summary }];
    const text = (name: string, why: string, hint: string) =>
      `Validation failed for tool '${name}' (attempt 1/3):\n\nErrors:\n• (arguments) (VAL-012): ${why}\n  Expected: "read_file"${hint}\n\nCall one of the listed tools instead.`;
    const early = text("write_file", "Tool 'write_file' is not available now", "");
    const near = text("writefile", "Unknown tool 'writefile'", "");
    const meant = text("writefile", "Unknown tool 'writefile'", '\n  Hint: use "write_file"');
    const refused = (name: string, answer: Answer): ModelTurn => ({
      calls: [{ id: "1", name }],
      results: [{ ...answer, toolCallId: "1" }],
    });
    const marker = { ...REJECTED, errors: errors("Tool 'write_file' is not available now") };
    const turns = [
      refused("write_file", { isError: true, content: early }),
      refused("write_file", { isError: true, content: early, marker }),
      refused("writefile", { isError: true, content: near }),
      refused("writefile", { isError: true, content: meant }),
      refused("write_file", { isError: true, content: `The log says: ${early}` }),
    ];
    const declaredTools = new Set(["write_file", "read_file"]);
    const counted = (toolName: string, upTo: number): number =>
      countAttempts(turns.slice(0, upTo), toolName, "run", { declaredTools }).failed;
    expect([1, 2, 3, 4, 5].map((upTo) => counted("(unknown)", upTo))).toEqual([1, 2, 3, 3, 3]);
    expect([1, 2, 3, 4, 5].map((upTo) => counted("write_file", upTo))).toEqual([0, 0, 0, 1, 0]);
  });

  test("takes about four times as long for four times as many calls or turns", async () => {
    await expectLinearCost((calls) => {
      const turns = [turn("b".repeat(calls))];
      return () => expect(countAttempts(turns, "write_file", "run").failed).toBe(1);
    }, 2_000);
    await expectLinearCost((length) => {
      const turns = Array.from({ length }, () => turn("t"));
      return () => expect(countAttempts(turns, "write_file", "run").failed).toBe(length);
    }, 500);
  });

  test("counts a conversation that grew by appending without reading it again", () => {
    let reads = 0;
    const failure = (): ModelTurn => {
      const { calls, results } = turn("t");
      const watched = {
        get mode() {
          reads += 1;
          return "rw";
        },
      };
      return { calls: calls.map((call) => ({ ...call, arguments: watched })), results };
    };
    const failed = Array.from({ length: 2_000 }, failure);
    countAttempts(failed, "write_file", "run");
    expect(reads).toBe(2_000);
    for (let turns = 1; turns <= 10; turns += 1) {
      reads = 0;
      failed.push(failure());
      const read = failed.map((one) => ({ ...one, results: [...one.results] }));
      expect(countAttempts(read, "write_file", "run").failed).toBe(2_000 + turns);
      // The new turn, and the one that was the last before.
      expect(reads).toBe(2);
    }
  });

  test("looks at no call again of a conversation whose turns are the same objects", () => {
    let looks = 0;
    const watched = (): ModelTurn => {
      const { calls, results } = turn("t");
      const [call] = calls;
      const name = { enumerable: true, get: () => ((looks += 1), "write_file") };
      return { calls: [Object.defineProperty({ ...call } as TurnCall, "name", name)], results };
    };
    const turns = Array.from({ length: 500 }, watched);
    for (let more = 0; more < 10; more += 1) {
      countAttempts(turns, "write_file", "run");
      looks = 0;
      turns.push(watched());
      expect(countAttempts(turns, "write_file", "run").failed).toBe(501 + more);
      // The new turn, and the one that was the last before, three times each.
      expect(looks).toBeLessThanOrEqual(6);
    }
  });

  test("looks at no turn again of a conversation that only grows", () => {
    let looks = 0;
    const watched = (): ModelTurn => {
      const { calls, results } = turn("t");
      const read = { enumerable: true, get: () => ((looks += 1), results) };
      return Object.defineProperty({ calls } as unknown as ModelTurn, "results", read);
    };
    const options = { appendOnly: true };
    const turns = Array.from({ length: 500 }, watched);
    for (let more = 0; more < 10; more += 1) {
      countAttempts([...turns], "write_file", "run", options);
      looks = 0;
      turns.push(watched());
      expect(countAttempts([...turns], "write_file", "run", options).failed).toBe(501 + more);
      expect(looks).toBeLessThanOrEqual(10);
    }
    // A shorter list is counted anew.
    expect(countAttempts(turns.slice(0, 3), "write_file", "run", options).failed).toBe(3);
  });

  test("counts what it has counted before like a conversation that is new, however it changed", () => {
    const word = fc.tuple(
      fc.constantFrom("", ">"),
      fc.constantFrom("", "read_file:", "invented:"),
      fc.string({
        unit: fc.constantFrom(...Object.keys(ANSWERS), "-"),
        minLength: 1,
        maxLength: 3,
      }),
    );
    const options = { declaredTools: new Set(["write_file", "read_file"]) };
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.nat(), fc.boolean(), (words, at, late) => {
        const turns = words.map((parts) => turn(parts.join("")));
        const check = (): void => {
          for (const scope of ["run", "thread"] as const) {
            for (const name of ["write_file", "read_file", "(unknown)"]) {
              const fresh = turns.map((one) => ({ ...one, calls: [...one.calls] }));
              expect(countAttempts(turns, name, scope, options)).toEqual(
                countAttempts(fresh, name, scope, options),
              );
            }
          }
        };
        check();
        const [changed] = turns.splice(at % (turns.length + 1), 1);
        check();
        if (!changed) return;
        turns.splice(at % (turns.length + 1), 0, {
          ...changed,
          results: late ? turn("vvv").results : changed.results.slice(1),
        });
        check();
      }),
    );
  });

  test("agrees with the tracker on any conversation", () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom("b", "v"), minLength: 1, maxLength: 3 }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(words, (script) => {
        let state: AttemptState | undefined;
        script.forEach((letters, index) => {
          for (const letter of letters) {
            const failure = { turnId: `${index}`, argumentsHash: "", errors: [] };
            const found = beginCall(state, failure, "run");
            state = letter === "b" ? addFailure(found, failure, 100) : found;
          }
        });
        expect(openAttempts(state).failed).toBe(count(script.join(" ")).failed);
      }),
    );
  });
});
