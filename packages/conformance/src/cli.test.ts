import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const CLI = fileURLToPath(new URL("cli.ts", import.meta.url));

test.skipIf(process.platform === "win32")("a reader that leaves early is not a fault", () => {
  const line = `"${process.execPath}" "${CLI}" list | true`;
  const { stderr } = spawnSync("sh", ["-c", line], { encoding: "utf8" });
  expect(stderr).toBe("");
});

test("the command grades a program, and says so with its exit code", () => {
  const args = ["--command", "node nowhere.mjs", "--scenario", "prose", "--json"];
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(1);
  const { checks } = JSON.parse(stdout) as { readonly checks: readonly { message: string }[] };
  expect(checks[0]?.message).toMatch(
    /^the program never asked the model; it failed: exit code 1: Error: Cannot find module/,
  );
});
