import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolEntry } from "@toolcontract/session/adapter";
import { afterAll, expect, test } from "vitest";
import { openTrace } from "./index.ts";
import { createSecrets } from "./secrets.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-trace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each event is a line that names tools, and holds no value", () => {
  const path = join(folder, "trace.jsonl");
  const trace = openTrace(path, { warn: () => undefined, hide: (event) => event }, () => 5);
  const target = { provider: "main", model: "small" };
  const entry = toolEntry({
    tool: "read",
    input: { path: "SECRET" },
    output: "SECRET",
    error: "there is no SECRET",
    startedAt: 0,
    endedAt: 1,
  });
  trace.write({ type: "entry", turn: 1, entry });
  trace.write({ type: "report-failed", payload: "SECRET", reason: "SECRET" });
  trace.write({
    type: "attempt-failed",
    ...target,
    turn: 2,
    attempt: 1,
    kind: "model",
    status: 529,
    reason: "SECRET",
    maxRetries: 3,
  });
  trace.write({ type: "end", success: true });
  trace.close();
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain("SECRET");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject([
    { ts: 5, type: "entry", entry: { command: "read", status: "failed" } },
    { ts: 5, type: "report-failed" },
    { ts: 5, type: "attempt-failed", model: "small", status: 529, kind: "model" },
    { ts: 5, type: "end", success: true },
  ]);
});

test("no line has a secret, and a new file is its owner's alone", () => {
  const path = join(folder, "own.jsonl");
  const { add, hide } = createSecrets();
  add(["gateway-key-7731"]);
  const trace = openTrace(path, { warn: () => undefined, hide });
  trace.write({ type: "refused", tool: "gateway-key-7731" } as never);
  trace.close();
  expect(readFileSync(path, "utf8")).not.toContain("7731");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that cannot be opened is a wrong command line", () => {
  expect(() =>
    openTrace(join(folder, "none", "trace"), { warn: () => undefined, hide: (event) => event }),
  ).toThrow(/--trace .* cannot be written \(ENOENT\)/u);
});
