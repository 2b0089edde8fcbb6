// Runs the properties with other values than `pnpm test` does, and many more of them.
import { randomInt } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { runCommand } from "./gates/run.ts";

const { PROPERTY_SEED = String(randomInt(2 ** 31)), PROPERTY_TIMES = "20" } = process.env;

const files = globSync("packages/*/src/**/*.test.ts").filter((file) =>
  readFileSync(file, "utf8").includes('from "fast-check"'),
);
const { ok } = await runCommand(`vitest run --testTimeout=0 ${files.join(" ")}`, {
  env: { PROPERTY_SEED, PROPERTY_TIMES },
});
console.log(`PROPERTY_SEED=${PROPERTY_SEED} PROPERTY_TIMES=${PROPERTY_TIMES}`);
process.exitCode = ok ? 0 : 1;
