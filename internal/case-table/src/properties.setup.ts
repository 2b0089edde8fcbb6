import { vi } from "vitest";
import { seeded } from "./seeded-properties.ts";

// Each test file loads this anew, so the rest is a module of its own. A mock is loaded by the files that import fast-check alone,
// and reaches the `numRuns` of each property.
vi.mock("fast-check", () => seeded());
