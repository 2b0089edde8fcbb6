import { expect, test } from "vitest";
import { runCommand } from "./run.ts";

test("a command gets what makes compilers cheaper", async () => {
  const { stdout } = await runCommand("env", { keepsOutput: true, env: { GOMAXPROCS: "1" } });
  const names = stdout.split("\n").map((line) => line.replace(/=.*/, ""));
  expect(names).toEqual(
    expect.arrayContaining(["GOGC", "GOMEMLIMIT", "GOMAXPROCS", "NODE_COMPILE_CACHE"]),
  );
});
