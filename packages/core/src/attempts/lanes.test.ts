import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  ADD_ITEM,
  callOf,
  headerOf,
  numberOf,
  outcomeOf,
  refusal,
  staged,
} from "../testing/staged.ts";
import {
  type AttemptStore,
  type ContractOptions,
  type Handled,
  type ModelTurn,
  countAttempts,
  createContract,
  createMemoryStore,
  resultMarker,
} from "../index.ts";
import { readResultMarker } from "./result-marker.ts";
import type { ExecutionStage, StageAnswer, StageRefusal, StagedCall } from "../stage.ts";

/**
 * A stage that does what a call's `sku` says: `g` refuses it before it runs, `G` closes the tool, `o` refuses it after
 * it ran, `O` closes it then, `t` throws what the tool threw; `w` refuses in the guardrail lane around the run.
 */
const SCRIPTED: Partial<ExecutionStage> = {
  check: (args) => {
    const { sku } = args as { readonly sku?: string };
    if (sku === "g") return refusal();
    return sku === "G" ? refusal({ action: "stop", outcomeOf }) : undefined;
  },
  around: async ({ args, run }: StagedCall): Promise<StageAnswer> => {
    const { sku } = args as { readonly sku?: string };
    if (sku === "w") return refusal();
    const value = await run();
    const outcome = { lane: "outcome", undone: "all", outcomeOf } as const;
    if (sku === "o") return refusal(outcome);
    if (sku === "O") return refusal({ ...outcome, action: "stop" });
    return { action: "return", value };
  },
};

/** The arguments that a letter stands for: `b` is invalid, `v` is valid, the others are the stage's. */
function argsOf(letter: string): object {
  return letter === "b" ? { sku: "b" } : { qty: 1, sku: letter };
}

interface Playing {
  readonly stage?: Partial<ExecutionStage>;
  readonly options?: ContractOptions;
  /** True if the host counts from its history. */
  readonly fromHistory?: "markers" | "texts" | undefined;
}

/** Plays turns such as `gv b`, a letter for each call, and returns what each call was answered. */
async function play(script: string, { stage = SCRIPTED, options, fromHistory }: Playing = {}) {
  const shop = staged(stage, options);
  const turns: ModelTurn[] = [];
  const answers: Handled[][] = [];
  for (const [index, word] of script.split(" ").entries()) {
    const isRun = word.startsWith(">");
    const letters = word.replace(">", "");
    const calls = Array.from(letters, (letter, at) => callOf(argsOf(letter), `${index}_${at}`));
    const user = isRun ? [{ calls: [], results: [], afterUserMessage: true }] : [];
    const attempts =
      fromHistory && countAttempts([...turns, ...user], "add_item", options?.scope ?? "run");
    const runId = `run_${
      script
        .split(" ")
        .slice(0, index + 1)
        .filter((one) => one.startsWith(">")).length
    }`;
    const answered: Handled[] = [];
    for (const call of calls) {
      answered.push(
        await shop.contract.handle(call, {
          conversationId: "c",
          turnId: String(index),
          runId,
          tools: [ADD_ITEM],
          execute: (args: unknown) => (shop.ran.push(args), "added"),
          ...(attempts && { attempts }),
        }),
      );
    }
    const results = answered.map(({ result }) => ({
      toolCallId: result.toolCallId,
      isError: result.isError,
      content: result.content,
      ...(fromHistory === "markers" && {
        marker: readResultMarker(JSON.parse(JSON.stringify(resultMarker(result)))) as never,
      }),
    }));
    turns.push({ calls, results, ...(isRun && { afterUserMessage: true }) });
    answers.push(answered);
  }
  return { ...shop, turns, answers };
}

async function numbers(script: string, playing?: Playing): Promise<string> {
  const { answers } = await play(script, playing);
  const short = (answer: Handled): string =>
    numberOf(answer).replace(/^(validation|guardrail|outcome) /, (lane) => lane.slice(0, 1));
  return answers.map((turn) => turn.map(short).join(",")).join(" ");
}

const ROWS: readonly (readonly [what: string, script: string, expected: string])[] = [
  ["each lane counts for itself", "g b o g b", "g1/3 v1/3 o1/2 g2/3 v2/3"],
  ["the last attempt of a lane closes the tool", "g g g v", "g1/3 g2/3 g3/3! g3/3!s"],
  ["a lane with a budget of its own", "o o v", "o1/2 o2/2! o2/2!s"],
  [
    "validation ends although the guardrails refuse in between",
    "b g b g b",
    "v1/3 g1/3 v2/3 g2/3 v3/3!",
  ],
  ["a refused valid call resets no validation, in the next turn", "b g b", "v1/3 g1/3 v2/3"],
  ["a refused valid call resets no validation, in the same turn", "b vg b", "v1/3 ran,g1/3 v2/3"],
  ["a valid call after the refused one of its turn", "b gv b", "v1/3 g1/3,ran v2/3"],
  ["an outcome resets no validation", "b o b", "v1/3 o1/2 v2/3"],
  ["a valid call resets all lanes", "b g w v b g", "v1/3 g1/3 g2/3 ran v1/3 g1/3"],
  ["parallel refusals are one attempt", "gg gw g", "g1/3,g1/3 g2/3,g2/3 g3/3!"],
  ["parallel refusals in two lanes count in both", "go bg g", "g1/3,o1/2 v1/3,g2/3 g3/3!"],
  ["good and bad in every turn still ends", "vg gv vg v", "ran,g1/3 g2/3,ran ran,g3/3! g3/3!s"],
  [
    "a good and an invalid one in every turn keep the guardrail's count",
    "g vb g vb g",
    "g1/3 ran,v1/3 g2/3 ran,v2/3 g3/3!",
  ],
  ["an invalid one first", "g bv g", "g1/3 v1/3,ran g2/3"],
  ["stop closes at once", "G v", "g1/3! g1/3!s"],
  ["stop after failures", "g G v", "g1/3 g2/3! g2/3!s"],
  ["stop in the outcome lane", "g O v b", "g1/3 o1/2! o1/2!s o1/2!s"],
  ["a sibling of the call that closed the tool is told so too", "Gg g", "g1/3!,g1/3! g1/3!s"],
  [
    "a valid sibling of the call that closed the tool runs, and opens nothing",
    "Gv v",
    "g1/3!,ran g1/3!s",
  ],
  [
    "two lanes that close in one turn: the first of them answers",
    "ow g og v",
    "o1/2,g1/3 g2/3 o2/2!,g3/3! g3/3!s",
  ],
  ["validation blocks and is forgiven", "b b b v b", "v1/3 v2/3 v3/3! ran v1/3"],
  ["a closed tool answers first, also invalid arguments", "G b g", "g1/3! g1/3!s g1/3!s"],
  ["a new run opens a closed tool", "G >v g", "g1/3! ran g1/3"],
  ["a new run restarts every lane", "g b >g b", "g1/3 v1/3 g1/3 v1/3"],
];

describe("counted by the tracker", () => {
  test.each(ROWS)("%s: %s", async (_, script, expected) => {
    expect(await numbers(script)).toBe(expected);
  });

  test.each([
    ["a new run opens nothing", "G >v", "g1/3! g1/3!s"],
    ["a new run restarts nothing", "g >g b >b", "g1/3 g2/3 v1/3 v2/3"],
  ])("in scope thread, %s: %s", async (_, script, expected) => {
    expect(await numbers(script, { options: { scope: "thread" } })).toBe(expected);
  });

  test.each(["forgive", "refuse"] as const)(
    "onBlocked %s concerns invalid arguments only",
    async (onBlocked) => {
      const ran = onBlocked === "forgive" ? "ran" : "v3/3!s";
      expect(await numbers("b b b v", { options: { onBlocked } })).toBe(`v1/3 v2/3 v3/3! ${ran}`);
      expect(await numbers("G v", { options: { onBlocked } })).toBe("g1/3! g1/3!s");
    },
  );

  test("a stage that only checks: what it lets pass resets its lane", async () => {
    const stage = { check: SCRIPTED.check! };
    expect(await numbers("g g v g", { stage })).toBe("g1/3 g2/3 ran g1/3");
    expect(await numbers("g vg gv g", { stage })).toBe("g1/3 ran,g2/3 g3/3!,ran g3/3!s");
  });

  test("a lane without a number of attempts has those of the contract", async () => {
    const stage = { ...SCRIPTED, lanes: { guardrail: 5, outcome: 1 } };
    expect(await numbers("g g g o v", { stage, options: { maxAttempts: 2 } })).toBe(
      "g1/5 g2/5 g3/5 o1/1! o1/1!s",
    );
  });
});

describe.each(["markers", "texts"] as const)("counted by the host from its %s", (fromHistory) => {
  // The host knows the attempts before a turn, so its parallel calls do not know each other.
  const rows = ROWS.filter(([, script]) => !/Gg/.test(script));
  test.each(rows)("%s: %s", async (_, script, expected) => {
    expect(await numbers(script, { fromHistory })).toBe(expected);
  });

  test("closedBy and the other lanes are on the count", async () => {
    const { turns } = await play("b g G", { fromHistory });
    const count = countAttempts(turns, "add_item", "run");
    expect(count).toMatchObject({
      failed: 1,
      blocked: false,
      closedBy: "guardrail",
      lanes: { guardrail: { failed: 2, blocked: true } },
    });
    expect(count.lanes).not.toHaveProperty("validation");
    expect(countAttempts(turns, "add_item", "run", { lane: "guardrail" })).toMatchObject({
      failed: 2,
      blocked: true,
      closedBy: "guardrail",
      lanes: { validation: { failed: 1, blocked: false } },
    });
  });
});

describe("a closed tool", () => {
  test("the answer that closes it: header, status, lane and outcome on everything", async () => {
    const onEscalation = vi.fn();
    const { answers, events, lines, turns } = await play("g G", {
      options: { onEscalation },
      fromHistory: "markers",
    });
    const [, [answer]] = answers as [Handled[], [Handled]];
    const outcome = outcomeOf(2);
    expect(headerOf(answer)).toBe("Guardrail failed for tool 'add_item' (attempt 2/3):");
    expect(answer).toMatchObject({
      status: "blocked",
      lane: "guardrail",
      settled: false,
      outcome,
      result: { status: "blocked", lane: "guardrail", outcome, attempt: 2, maxAttempts: 3 },
      escalation: { lane: "guardrail", outcome, attempts: 2, maxAttempts: 3 },
    });
    expect(JSON.parse(JSON.stringify(answer))).toMatchObject({
      escalation: { lane: "guardrail", outcome },
    });
    expect(resultMarker(answer.result)).toMatchObject({ lane: "guardrail", outcome });
    expect(countAttempts(turns, "add_item", "run").lanes?.guardrail).toMatchObject({ outcome });
    expect(onEscalation).toHaveBeenCalledOnce();
    expect(onEscalation.mock.calls[0]?.[0]).toMatchObject({
      lane: "guardrail",
      outcome,
      summary: [
        "Tool 'add_item' guardrail failed after 2 attempts.",
        "",
        "Attempt 1: Rule failed for 'qty'",
        "Attempt 2: Rule failed for 'qty'",
        "",
        "The model was unable to make a call that the guardrails allow. Please intervene or provide guidance.",
      ].join("\n"),
    });
    expect(events.filter(({ name }) => name === "call-escalated")).toHaveLength(1);
    expect(lines.at(-1)).toEqual({
      message: "Tool guardrail blocked",
      fields: {
        level: "warn",
        tool_name: "add_item",
        error_count: 1,
        retry_attempt: 2,
        max_retries: 3,
        errors: [{ path: "/qty", code: "VAL-016" }],
        lane: "guardrail",
        correlation_id: "c",
      },
    });
  });

  test.each(["standard", "compact"] as const)(
    "later calls read the same answer, %s",
    async (style) => {
      const onEscalation = vi.fn();
      const { answers, events, ran } = await play("G v b", {
        options: { onEscalation, format: { style } },
      });
      const bullet = {
        standard: ["", "Errors:", "• /qty (VAL-016): Rule failed for 'qty'", ""],
        compact: ["- /qty (VAL-016): Rule failed for 'qty'"],
      }[style];
      const text = [
        "Guardrail failed for tool 'add_item' (blocked after 1/3):",
        ...bullet,
        "Attempt 1: Rule failed for 'qty'",
        "Do not call 'add_item' again for this request: tell the user what is missing, or continue without it.",
      ].join("\n");
      const later = answers.slice(1).flat();
      expect(later.map(({ result }) => result.content)).toEqual([text, text]);
      for (const answer of later) {
        expect(answer).toMatchObject({ status: "blocked", settled: true, outcome: outcomeOf(1) });
      }
      expect(ran).toEqual([]);
      expect(onEscalation).toHaveBeenCalledOnce();
      const names = events.map(({ name }) => name);
      expect(names).toEqual(["call-escalated", "call-rejected", "call-rejected"]);
    },
  );

  test("neither its validator nor its rules nor the stage are asked", async () => {
    const validate = vi.fn((value: unknown) => ({ value }));
    const rule = vi.fn(() => []);
    const check = vi.fn(() => refusal({ action: "stop" }));
    const validator = { "~standard": { version: 1 as const, vendor: "test", validate } };
    const tool = { name: "add_item", validator, rules: [rule] };
    const { contract } = staged({ check });
    const context = { conversationId: "c", tool, execute: () => "added" };
    await contract.handle(callOf({ qty: 1 }), context);
    expect(await contract.handle(callOf({ qty: 1 }), context)).toMatchObject({ settled: true });
    expect([validate, rule, check].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
  });

  test("dropped from the list, it stays closed by its name; invented names are unknown", async () => {
    const { contract, add } = staged(SCRIPTED);
    await add(argsOf("G"));
    const tools = [{ name: "other", inputSchema: {} }];
    const execute = (): string => "added";
    const context = { conversationId: "c", tools, execute };
    const closed = await contract.handle(callOf(argsOf("v")), context);
    expect(closed).toMatchObject({ status: "blocked", settled: true, lane: "guardrail" });
    expect(headerOf(closed)).toBe("Guardrail failed for tool 'add_item' (blocked after 1/3):");
    const invented = { ...callOf(argsOf("v")), name: "add_items" };
    expect(await contract.handle(invented, context)).toMatchObject({
      status: "rejected",
      lane: "validation",
      attempt: 1,
    });
  });

  test("another conversation and another tool are not closed", async () => {
    const { contract, add } = staged(SCRIPTED);
    await add(argsOf("G"));
    expect(await add(argsOf("v"), { conversationId: "d" })).toMatchObject({ status: "executed" });
    const other = { ...ADD_ITEM, name: "drop_item" };
    const call = { ...callOf(argsOf("v")), name: "drop_item" };
    const context = { conversationId: "c", tools: [ADD_ITEM, other], execute: () => "dropped" };
    expect(await contract.handle(call, context)).toMatchObject({ status: "executed" });
  });

  test("a slow call that was admitted before opens nothing when it succeeds", async () => {
    let finish: (value: string) => void = () => undefined;
    const slow = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const { add } = staged(SCRIPTED);
    const running = add(argsOf("v"), { turnId: "1", execute: async () => slow });
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
    await add(argsOf("G"), { turnId: "2" });
    finish("added");
    expect(await running).toMatchObject({ status: "executed" });
    expect(numberOf(await add(argsOf("v"), { turnId: "3" }))).toBe("guardrail 1/3!s");
  });
});

describe("what was undone is in the message and in its parse result", () => {
  test.each<[StageRefusal["undone"], string]>([
    ["all", "All its state changes were undone."],
    [["charge card", "send mail"], "Some effects could not be undone: charge card, send mail."],
    [[], "Some effects could not be undone."],
  ])("%o", async (undone, line) => {
    const { add } = staged({ around: () => refusal({ lane: "outcome", undone: undone! }) });
    const answer = await add({ qty: 1 });
    expect(answer.result.content.split("\n").slice(-2)).toEqual([
      line,
      "Correct these and call 'add_item' again with all arguments.",
    ]);
  });
});

describe("a store that fails or forgets", () => {
  const broken = (parts: Partial<AttemptStore>): AttemptStore => ({
    ...createMemoryStore(),
    ...parts,
  });
  const fail = (): never => {
    throw new RangeError("store is down");
  };

  test.each<[string, AttemptStore]>([
    ["throws on update", broken({ update: fail })],
    ["rejects on update", broken({ update: async () => Promise.reject(new RangeError("down")) })],
    ["throws on everything", { get: fail, update: fail, delete: fail }],
  ])("%s: each call counts as the first, and a stop is still a stop", async (_, store) => {
    const { answers, events } = await play("b g v G o", { options: { store } });
    expect(answers.flat().map(numberOf)).toEqual([
      "validation 1/3",
      "guardrail 1/3",
      "ran",
      "guardrail 1/3!",
      "outcome 1/2",
    ]);
    const degraded = events.filter(({ name }) => name === "contract-degraded");
    expect(degraded).toEqual([
      {
        name: "contract-degraded",
        event: { stage: "store", errorClass: "RangeError", toolName: "add_item" },
      },
    ]);
  });

  test("one that loses entries counts from the start again", async () => {
    let memory = createMemoryStore();
    const store: AttemptStore = {
      get: (key) => memory.get(key),
      update: (key, change) => memory.update(key, change),
      delete: (key) => memory.delete(key),
    };
    const { add } = staged(SCRIPTED, { store });
    await add(argsOf("g"));
    await add(argsOf("G"));
    memory = createMemoryStore();
    expect(numberOf(await add(argsOf("g")))).toBe("guardrail 1/3");
  });

  test("two contracts that share one, with delays, answer every call and never exceed a budget", async () => {
    const memory = createMemoryStore();
    const later = async <T>(task: () => T): Promise<T> => {
      await new Promise((resolve) => {
        setTimeout(resolve, 0);
      });
      return task();
    };
    const store: AttemptStore = {
      get: async (key) => later(() => memory.get(key)),
      update: async (key, change) => later(() => memory.update(key, change)),
      delete: async (key) => later(() => memory.delete(key)),
    };
    const one = staged(SCRIPTED, { store });
    const other = staged(SCRIPTED, { store });
    const answers = await Promise.all(
      Array.from("gbovGgvb", async (letter, index) =>
        (index % 2 === 0 ? one : other).add(argsOf(letter), { turnId: `${index}` }),
      ),
    );
    for (const answer of answers) {
      expect(["executed", "rejected", "blocked"]).toContain(answer.status);
      if (answer.status === "executed") continue;
      expect(answer.attempt).toBeLessThanOrEqual(answer.maxAttempts);
    }
    // The stop of one process is known to the other.
    await one.add(argsOf("G"), { turnId: "8" });
    expect(numberOf(await other.add(argsOf("v"), { turnId: "9" }))).toMatch(/!s$/);
  });
});

describe("any conversation", () => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom("b", "v", "g", "o", "w"), minLength: 1, maxLength: 3 }),
    { minLength: 1, maxLength: 8 },
  );

  test("the tracker, the markers and the texts count alike", async () => {
    await fc.assert(
      fc.asyncProperty(words, async (script) => {
        const text = script.join(" ");
        const tracked = await numbers(text);
        expect(await numbers(text, { fromHistory: "markers" })).toBe(tracked);
        expect(await numbers(text, { fromHistory: "texts" })).toBe(tracked);
      }),
      { numRuns: 60 },
    );
  });

  test("what is counted in one lane never moves another", async () => {
    await fc.assert(
      fc.asyncProperty(words, async (script) => {
        const contract = createContract({ logger: () => undefined });
        const only: string[] = [];
        // The same conversation without the stage: its refusals are neither valid nor invalid calls.
        for (const [index, word] of script.entries()) {
          const isMixed = /[gow]/.test(word);
          for (const letter of word) {
            if (!"bv".includes(letter) || (isMixed && letter === "v")) continue;
            const answer = await contract.handle(callOf(argsOf(letter)), {
              conversationId: "c",
              turnId: String(index),
              tool: ADD_ITEM,
              execute: () => "added",
            });
            if (letter === "b") only.push(numberOf(answer));
          }
        }
        const budget = { ...SCRIPTED, lanes: { guardrail: 100, outcome: 100 } };
        const { answers } = await play(script.join(" "), { stage: budget });
        const counted = answers
          .flat()
          .map(numberOf)
          .filter((one) => one.startsWith("validation"));
        expect(counted).toEqual(only);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a tool that throws", () => {
  test.each(["markers", "tracker"] as const)(
    "has got valid arguments, but has not succeeded: %s",
    async (from) => {
      let does: "refuse" | "run" = "refuse";
      const around = async (call: StagedCall): Promise<StageAnswer> =>
        does === "refuse" ? refusal() : { action: "return", value: await call.run() };
      const { add } = staged({ around });
      const turns: ModelTurn[] = [];
      const answer = async (args: unknown): Promise<string> => {
        const attempts = from === "markers" && countAttempts(turns, "add_item", "run");
        const context = {
          ...(attempts && { attempts }),
          execute: () => {
            throw new Error("ENOENT");
          },
        };
        const call = { id: `${turns.length}`, name: "add_item" };
        const result = { toolCallId: call.id, isError: true };
        try {
          const handled = await add(args, context);
          turns.push({
            calls: [call],
            results: [{ ...result, marker: resultMarker(handled.result) }],
          });
          return numberOf(handled);
        } catch {
          turns.push({ calls: [call], results: [{ ...result, content: "ENOENT" }] });
          return "threw";
        }
      };
      const answers = [await answer({}), await answer({ qty: 1 })];
      does = "run";
      answers.push(await answer({ qty: 1 }));
      does = "refuse";
      answers.push(await answer({}), await answer({ qty: 1 }));
      expect(answers).toEqual([
        "validation 1/3",
        "guardrail 1/3",
        "threw",
        "validation 1/3",
        "guardrail 2/3",
      ]);
    },
  );
});
