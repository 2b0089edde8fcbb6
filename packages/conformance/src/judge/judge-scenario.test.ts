import { describe, expect, test } from "vitest";
import type {
  Check,
  PlayedTurn,
  ProgramEnd,
  Scenario,
  ScenarioCall,
  ScenarioTurn,
  SeenEntry,
  SeenRun,
  Transcript,
} from "../shared/index.ts";
import { judgeScenario } from "./judge-scenario.ts";

/** What a program did with one call; without it, it did what it should. */
interface Did {
  /** The answer that the model read; `undefined` for none. */
  readonly answer?: string | undefined;
  readonly isMarked?: boolean;
  /** The arguments of each run. */
  readonly ran?: readonly unknown[];
  /** The tool that ran, if it is another one. */
  readonly ranAs?: string;
  /** The body of each report, if its digits matter. */
  readonly body?: string;
  /** The arguments as the program keeps them. */
  readonly kept?: string;
  readonly answers?: number;
  readonly wasAsked?: boolean;
}

interface Played {
  readonly turns: readonly ScenarioTurn[];
  /** By the name of the tool and the turn, such as `"write 1"`. */
  readonly did?: Readonly<Record<string, Did>>;
  /** How many requests the model got. */
  readonly requests?: number;
  /** The number of the first request that lets the model call nothing. */
  readonly words?: number;
  readonly end?: ProgramEnd;
  readonly scenario?: Partial<Scenario>;
  /** Runs of tools that no call asked for. */
  readonly runs?: readonly SeenRun[];
}

const good: ScenarioCall = { tool: "read", arguments: '{"path":"a"}', expect: "runs" };
const bad: ScenarioCall = {
  tool: "write",
  arguments: '{"pth":"a"}',
  expect: "refused",
  faults: [{ names: ["path"], says: [["required", "missing"]] }],
};
const fixed: ScenarioCall = { tool: "write", arguments: '{"path":"a"}', expect: "runs" };
const unknown: ScenarioCall = {
  tool: "wrte",
  arguments: "{}",
  expect: "refused",
  nearest: "write",
};
const cut: ScenarioCall = {
  tool: "write",
  arguments: '{"path":"a',
  expect: "refused",
  unreadable: "cut",
};
const broken: ScenarioCall = {
  tool: "write",
  arguments: "{path: a}",
  expect: "refused",
  unreadable: "syntax",
};
const exact: ScenarioCall = {
  tool: "pay",
  arguments: '{"id":12345678901234567890}',
  expect: "either",
  digits: "12345678901234567890",
};
const REFUSAL = "path is required. Not JSON, and cut. Call write. Stop.";

function turn(...calls: readonly ScenarioCall[]): ScenarioTurn {
  return { calls };
}

function scenarioOf({ turns, scenario }: Played): Scenario {
  return { id: "one", title: "", prompt: "Hi", tools: [], turns, ...scenario };
}

function transcriptOf(played: Played): Transcript {
  const { turns, did = {}, end = { kind: "ended" } } = played;
  const script: PlayedTurn[] = turns
    .flatMap((one) => Array.from({ length: one.times ?? 1 }, () => one))
    .map((one, index) => ({
      turn: one,
      calls: one.calls.map((call, place) => ({ id: call.id ?? `${index}-${place}`, call })),
    }));
  const runs: SeenRun[] = [...(played.runs ?? [])];
  const approvals: Transcript["approvals"][number][] = [];
  const histories: (readonly SeenEntry[])[] = [[{ kind: "text", role: "user", text: "Hi" }]];
  for (const [index, { calls }] of script.entries()) {
    const answers: SeenEntry[] = [];
    const kept = calls.map(({ id, call }) => {
      const one: Did = did[`${call.tool} ${index + 1}`] ?? {};
      const input = call.expect === "runs" ? JSON.parse(call.arguments) : undefined;
      const ran = one.ran ?? (call.expect === "runs" ? [input] : []);
      const receipts = ran.map((_, run) => `receipt-${id}-${run}`);
      for (const [run, given] of ran.entries()) {
        const name = one.ranAs ?? call.tool;
        const body = one.body ?? JSON.stringify({ name, arguments: given });
        const receipt = receipts[run] ?? "";
        runs.push({ turn: index + 1, name, arguments: given, body, receipt });
      }
      if (one.wasAsked === true)
        approvals.push({ turn: index + 1, name: call.tool, arguments: {}, body: "" });
      const text = "answer" in one ? one.answer : (receipts.at(-1) ?? REFUSAL);
      const isError = one.isMarked ?? ran.length === 0;
      const count = text === undefined ? 0 : (one.answers ?? 1);
      answers.push(
        ...Array.from(
          { length: count },
          () => ({ kind: "answer", id, text, isError }) as SeenEntry,
        ),
      );
      return { id, name: call.tool, text: one.kept ?? "{}" };
    });
    histories.push([...(histories.at(-1) ?? []), { kind: "calls", calls: kept }, ...answers]);
  }
  const requests = histories
    .slice(0, played.requests ?? histories.length)
    .map((history, index) => ({
      history,
      isStream: false,
      mayCall: index + 1 < (played.words ?? Infinity),
    }));
  return { requests, script, runs, approvals, answers: [], end };
}

/** The clauses that a program broke, each with what is said about it; `?` if it could not be judged. */
function brokenBy(played: Played, hasErrorMark = true): readonly string[] {
  return messagesOf(judgeScenario(scenarioOf(played), transcriptOf(played), hasErrorMark).checks);
}

function messagesOf(checks: readonly Check[]): readonly string[] {
  return checks
    .filter(({ passed }) => !passed)
    .map(({ id, message }) => {
      const [said = ""] = message.split(". The clause: ");
      return `${id.replace("one/", "")}: ${said.replace("Not judged: ", "? ")}`;
    });
}

/** The clauses that a program kept. */
function keptBy(played: Played, hasErrorMark = true): readonly string[] {
  const { checks } = judgeScenario(scenarioOf(played), transcriptOf(played), hasErrorMark);
  return checks.filter(({ passed }) => passed).map(({ id }) => id.replace("one/", ""));
}

const loop = (times: number): ScenarioTurn => ({ ...turn(bad), times });
/** The script of a model that was asked for words after so many calls, of a scenario with more of them. */
const heard = (times: number, words?: number): Played => ({
  turns: [{ ...loop(times), whileOffered: true }],
  scenario: { turns: [{ ...loop(20), whileOffered: true }] },
  did: loops(times, { answer: "path is required. Do not call it again." }),
  ...(words !== undefined && { words }),
});

describe("a program that does what it should keeps", () => {
  test.each<[name: string, played: Played, clauses: string]>([
    ["a valid call", { turns: [turn(good)] }, "survives valid-runs result-intact"],
    [
      "a bad call beside a valid one, and its correction",
      { turns: [turn(bad, good), turn(fixed)] },
      "survives schema-holds siblings-run corrected-runs answers-match result-intact names-fields says-allowed flags-error",
    ],
    [
      "a valid call after a bad one of another tool",
      { turns: [turn(bad), turn(good)] },
      "survives schema-holds valid-runs result-intact names-fields says-allowed flags-error",
    ],
    [
      "a call that corrects the name of a tool",
      { turns: [turn(unknown), turn(fixed)] },
      "survives schema-holds corrected-runs result-intact offers-name flags-error",
    ],
    [
      "arguments that are cut",
      { turns: [turn(cut)] },
      "survives half-never-runs says-cut flags-error readable-history",
    ],
    [
      "arguments that are not JSON",
      { turns: [turn(broken)] },
      "survives schema-holds says-syntax flags-error readable-history",
    ],
    [
      "a number that cannot be kept, refused",
      { turns: [turn(exact)] },
      "survives flags-error exact-numbers",
    ],
    [
      "a secret and a limit",
      { turns: [turn(bad)], scenario: { secrets: ["sk-123"], maxAnswer: REFUSAL.length } },
      "survives schema-holds names-fields says-allowed no-secret bounded-answer flags-error",
    ],
    [
      "a person who is asked about a valid call",
      { turns: [turn(good)], did: { "read 1": { wasAsked: true } } },
      "survives valid-runs result-intact nobody-asked",
    ],
  ])("%s", (_, played, clauses) => {
    expect(brokenBy(played)).toEqual([]);
    expect(keptBy(played).join(" ")).toBe(clauses);
  });

  test("no clause about a mark in a format without one", () => {
    expect(keptBy({ turns: [turn(bad)] }, false)).not.toContain("flags-error");
  });
});

describe("what is found", () => {
  const time: ProgramEnd = { kind: "time", seconds: 3 };
  const failed: ProgramEnd = { kind: "failed", reason: "out of memory" };

  test.each<[name: string, played: Played, found: readonly string[]]>([
    [
      "a valid call that did not run",
      { turns: [turn(good)], did: { "read 1": { ran: [], answer: "Later." } } },
      [
        'valid-runs: read did not run; the answer was "Later."',
        "result-intact: ? read did not run",
      ],
    ],
    [
      "a valid call that ran twice",
      { turns: [turn(good)], did: { "read 1": { ran: [{ path: "a" }, { path: "a" }] } } },
      ["valid-runs: read ran more than once"],
    ],
    [
      "a valid call that ran with something else",
      { turns: [turn(good)], did: { "read 1": { ran: [{ path: "b" }], answer: "Done." } } },
      [
        'valid-runs: read ran with {"path":"b"} instead of what was sent',
        "result-intact: ? read did not run",
      ],
    ],
    [
      "a call that ran in another turn than it was made in",
      {
        turns: [turn(good), turn(good)],
        did: { "read 1": { ran: [], answer: "Later." } },
        runs: [{ turn: 2, name: "read", arguments: { path: "b" }, body: "", receipt: "x" }],
      },
      [
        'valid-runs: read did not run; the answer was "Later."; read ran more than once',
        "result-intact: ? read did not run",
      ],
    ],
    [
      "a result that the model does not read",
      { turns: [turn(good)], did: { "read 1": { answer: "Done." } } },
      ['result-intact: the result of read did not reach the model: "Done."'],
    ],
    [
      "a sibling that did not run",
      { turns: [turn(bad, good)], did: { "read 1": { ran: [], answer: "Skipped." } } },
      [
        'siblings-run: read did not run; the answer was "Skipped."',
        "result-intact: ? read did not run",
      ],
    ],
    [
      "a correction that did not run",
      { turns: [turn(bad), turn(fixed)], did: { "write 2": { ran: [], answer: "No." } } },
      [
        'corrected-runs: write did not run; the answer was "No."',
        "result-intact: ? write did not run",
      ],
    ],
    [
      "a bad call that ran as it was sent",
      { turns: [turn(bad)], did: { "write 1": { ran: [{ pth: "a" }] } } },
      [
        'schema-holds: write ran with {"pth":"a"}, which its schema forbids',
        "names-fields: ? write ran instead of being refused",
        "says-allowed: ? write ran instead of being refused",
        "flags-error: ? write ran instead of being refused",
      ],
    ],
    [
      "a bad call that ran with a guess",
      { turns: [turn(bad)], did: { "write 1": { ran: [{ path: "a" }] } } },
      [
        'schema-holds: write ran with {"path":"a"}, which the model did not send',
        "names-fields: ? write ran instead of being refused",
        "says-allowed: ? write ran instead of being refused",
        "flags-error: ? write ran instead of being refused",
      ],
    ],
    [
      "arguments that are not JSON, and ran",
      { turns: [turn(broken)], did: { "write 1": { ran: [{ path: "a" }] } } },
      [
        'schema-holds: write ran with {"path":"a"}, which the model did not send',
        "says-syntax: ? write ran instead of being refused",
        "flags-error: ? write ran instead of being refused",
      ],
    ],
    [
      "half a call that ran",
      { turns: [turn(cut)], did: { "write 1": { ran: [{ path: "a" }] } } },
      [
        'half-never-runs: write ran with {"path":"a"}, half of what was meant',
        "says-cut: ? write ran instead of being refused",
        "flags-error: ? write ran instead of being refused",
      ],
    ],
    [
      "a tool that ran under the name that was meant",
      { turns: [turn(unknown)], did: { "wrte 1": { ran: [{}], ranAs: "write" } } },
      [
        "schema-holds: write ran with {}, which its schema forbids",
        "offers-name: ? wrte ran instead of being refused",
        "flags-error: ? wrte ran instead of being refused",
      ],
    ],
    [
      "a number that was changed",
      {
        turns: [turn(exact)],
        did: { "pay 1": { ran: [{ id: 1 }], body: '{"id":12345678901234567000}' } },
      },
      ['exact-numbers: pay ran with {"id":1} in place of 12345678901234567890'],
    ],
    [
      "two answers to one call",
      { turns: [turn(bad, good)], did: { "read 1": { answers: 2 } } },
      ["answers-match: the call of read has 2 answers"],
    ],
    [
      "the answer to another call",
      { turns: [turn(bad, good)], did: { "write 1": { answer: "path required receipt-0-1-0" } } },
      ["answers-match: the call of write got the answer to another call"],
    ],
    [
      "an answer that names no field",
      { turns: [turn(bad)], did: { "write 1": { answer: "Something is missing." } } },
      ['names-fields: the answer does not name path: "Something is missing."'],
    ],
    [
      "an answer that names none of two fields, and says nothing of them",
      {
        turns: [turn({ ...bad, faults: [{ names: ["from", "to"], says: [["date"], ["time"]] }] })],
        did: { "write 1": { answer: "Bad." } },
      },
      [
        'names-fields: the answer does not name from, to: "Bad."',
        'says-allowed: the answer does not say "date", "time": "Bad."',
      ],
    ],
    [
      "an answer that names a field only as a part of a word",
      { turns: [turn(bad)], did: { "write 1": { answer: "xpath is required" } } },
      ['names-fields: the answer does not name path: "xpath is required"'],
    ],
    [
      "an answer that says nothing of what is allowed",
      { turns: [turn(bad)], did: { "write 1": { answer: "path!" } } },
      ['says-allowed: the answer does not say "required": "path!"'],
    ],
    [
      "an answer that only repeats what was sent",
      {
        turns: [turn({ ...bad, faults: [{ names: ["pth"], says: [["a"]] }] })],
        did: { "write 1": { answer: 'Bad: {"pth":"a"}' } },
      },
      [
        String.raw`names-fields: the answer does not name pth: "Bad: {\"pth\":\"a\"}"`,
        String.raw`says-allowed: the answer does not say "a": "Bad: {\"pth\":\"a\"}"`,
      ],
    ],
    [
      "an answer that does not say that it is not JSON",
      { turns: [turn(broken)], did: { "write 1": { answer: "Bad." } } },
      ['says-syntax: the answer does not say that the arguments are not JSON: "Bad."'],
    ],
    [
      "an answer that does not say that it was cut",
      { turns: [turn(cut)], did: { "write 1": { answer: "Bad." } } },
      ['says-cut: the answer does not say that the arguments were cut: "Bad."'],
    ],
    [
      "an answer that does not say which tool was meant",
      { turns: [turn(unknown)], did: { "wrte 1": { answer: "No such tool." } } },
      ['offers-name: the answer to wrte does not say write: "No such tool."'],
    ],
    [
      "an answer with a secret",
      { turns: [turn(bad)], scenario: { secrets: ["required"] } },
      ["no-secret: the answer to write repeats the secret that the model sent"],
    ],
    [
      "an answer that is too long",
      { turns: [turn(bad)], scenario: { maxAnswer: REFUSAL.length - 1 } },
      ["bounded-answer: answered with 54 characters; 53 characters are enough"],
    ],
    [
      "an answer of a kilobyte",
      {
        turns: [turn(bad)],
        did: { "write 1": { answer: REFUSAL.padEnd(1_000) } },
        scenario: { maxAnswer: 999 },
      },
      ["bounded-answer: answered with 1 kB; 999 characters are enough"],
    ],
    [
      "an answer with all that was sent",
      {
        turns: [turn({ ...bad, arguments: JSON.stringify({ pth: "a".repeat(2_000) }) })],
        did: { "write 1": { answer: `path required: {"pth":"${"a".repeat(2_000)}"}` } },
        scenario: { maxAnswer: 1_000 },
      },
      ["bounded-answer: sent the whole 2 kB of arguments back; 1 kB are enough"],
    ],
    [
      "an answer without the mark",
      { turns: [turn(bad)], did: { "write 1": { isMarked: false } } },
      ["flags-error: the answer to write is not marked as an error"],
    ],
    [
      "what could not be read, sent on",
      { turns: [turn(broken)], did: { "write 1": { kept: "{path: a}" } } },
      ['readable-history: the call of write went back to the provider as "{path: a}"'],
    ],
    [
      "a person who was asked about a bad call",
      { turns: [turn(bad)], did: { "write 1": { wasAsked: true } } },
      ["nobody-asked: somebody was asked to approve a bad call of write"],
    ],
    [
      "a run that ended at a bad call",
      { turns: [turn(bad), turn(fixed)], requests: 1, end: failed },
      [
        "survives: the run ended at the call of write: it failed: out of memory",
        "schema-holds: ? the run ended before the model got an answer",
        "corrected-runs: ? the run ended before the model got an answer",
        "result-intact: ? the run ended before the model got an answer",
        "names-fields: ? the run ended before the model got an answer",
        "says-allowed: ? the run ended before the model got an answer",
        "flags-error: ? the run ended before the model got an answer",
      ],
    ],
    [
      "a program that never asked",
      { turns: [turn(good)], requests: 0, end: failed, did: { "read 1": { ran: [] } } },
      [
        "survives: the program never asked the model; it failed: out of memory",
        "valid-runs: ? the run ended before the model got an answer",
        "result-intact: ? read did not run",
      ],
    ],
    [
      "a call without an answer",
      { turns: [turn(bad), turn(good)], did: { "write 1": { answer: undefined } } },
      [
        "survives: the call of write has no answer",
        "schema-holds: ? the run ended before the model got an answer",
        "names-fields: ? the run ended before the model got an answer",
        "says-allowed: ? the run ended before the model got an answer",
        "flags-error: ? the run ended before the model got an answer",
      ],
    ],
    [
      "a program that was still running after the model's last word",
      { turns: [turn(good)], end: time },
      ["survives: the program was still running after 3 s"],
    ],
    [
      "a program that went on asking",
      { turns: [turn(good)], end: { kind: "count" } },
      ["survives: the program went on asking after the model had said that it is done"],
    ],
    [
      "a loop that nobody ends",
      { turns: [loop(11)], did: loops(11, { answer: "path is required" }) },
      ["loop-ends: the model sent 11 bad calls of write, and nothing told it to stop"],
    ],
    [
      "a loop that is ended by the time limit only",
      { turns: [loop(10)], requests: 5, end: time, did: loops(10, { answer: "path is required" }) },
      [
        "survives: the run ended at the call of write: it was still running after 3 s",
        "loop-ends: the model sent 4 bad calls of write, and nothing told it to stop",
      ],
    ],
    [
      "a loop whose call ran",
      { turns: [loop(10)], did: { "write 4": { ran: [{}], answer: "path is required" } } },
      [
        "schema-holds: write ran with {}, which the model did not send",
        "names-fields: ? write ran instead of being refused",
        "says-allowed: ? write ran instead of being refused",
        "loop-ends: ? write ran instead of being refused",
        "flags-error: ? write ran instead of being refused",
      ],
    ],
    [
      "a loop in which nobody asks for words",
      heard(19),
      ["ends-in-words: the model was asked 10 times with tools, and not once for words alone"],
    ],
    [
      "a loop that ends without words",
      { ...heard(4), requests: 4, end: failed },
      ["ends-in-words: the model was asked 4 times with tools, and not once for words alone"],
    ],
    [
      "a loop that asks for words too late",
      heard(10, 11),
      ["ends-in-words: the model was asked 10 times with tools, and not once for words alone"],
    ],
    [
      "a loop that fails at the words",
      { ...heard(4, 5), end: failed },
      ["ends-in-words: the program failed: out of memory"],
    ],
    [
      "a program that offers no tool",
      heard(1, 1),
      ["ends-in-words: ? the model was offered no tool"],
    ],
  ])("%s", (_, played, found) => {
    expect(brokenBy(played)).toEqual(found);
  });
});

/** The same for each turn of a loop. */
function loops(times: number, did: Did): Readonly<Record<string, Did>> {
  return Object.fromEntries(
    Array.from({ length: times }, (_, index) => [`write ${index + 1}`, did]),
  );
}

describe("nothing is found", () => {
  const failed: ProgramEnd = { kind: "failed", reason: "terminated" };

  test.each<[name: string, played: Played]>([
    ["in a loop whose tenth answer says stop", stoppedAt(10)],
    [
      "in a loop that ends by itself",
      { turns: [loop(10)], requests: 4, did: loops(10, { answer: "path is required" }) },
    ],
    [
      "in a loop that ends with an error",
      {
        turns: [loop(10)],
        requests: 4,
        end: failed,
        did: loops(10, { answer: "path is required" }),
      },
    ],
    ["in a loop that ends with words at the tenth request", heard(9, 10)],
    [
      "in a run that may end at a turn",
      { turns: [turn(good), { ...turn(bad), mayEnd: true }], requests: 2 },
    ],
    [
      "in a run whose connection breaks",
      {
        turns: [{ ...turn(cut), mayEnd: true, drops: true }],
        requests: 1,
        end: failed,
      },
    ],
    [
      "in two calls with the same id, whose answers are indistinguishable",
      { turns: [turn({ ...good, id: "same" }, { ...good, id: "same" })] },
    ],
    [
      "in arguments that are kept empty",
      { turns: [turn(broken)], did: { "write 1": { kept: "" } } },
    ],
    ["in a number that arrived", { turns: [turn(exact)], did: { "pay 1": paid() } }],
    [
      "in a call that ran as one of several allowed",
      {
        turns: [turn({ ...good, expect: "either", runsWith: [{ path: "b" }, { path: "c" }] })],
        did: { "read 1": { ran: [{ path: "c" }] } },
      },
    ],
    [
      "in a call that ran under the name it may have",
      {
        turns: [turn({ ...unknown, expect: "either", runsAs: "write" })],
        did: { "wrte 1": { ran: [{}], ranAs: "write" } },
      },
    ],
  ])("%s", (_, played) => {
    expect(brokenBy(played)).toEqual([]);
  });

  test("an answer that says stop at the eleventh try is too late", () => {
    expect(brokenBy(stoppedAt(11))).toEqual([
      "loop-ends: the model sent 11 bad calls of write, and nothing told it to stop",
    ]);
  });

  function stoppedAt(tries: number): Played {
    const did = loops(tries, { answer: "path is required" });
    return {
      turns: [loop(tries)],
      did: { ...did, [`write ${tries}`]: { answer: "path is required. Do not call it again." } },
    };
  }

  function paid(): Did {
    return { ran: [{ id: 1 }], body: '{"id":12345678901234567890}' };
  }
});

describe("Toolcontract's format", () => {
  const coded = { ...bad, codes: ["VAL-001 /path", "VAL-005 /pth"] };
  const message = (...errors: readonly string[]): string =>
    `Validation failed for tool 'write' (attempt 1/3):

Errors:
${errors.join("\n")}

Correct these and call 'write' again with all arguments.`;
  const missing = "• /path (VAL-001): Required field 'path' is missing";
  const extra = "• /pth (VAL-005): Unknown field 'pth'";

  test.each<[name: string, answer: string, speaks: boolean, found: readonly string[]]>([
    ["every code", message(missing, extra), true, []],
    ["inside JSON", JSON.stringify({ error: [message(missing, extra)] }), true, []],
    ["after the mark of a framework", `[ERROR] ${message(missing, extra)}`, true, []],
    [
      "a code that is missing",
      message(missing),
      true,
      ["codes: VAL-005 /pth missing, VAL-001 /path found"],
    ],
    [
      "another message",
      "path is required",
      false,
      ['format: the answer to write is not in the format: "path is required"'],
    ],
  ])("%s", (_, answer, speaks, found) => {
    const played: Played = { turns: [turn(coded)], did: { "write 1": { answer } } };
    const judged = judgeScenario(scenarioOf(played), transcriptOf(played), true);
    expect(judged.speaksFormat).toBe(speaks);
    expect(messagesOf(judged.formatChecks)).toEqual(found);
  });

  test("is not looked for if no call was refused", () => {
    const played: Played = { turns: [turn(good)] };
    const judged = judgeScenario(scenarioOf(played), transcriptOf(played), true);
    expect(judged.formatChecks).toEqual([]);
    expect(judged.speaksFormat).toBe(false);
  });
});
