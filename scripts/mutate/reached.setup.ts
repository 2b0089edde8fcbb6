import { relative } from "node:path";
import { expect } from "vitest";
import { announceReached } from "./reached.ts";

// Vitest runs it before each test file, also where files share their modules.
const testFile = relative(process.cwd(), expect.getState().testPath ?? "");
process.env["MUTATE_TEST"] = testFile;
announceReached(testFile);
