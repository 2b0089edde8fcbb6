import fc from "fast-check";
import { expect, test } from "vitest";
import { type Effect, Outcome, createGuardrails, currentAttempt, slotStore } from "./index.ts";
import { idle, loopOf } from "./testing/index.ts";

const SLOTS = ["x", "y", "z"] as const;
type Slot = (typeof SLOTS)[number];
type State = Record<Slot, string[]>;

const EFFECTS: Readonly<Record<string, Effect>> = {
  state: "state",
  again: "state",
  undoes: "compensable",
  looks: "none",
};
/** Of the last one nothing is declared. */
const TOOLS = [...Object.keys(EFFECTS), "unknown"];
const ENDS = [
  "ok",
  "not_these",
  "not_now",
  "not_that",
  "says_no",
  "outcome",
  "down",
  "throws",
  "breaks",
  "aborts",
] as const;

type Step =
  | { readonly do: "write"; readonly slot: Slot }
  | { readonly do: "wait" }
  | { readonly do: "register"; readonly fails: boolean }
  | { readonly do: "outbox"; readonly fails: boolean }
  | { readonly do: "call"; readonly call: Program };

/** What a call does, and how it ends. */
interface Program {
  readonly tool: string;
  readonly steps: readonly Step[];
  readonly end: (typeof ENDS)[number];
}

const step = (depth: number): fc.Arbitrary<Step> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("write" as const), slot: fc.constantFrom(...SLOTS) }),
    },
    { weight: 3, arbitrary: fc.constant({ do: "wait" } as const) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant("register" as const), fails: fc.boolean() }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("outbox" as const), fails: fc.boolean() }),
    },
    ...(depth > 0
      ? [
          {
            weight: 2,
            arbitrary: fc.record({ do: fc.constant("call" as const), call: program(depth - 1) }),
          },
        ]
      : []),
  );

function program(depth: number): fc.Arbitrary<Program> {
  return fc.record({
    tool: fc.constantFrom(...TOOLS),
    steps: fc.array(step(depth), { maxLength: 4 }),
    end: fc.oneof(
      { weight: 3, arbitrary: fc.constant("ok" as const) },
      { weight: 3, arbitrary: fc.constantFrom(...ENDS) },
    ),
  });
}

const world = fc.record({
  locks: fc.constantFrom(
    {},
    { state: ["x", "y"], undoes: ["y", "x"] },
    { again: [], state: ["z"] },
  ),
  // For each conversation its turns, and for each turn its parallel calls.
  conversations: fc.array(
    fc.array(fc.array(program(2), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
    { minLength: 1, maxLength: 3 },
  ),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** One run of a tool: what it did, and what became of it. */
interface Run {
  /** What it and the calls inside it wrote, if all goes well. */
  readonly written: string[];
  /** Compensations that wait, in the order in which they were registered. */
  readonly waiting: string[];
  /** The compensations that must have run by the end, in order. */
  readonly due: string[];
  /** Those that have run. */
  readonly undone: string[];
  readonly outbox: string[];
  readonly made: string[];
}

const newRun = (): Run => ({ written: [], waiting: [], due: [], undone: [], outbox: [], made: [] });

test("whatever calls do at the same time: what succeeded is committed, all else is undone once, in reverse", async () => {
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const unhandled: unknown[] = [];
      const note = (reason: unknown): void => void unhandled.push(reason);
      process.on("unhandledRejection", note);
      try {
        await play(given);
        await idle();
      } finally {
        process.off("unhandledRejection", note);
      }
      expect(unhandled).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

async function play({ locks, conversations }: World): Promise<void> {
  const initial: State = { x: [], y: [], z: [] };
  const store = slotStore(initial);
  const { call, events } = loopOf(
    createGuardrails<State>({
      store,
      locks,
      effects: EFFECTS,
      clock: () => 0,
      guardrails: [
        { name: "not_these", needs: "args", check: ({ args }) => args.end === "not_these" && "no" },
        {
          name: "not_now",
          check: async ({ args, state }) => (
            await idle(),
            state.x.length >= 0 && args.end === "not_now" && "no"
          ),
        },
        {
          name: "not_that",
          stage: "commit",
          tools: Object.keys(EFFECTS),
          check: async ({ args }) => (await idle(), args.end === "not_that" && { message: "no" }),
        },
      ],
    }),
  );
  let serial = 0;
  const expected: string[] = [];
  const checks: (() => void)[] = [];

  /** Makes a call; adds what must have come of it to the run around it, or to what is committed. */
  async function make(
    made: Program,
    where: object,
    around?: { readonly run: Run; readonly outermost: Run },
  ): Promise<void> {
    const runs: Run[] = [];
    const controller = new AbortController();
    const reason = new Error("aborted");
    const execute = async (): Promise<unknown> => {
      const run = newRun();
      // What undoes a call inside another one, and what it does after the commit, is noted with the outermost.
      const { outermost } = around ?? { outermost: run };
      runs.push(run);
      const attempt = currentAttempt<State>();
      for (const one of made.steps) {
        serial += 1;
        const id = `${made.tool}_${serial}`;
        if (one.do === "wait") await idle();
        if (one.do === "write") {
          attempt.state[one.slot].push(id);
          run.written.push(id);
        }
        if (one.do === "register") {
          run.waiting.push(id);
          attempt.onRollback(() => {
            outermost.undone.push(id);
            if (one.fails) throw new Error("not undone");
          });
        }
        if (one.do === "outbox") {
          run.outbox.push(id);
          attempt.onCommit(() => {
            outermost.made.push(id);
            if (one.fails) throw new Error("not made");
          });
        }
        if (one.do === "call") {
          // A tool that stages nothing has nothing that the calls inside it could join.
          const isJoined = around !== undefined || made.tool !== "looks";
          const place = { conversationId: `inside ${id}` };
          await make(one.call, place, isJoined ? { run, outermost } : undefined);
        }
      }
      if (made.end === "aborts") controller.abort(reason);
      if (made.end === "outcome") return Outcome.error("sold_out", "no", { retriable: true });
      if (made.end === "down") return Outcome.error("down", "no", { kind: "extrinsic" });
      if (made.end === "says_no") return { isError: true, content: [] };
      if (made.end === "throws") throw Object.assign(new Error("no"), { status: 404 });
      if (made.end === "breaks") throw new TypeError("no");
      return "done";
    };
    const answer = await call(
      made.tool,
      execute,
      { end: made.end },
      { ...where, signal: controller.signal },
    ).catch(() => undefined);
    const isCommitted = answer?.status === "executed" && !answer.result.isError;
    const last = runs.at(-1);
    for (const run of runs) {
      if (run === last && isCommitted) continue;
      const due = [...run.due, ...run.waiting.toReversed()];
      if (around) around.run.due.push(...due);
      else checks.push(() => expect(run.undone).toEqual(due));
      checks.push(() => expect(run.made).toEqual([]));
    }
    if (!isCommitted || last === undefined) return;
    if (around === undefined) {
      checks.push(() => expect(last.undone).toEqual(last.due));
      expected.push(...last.written);
      checks.push(() => expect(last.made).toEqual(last.outbox));
      return;
    }
    around.run.written.push(...last.written);
    around.run.waiting.push(...last.waiting);
    around.run.outbox.push(...last.outbox);
    around.run.due.push(...last.due);
  }

  await Promise.all(
    conversations.map(async (turns, index) => {
      for (const [number, calls] of turns.entries()) {
        const place = { conversationId: `thread-${index}`, turnId: `turn_${number}` };
        await Promise.all(calls.map(async (one) => make(one, place)));
      }
    }),
  );
  for (const check of checks) check();
  expect(Object.values(store.state).flat().toSorted()).toEqual(expected.toSorted());
  for (const event of events) {
    if (event.attempt_stage === "rolled_back") expect(event.committed).toBe(false);
  }
  // No lock is left.
  for (const tool of TOOLS) {
    const answer = await call(tool, () => "done", {}, { conversationId: "afterwards" });
    expect(answer.status).toBe("executed");
  }
}
