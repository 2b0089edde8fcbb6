import { ToolContractError, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import {
  type Effect,
  type Guardrail,
  type GuardrailsOptions,
  Outcome,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "../index.ts";

/** How a call of 90 ends whose tool has paid before: what it answers, and what its host does. */
interface End {
  readonly name: string;
  /** What the tool does after it has paid. */
  readonly answer: (call: {
    readonly cancel: () => void;
    readonly hang: () => Promise<never>;
  }) => unknown;
  readonly guardrail?: Guardrail;
  /** True if the call ends well, so that its amount is spent and not in doubt. */
  readonly isSpent?: boolean;
}

const hanging = async (): Promise<never> => new Promise(() => undefined);
const status = (code: number): Error => Object.assign(new Error(`HTTP ${code}`), { status: code });

const ENDS: readonly End[] = [
  { name: "it returns", answer: () => "paid", isSpent: true },
  { name: "Outcome.error", answer: () => Outcome.error("bounced", "it bounced") },
  {
    name: "Outcome.error that may be retried",
    answer: () => Outcome.error("bounced", "it bounced", { retriable: true }),
  },
  {
    name: "Outcome.error of the world",
    answer: () => Outcome.error("gateway", "no answer", { kind: "extrinsic" }),
  },
  { name: "isError", answer: () => ({ isError: true, content: [] }) },
  { name: "it throws", answer: () => Promise.reject(new Error("no answer")) },
  { name: "it throws at once", answer: thrown(new Error("no answer")) },
  { name: "a bug", answer: () => Promise.reject(new TypeError("x is not a function")) },
  { name: "HTTP 400", answer: () => Promise.reject(status(400)) },
  { name: "HTTP 402", answer: () => Promise.reject(status(402)) },
  { name: "HTTP 503", answer: () => Promise.reject(status(503)) },
  {
    name: "the host cancels",
    answer: async ({ cancel, hang }) => {
      cancel();
      return hang();
    },
  },
  { name: "the time is up", answer: async ({ hang }) => hang() },
  {
    name: "state that cannot be copied",
    answer: () => {
      currentAttempt<{ slot: unknown }>().state.slot = () => undefined;
      return "paid";
    },
  },
  {
    name: "a commit guardrail refuses",
    answer: () => "paid",
    guardrail: { name: "never", stage: "commit", check: () => "not like this" },
  },
];

const EFFECTS: readonly (Effect | undefined)[] = [
  undefined,
  "irreversible",
  "idempotent",
  "compensable",
  "state",
  "none",
];

function thrown(error: Error): () => never {
  return () => {
    throw error;
  };
}

/** Pays as often as it may, each time 90 of 100, and returns what was paid and what counts. */
async function pay({ answer, guardrail }: End, effect: Effect | undefined) {
  let world = 0;
  const options: GuardrailsOptions<{ slot: unknown }, "budget"> = {
    store: slotStore<{ slot: unknown }>({ slot: 0 }),
    guardrails: guardrail ? [guardrail] : [],
    effects: effect ? { pay: effect } : {},
    limits: { budget: { max: 100, scope: "global" } },
    spends: { pay: ({ args }) => ({ budget: args.amount }) },
    timeLimits: { tool: 5 },
  };
  const guardrails = createGuardrails(options);
  const contract = createContract({ guardrails, logger: false });
  for (let call = 0; call < 4; call += 1) {
    const controller = new AbortController();
    const execute = ({ amount }: { readonly amount: number }): unknown => {
      world += amount;
      return answer({ cancel: () => controller.abort(), hang: hanging });
    };
    const tool = { name: "pay", inputSchema: { type: "object" }, execute } as const;
    await contract
      .handle(
        { id: `call_${call}`, name: "pay", arguments: { amount: 90 } },
        { tool, conversationId: `chat-${call}`, signal: controller.signal },
      )
      .catch(() => undefined);
  }
  return { world, ...(await guardrails.usage("budget")) };
}

describe.each(ENDS)("a tool that has paid, and then: $name", (end) => {
  test.each(EFFECTS.map((effect) => ({ effect })))(
    "counts if its effect is $effect, however often it is called",
    async ({ effect }) => {
      const isFinal = effect === undefined || effect === "irreversible" || effect === "idempotent";
      if (end.guardrail && isFinal) {
        // A guardrail that could undo nothing is an error before anything runs.
        await expect(pay(end, effect)).rejects.toThrow(ToolContractError);
        return;
      }
      const { world, spent, reserved, inDoubt, left } = await pay(end, effect);
      expect({ world, counted: spent + reserved + inDoubt, left }).toEqual({
        world: 90,
        counted: 90,
        left: 10,
      });
      expect({ spent, reserved }).toEqual({ spent: end.isSpent === true ? 90 : 0, reserved: 0 });
    },
  );
});
