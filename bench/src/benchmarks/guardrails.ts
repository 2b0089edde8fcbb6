import { type Contract, createContract } from "@toolcontract/core";
import {
  createGuardrails,
  currentAttempt,
  type Guardrail,
  type GuardrailsOptions,
  slotStore,
} from "@toolcontract/guardrails";
import { type Benchmark, rowNamed } from "../benchmark.ts";
import { type Row } from "../row.ts";
import { type Contestant, perCall, race, raceRuns } from "../race.ts";
import { typicalCall } from "../typical-call.ts";

const CALLS = 100;
const MOST = 20;
const WITHOUT = "no guardrails";
const ON_ARGUMENTS = "a guardrail on the arguments";

interface Notes {
  readonly written: Record<string, number>;
}

/** Measures what guardrails add to a valid call, from its arguments to its result. */
export const guardrails: Benchmark = {
  name: "guardrails",
  about: "handle() of a valid call of a typical tool that does nothing else, with guardrails",
  async run({ length }) {
    const processor = perCall(await race(contestants(CALLS), length), CALLS);
    const clock = perCall(await raceRuns(contestants(1), length), 1);
    return [
      { title: "the median call, by the clock", rows: clock, target: targetOf(clock) },
      { title: "all calls, in processor time", rows: processor },
    ];
  },
};

/** Each makes this many calls a run. */
function contestants(calls: number): readonly Contestant[] {
  const guarded = (
    name: string,
    options: GuardrailsOptions<Notes>,
    execute = (): string => "written",
  ): Contestant => {
    const stage = createGuardrails({ effects: { write_file: "none" }, ...options });
    return handling(name, createContract({ guardrails: stage, logger: false }), execute, calls);
  };
  return [
    handling(WITHOUT, createContract({ logger: false }), () => "written", calls),
    guarded(ON_ARGUMENTS, { guardrails: [belowNotes] }),
    guarded("the same, and an async one", { guardrails: [belowNotes, later] }),
    guarded("the same on a store of 1 KB that the tool only reads", onStore("none"), readStore),
    guarded("on a store of 1 KB, and a commit guardrail", onStore("state"), writeStore),
  ];
}

const belowNotes: Guardrail<Notes, { path: string }> = {
  name: "below_notes",
  needs: "args",
  check: ({ args }) => !args.path.startsWith("notes/") && "only below notes/",
};

const later: Guardrail<Notes, { path: string }> = {
  name: "later",
  needs: "args",
  check: async ({ args }) => args.path.includes("..") && "no way up",
};

const few: Guardrail<Notes> = {
  name: "few_files",
  stage: "commit",
  check: ({ state }) => (state.written["notes/other.md"] ?? 0) > 1 && "too many files",
};

function onStore(effect: "none" | "state"): GuardrailsOptions<Notes> {
  const written = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`notes/${index}-of-many.md`, 1]),
  );
  return {
    store: slotStore<Notes>({ written }),
    effects: { write_file: effect },
    guardrails: effect === "none" ? [belowNotes] : [belowNotes, few],
  };
}

function readStore(): string {
  return `${currentAttempt<Notes>().state.written["notes/1-of-many.md"]} written`;
}

function writeStore(): string {
  const { state } = currentAttempt<Notes>();
  state.written["notes/today.md"] = (state.written["notes/today.md"] ?? 0) + 1;
  return "written";
}

function handling(
  name: string,
  contract: Contract,
  execute: () => string,
  calls: number,
): Contestant {
  const { tool, text } = typicalCall;
  let turn = 0;
  return {
    name,
    async run() {
      for (let index = 0; index < calls; index += 1) {
        turn += 1;
        const call = { id: `call_${turn}`, name: tool.name, arguments: text };
        const context = { tool, conversationId: "bench", turnId: `turn_${turn}`, execute };
        await contract.handle(call, context);
      }
    },
  };
}

function targetOf(rows: readonly Row[]) {
  const added = rowNamed(rows, ON_ARGUMENTS).value - rowNamed(rows, WITHOUT).value;
  const words = `without a store at most ${MOST} µs more than without guardrails`;
  return { words, met: added <= MOST };
}
