import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolEntry } from "@toolcontract/session/adapter";
import { afterAll, expect, test } from "vitest";
import { openTrace } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-trace-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("each event is a line that names tools, and holds no value", () => {
  const path = join(folder, "trace.jsonl");
  const trace = openTrace(
    path,
    () => undefined,
    () => 5,
  );
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

test("a file that cannot be opened is a wrong command line", () => {
  expect(() => openTrace(join(folder, "none", "trace"), () => undefined)).toThrow(
    /--trace .* cannot be written \(ENOENT\)/u,
  );
});
