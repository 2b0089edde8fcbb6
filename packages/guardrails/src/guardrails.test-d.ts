import { type AskRequest, defineTool } from "@toolcontract/core";
import { expectTypeOf } from "vitest";
import type { TypedOutcome } from "@toolcontract/core/stage";
import {
  after,
  type Attempt,
  type AttemptEvent,
  type AttemptFailure,
  type Feedback,
  type Guardrail,
  type GuardrailContext,
  guardrailFor,
  type StateStore,
  createGuardrails,
  currentAttempt,
  slotStore,
} from "./index.ts";

interface State {
  cart: { items: { sku: string; qty: number }[] };
  stock: Record<string, number>;
  seen: Map<string, Date>;
}

const store = slotStore<State>({ cart: { items: [] }, stock: { A1: 5 }, seen: new Map() });

// The state is inferred from the store, and read-only in checks; arguments are untyped unless they are annotated.
const guardrails = createGuardrails({
  store,
  guardrails: [
    {
      name: "inferred",
      check({ args, state, result, signal }) {
        expectTypeOf(state.stock).toEqualTypeOf<Readonly<Record<string, number>>>();
        expectTypeOf(state.cart.items[0]?.sku).toEqualTypeOf<string | undefined>();
        expectTypeOf(args).toBeAny();
        expectTypeOf(result).toBeAny();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        // @ts-expect-error -- a check does not change the state
        state.stock["A1"] = 1;
        // @ts-expect-error -- nor what is deep in it
        state.cart.items.push({ sku: "A1", qty: 1 });
        // @ts-expect-error -- nor a map
        state.seen.set("A1", new Date());
        // @ts-expect-error -- there is no such slot
        return state.basket === undefined && "no basket";
      },
    },
    {
      name: "annotated",
      check: ({ args }: GuardrailContext<State, { readonly sku: string }>) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly sku: string }>();
        return args.sku === "" && { message: "empty", fieldPath: "/sku", hint: "send one" };
      },
    },
    {
      name: "terminal",
      class: "terminal_guardrail",
      reason: "missing_credentials",
      check: () => "no key",
    },
    { name: "later", check: async () => Promise.resolve([{ message: "no" }]) },
  ],
  stateChanges: {
    add: ({ state }) => {
      state.stock["A1"] = 1;
      // @ts-expect-error -- there is no such slot
      state.basket = [];
    },
  },
  compensate: { add: ({ args }) => ({ name: "remove", arguments: { sku: args.sku } }) },
});
expectTypeOf(guardrails.store).toEqualTypeOf<StateStore<State> | undefined>();

createGuardrails({
  guardrails: [
    // @ts-expect-error -- a terminal guardrail needs a reason
    { name: "shop_key", class: "terminal_guardrail", check: () => "no key" },
  ],
});
createGuardrails({
  guardrails: [
    // @ts-expect-error -- of the allow-list
    { name: "shop_key", class: "terminal_guardrail", reason: "closed", check: () => "no key" },
  ],
});
createGuardrails({
  // @ts-expect-error -- a recoverable one has none
  guardrails: [{ name: "g", reason: "missing_credentials", check: () => "no key" }],
});
createGuardrails({
  guardrails: [
    {
      name: "g",
      // @ts-expect-error -- so does a terminal violation
      check: () => ({ message: "no", class: "terminal_guardrail" as const }),
    },
  ],
});
// @ts-expect-error -- `true` says nothing about what is wrong
createGuardrails({ guardrails: [{ name: "g", check: () => true }] });
// @ts-expect-error -- an unknown effect
createGuardrails({ guardrails: [], effects: { add: "safe" } });
// @ts-expect-error -- an unknown lane
createGuardrails({ guardrails: [], budgets: { validation: 2 } });
// @ts-expect-error -- an unknown option
createGuardrails({ guardrails: [], guardrail: [] });

// A guardrail may be written on its own.
const knownSku: Guardrail<State, { readonly sku: string }> = {
  name: "known_sku",
  check: ({ args, state }) => !(args.sku in state.stock) && "unknown SKU",
};
createGuardrails({ store, guardrails: [knownSku] });
createGuardrails({
  store: slotStore({ other: 1 }),
  // @ts-expect-error -- it needs another state
  guardrails: [knownSku],
});

// The value of a run is what `execute` returns, and its arguments are what `generate` does.
const ended = guardrails.run({
  tool: "add",
  generate(feedback) {
    expectTypeOf(feedback).toEqualTypeOf<Feedback | undefined>();
    return { sku: "A1" };
  },
  async execute(args, attempt) {
    expectTypeOf(args).toEqualTypeOf<{ sku: string }>();
    expectTypeOf(attempt).toEqualTypeOf<Attempt<State>>();
    attempt.state.stock[args.sku] = 4;
    return Promise.resolve(5);
  },
});
type Ended = Awaited<typeof ended>;
type WithStatus<Status> = Extract<Ended, { readonly status: Status }>;
expectTypeOf<Ended["status"]>().toEqualTypeOf<"ok" | "ask" | "error">();
expectTypeOf<Ended["attempt_failures"]>().toEqualTypeOf<readonly AttemptFailure[]>();
expectTypeOf<WithStatus<"ok">["value"]>().toEqualTypeOf<number>();
expectTypeOf<WithStatus<"ask">["request"]>().toEqualTypeOf<AskRequest>();
expectTypeOf<WithStatus<"error">>().toExtend<TypedOutcome>();

expectTypeOf(currentAttempt()).toEqualTypeOf<Attempt>();
expectTypeOf(currentAttempt<State>().state).toEqualTypeOf<State>();
expectTypeOf(currentAttempt().idempotencyKey).toEqualTypeOf<string | undefined>();
expectTypeOf<AttemptEvent["attempt_stage"]>().toEqualTypeOf<
  "generated" | "validated" | "executed" | "rolled_back"
>();

// With the names of the tools, every other option takes those names only.
const tools = ["pay", "look"] as const;
createGuardrails({ tools, guardrails: [], effects: { pay: "irreversible" } });
// @ts-expect-error -- a typo
createGuardrails({ tools, guardrails: [], effects: { pya: "irreversible" } });
// @ts-expect-error -- a typo
createGuardrails({ tools, guardrails: [], limits: { b: { max: 1 } }, spends: { pya: () => ({}) } });
// @ts-expect-error -- a typo
createGuardrails({ tools, guardrails: [], store: slotStore({ a: 1 }), locks: { pya: ["a"] } });
// @ts-expect-error -- a typo
createGuardrails({ tools, guardrails: [{ name: "g", tools: ["pya"], check: () => null }] });

// A guardrail that is made for a tool knows its arguments.
const pay = defineTool({ name: "pay", execute: (args: { amount: number }) => args.amount });
guardrailFor(pay, {
  name: "large",
  check({ args }) {
    expectTypeOf(args).toEqualTypeOf<{ amount: number }>();
    // @ts-expect-error -- a typo
    return args.amuont > 5 && "too much";
  },
});

const large = guardrailFor(pay, { name: "large", check: () => null });
createGuardrails({ tools, guardrails: [large, after("look").deny("pay")] });
// @ts-expect-error -- a typo
createGuardrails({ tools, guardrails: [after("loook").deny("pay")] });

const forgets: Guardrail = {
  name: "forgets",
  // @ts-expect-error -- a `return` was forgotten: it would allow everything
  check({ attempt }) {
    if (attempt > 5) JSON.stringify({ message: "too many" });
  },
};
const forgetsToo: Guardrail = {
  name: "forgets",
  // @ts-expect-error -- the same, asynchronously
  async check() {
    await Promise.resolve();
  },
};
expectTypeOf([forgets, forgetsToo]).toExtend<readonly Guardrail[]>();

// What nobody waits for may not be asynchronous: a rejection would end the process.
createGuardrails({ guardrails: [], onGuardrailError: (error) => void JSON.stringify(error) });
// @ts-expect-error -- nobody waits for it
createGuardrails({ guardrails: [], onGuardrailError: async () => Promise.resolve() });
// @ts-expect-error -- nobody waits for it
createGuardrails({ guardrails: [], classify: async () => Promise.resolve(undefined) });
// @ts-expect-error -- nobody waits for it
createGuardrails({ guardrails: [], clock: async () => Promise.resolve(0) });
const scope = async (): Promise<string> => Promise.resolve("tenant");
// @ts-expect-error -- nobody waits for it
createGuardrails({ guardrails: [], limits: { b: { max: 1, scope } }, spends: { pay: () => ({}) } });
// @ts-expect-error -- nobody waits for it
slotStore({ at: new Date() }, { codecs: { at: { clone: async (at) => Promise.resolve(at) } } });
