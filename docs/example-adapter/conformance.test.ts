import { describeAdapter } from "@toolcontract/conformance/vitest";
import { createGuardrails, slotStore } from "@toolcontract/guardrails";
import { createHarness } from "./harness.ts";

describeAdapter("the example adapter", createHarness, {
  createGuardrails: ({ state, ...options }) =>
    createGuardrails({ ...options, store: slotStore(state) }),
});
