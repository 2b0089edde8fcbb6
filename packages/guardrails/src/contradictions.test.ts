import { expect, test } from "vitest";
import { createGuardrails, slotStore } from "./index.ts";

const store = slotStore({ calls: 0 });
const count = ({ state }: { readonly state: { calls: number } }): void => {
  state.calls += 1;
};
const late = (ends: object) => ({ name: "late", stage: "output", check: () => null, ...ends });
const undo = () => ({ name: "remove", arguments: {} });

test.each<[string, object, string]>([
  [
    "a state change without a store",
    { stateChanges: { search: count } },
    "createGuardrails: `stateChanges` needs a `store`, such as slotStore({ … }).",
  ],
  [
    "a state change of a tool that has no effect",
    { store, stateChanges: { search: count }, effects: { search: "none" } },
    "createGuardrails: `stateChanges` changes the state for 'search', whose effect is none. Declare effects: { search: \"state\" }.",
  ],
  [
    "a compensation of a tool of which nothing is declared",
    { compensate: { create: undo } },
    "createGuardrails: `compensate` undoes 'create', which has no declared effect. Declare effects: { create: \"compensable\" }.",
  ],
  [
    "a compensation of an irreversible tool",
    { compensate: { create: undo }, effects: { create: "irreversible" } },
    "createGuardrails: `compensate` undoes 'create', whose effect is irreversible. Declare effects: { create: \"compensable\" }.",
  ],
  [
    "an output guardrail with a class",
    { guardrails: [late({ class: "terminal_guardrail", reason: "missing_credentials" })] },
    "createGuardrails: guardrail 'late' judges a result that stays, so it closes no tool; leave `class` out.",
  ],
  [
    "an output guardrail with a reason alone",
    { guardrails: [late({ reason: "missing_credentials" })] },
    "createGuardrails: guardrail 'late' judges a result that stays, so it closes no tool; leave `class` out.",
  ],
])("%s is an error at once", (_, options, message) => {
  expect(() => createGuardrails({ guardrails: [], ...options })).toThrow(message);
});

test.each([
  ["undeclared", {}],
  ["irreversible", { effects: { search: "irreversible" } }],
  ["stateful", { effects: { search: "state" } }],
] as const)("a tool that runs elsewhere and is %s may change the state", (_, options) => {
  const stateChanges = { search: count };
  expect(() => createGuardrails({ guardrails: [], store, stateChanges, ...options })).not.toThrow();
});
