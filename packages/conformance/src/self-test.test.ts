import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { oneInThree } from "@toolcontract/case-table/whole";
import { describe, expect, test, vi } from "vitest";
import type { KitEnvironment } from "./play/index.ts";
import { APIS, type Check, type ClauseId } from "./shared/index.ts";
import { runConformance } from "./run/index.ts";
import { SCENARIOS } from "./scenarios/index.ts";
import { FORMATS } from "./wire/index.ts";
import { type Flaw, runLoop } from "./testing/loop.ts";

const LIMITS = { graceTime: 20_000, timeLimit: 100_000, concurrency: 8 };

/** The clauses that each flaw is against; what could not be seen because of it does not count. */
const FLAWS: readonly (readonly [Flaw, readonly ClauseId[]])[] = [
  ["dies", ["survives"]],
  ["does-not-validate", ["schema-holds"]],
  ["completes-cut-calls", ["half-never-runs"]],
  ["drops-siblings", ["siblings-run"]],
  ["runs-twice", ["valid-runs", "siblings-run", "corrected-runs"]],
  ["refuses-corrections", ["corrected-runs"]],
  ["answers-twice", ["answers-match"]],
  ["hides-results", ["result-intact"]],
  ["names-one-field", ["names-fields"]],
  ["says-no-limits", ["says-allowed"]],
  ["says-nothing-of-json", ["says-syntax"]],
  ["says-nothing-of-cuts", ["says-cut"]],
  ["offers-no-name", ["offers-name"]],
  ["never-stops", ["loop-ends", "ends-in-words"]],
  ["never-asks-for-words", ["ends-in-words"]],
  ["repeats-secrets", ["no-secret"]],
  ["repeats-everything", ["bounded-answer"]],
  ["rounds-numbers", ["exact-numbers"]],
  ["keeps-broken-text", ["readable-history"]],
  ["asks-before-checking", ["nobody-asked"]],
  ["takes-any-answer", ["answer-fits"]],
  ["says-nothing-of-answers", ["answer-told"]],
  ["asks-for-ever", ["answer-ends"]],
];

describe("the kit", () => {
  test.each(oneInThree(APIS.flatMap((api) => [[api, false] as const, [api, true] as const])))(
    "finds nothing wrong with a good loop: %s, streamed: %s",
    async (api, stream) => {
      const report = await runConformance({
        program: async (env) => runLoop(env),
        api,
        stream,
        level: "L5",
        ...LIMITS,
      });
      expect(report.checks.filter(({ passed }) => !passed)).toEqual([]);
      expect(report.checks.some(({ level }) => level === "L4")).toBe(false);
      expect(new Set(report.checks.map(({ id }) => id)).size).toBe(report.checks.length);
      expect(report.hasStreamed).toBe(true);
      const played = new Set(report.checks.map(({ scenario }) => scenario));
      expect(played.size + report.unplayable.length).toBe(SCENARIOS.length);
      expect(played.size).toBeGreaterThanOrEqual(40);
    },
  );

  test.each(oneInThree(oneInThree(FLAWS)))(
    "finds exactly what is wrong with a loop that %s",
    async (flaw, clauses) => {
      const { checks } = await runConformance({
        program: async (env) => runLoop(env, flaw),
        level: "L5",
        ...LIMITS,
      });
      expect(brokenIn(checks)).toEqual([...clauses].toSorted());
    },
  );

  test.each(oneInThree(APIS.filter((api) => FORMATS[api].hasErrorMark)))(
    "finds exactly what is wrong with a loop that marks-nothing: %s",
    async (api) => {
      const program = async (env: Parameters<typeof runLoop>[0]) => runLoop(env, "marks-nothing");
      const { checks } = await runConformance({ program, api, ...LIMITS });
      expect(brokenIn(checks)).toEqual(["flags-error"]);
    },
  );

  describe("when the connection breaks in the middle of a call", () => {
    const scenarios = SCENARIOS.filter(({ id }) => id.startsWith("connection-breaks"));
    const failing = async (env: KitEnvironment): Promise<void> => {
      const answer = await fetch(`${env.KIT_BASE_URL}/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ stream: true, messages: [{ role: "user", content: "Hi" }] }),
      });
      await answer.text();
    };
    const retrying = async (env: KitEnvironment): Promise<void> =>
      failing(env).catch(async () => runLoop(env));
    const programs = [
      ["fails", failing],
      ["asks again", retrying],
      ["answers what arrived", async (env: KitEnvironment) => runLoop(env)],
    ] as const;

    test.each(programs)("finds nothing wrong with a program that %s", async (_, program) => {
      const { checks } = await runConformance({ program, scenarios, stream: true, ...LIMITS });
      expect(checks.filter(({ passed }) => !passed)).toEqual([]);
      expect(new Set(checks.map(({ scenario }) => scenario)).size).toBe(2);
    });

    test.each(["openai-chat", "anthropic"] as const)(
      "finds half a call that ran: %s",
      async (api) => {
        const program = async (env: KitEnvironment) => runLoop(env, "completes-cut-calls");
        const { checks } = await runConformance({
          program,
          api,
          scenarios,
          stream: true,
          ...LIMITS,
        });
        expect(brokenIn(checks)).toEqual(["half-never-runs"]);
      },
    );

    test("needs a stream", async () => {
      const { checks, unplayable } = await runConformance({ program: failing, scenarios });
      expect([checks, unplayable]).toEqual([[], scenarios.map(({ id }) => id)]);
    });
  });

  test.each([
    ["ends at once", async () => {}],
    ["fails at once", async () => Promise.reject(new Error("No such tool layer"))],
    [
      "asks once and ends",
      async (env: { KIT_BASE_URL: string }) => {
        const body = JSON.stringify({ messages: [{ role: "user", content: "Hi" }] });
        await (
          await fetch(`${env.KIT_BASE_URL}/chat/completions`, { method: "POST", body })
        ).text();
      },
    ],
  ])("passes no check of a program that %s", async (_, program) => {
    const scenarios = oneInThree(SCENARIOS);
    const { checks } = await runConformance({ program, scenarios, ...LIMITS });
    // The output that was cut by its limit may be the end of a run.
    const passed = checks.filter((check) => check.passed && check.scenario !== "cut-by-length");
    expect(passed).toEqual([]);
  });
});

describe("a program as a process", () => {
  const scenarios = SCENARIOS.filter(({ id }) => ["one-of-three", "cut-in-string"].includes(id));

  test("leaves no file behind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "conformance-run-"));
    vi.stubEnv("TMPDIR", folder);
    let during: readonly string[] = [];
    const program = async (): Promise<void> => {
      during = readdirSync(folder);
    };
    await runConformance({ program, scenarios, ...LIMITS });
    vi.unstubAllEnvs();
    expect(during).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is graded by what it sends", async () => {
    const loop = new URL("testing/good-loop.ts", import.meta.url);
    const program = `node ${fileURLToPath(loop)}`;
    const { checks } = await runConformance({ program, scenarios, ...LIMITS });
    expect(checks.filter(({ passed }) => !passed)).toEqual([]);
    expect(checks.length).toBeGreaterThan(10);
  });

  test("is ended by time, and all that it started too", async () => {
    const program = `node -e "setInterval(() => {}, 1000)" & wait`;
    const { checks } = await runConformance({ program, scenarios, ...LIMITS, timeLimit: 300 });
    expect(checks.filter(({ passed }) => passed)).toEqual([]);
    expect(checks[0]?.message).toContain("the program never asked the model; it was still running");
  });

  test("is ended by count if it goes on asking", async () => {
    const program = async ({ KIT_BASE_URL }: { KIT_BASE_URL: string }, signal: AbortSignal) => {
      const body = JSON.stringify({ messages: [{ role: "user", content: "Hi" }] });
      while (!signal.aborted) {
        await fetch(`${KIT_BASE_URL}/chat/completions`, { method: "POST", body });
      }
    };
    const { checks } = await runConformance({ program, scenarios, ...LIMITS });
    expect(checks.filter(({ passed }) => passed)).toEqual([]);
    expect(checks.find(({ id }) => id === "one-of-three/survives")?.message).toContain(
      "went on asking after the model had said that it is done",
    );
  });

  test("is told which format it speaks if that is not the one that is played", async () => {
    const program = async ({ KIT_BASE_URL }: { KIT_BASE_URL: string }) => {
      await fetch(`${KIT_BASE_URL}/messages`, { method: "POST", body: "{}" });
    };
    const { checks } = await runConformance({ program, scenarios, ...LIMITS });
    expect(checks[0]?.message).toContain("pass --api anthropic for that");
  });
});

function brokenIn(checks: readonly Check[]): readonly string[] {
  const seen = checks.filter(
    ({ passed, message }) => !passed && !message.startsWith("Not judged: "),
  );
  return [...new Set(seen.map(({ id, scenario }) => id.slice(scenario.length + 1)))].toSorted();
}
