import type { IRawProperty, Parameters } from "fast-check";
import { vi } from "vitest";

// The same values in every run, or those of `pnpm test:properties`.
const SEED = Number(process.env["PROPERTY_SEED"] ?? 1);
const TIMES = Number(process.env["PROPERTY_TIMES"] ?? 1);

// A mock is loaded by the files that import fast-check alone, and reaches the `numRuns` of each property.
vi.mock("fast-check", async (load) => {
  const module = await load<typeof import("fast-check")>();
  const fc = module.default;
  fc.configureGlobal({ seed: SEED });
  if (TIMES === 1) return module;
  const assert = (property: IRawProperty<unknown>, parameters: Parameters<unknown> = {}) =>
    fc.assert(property, { ...parameters, numRuns: TIMES * (parameters.numRuns ?? 100) });
  return { ...module, default: { ...fc, assert } };
});
