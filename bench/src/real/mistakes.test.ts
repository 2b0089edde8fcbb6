import { expect, test } from "vitest";
import { countMistakes, mistakeTable } from "./mistakes.ts";
import type { RealCall } from "./real-calls.ts";

function call(model: string, more: Partial<RealCall>): RealCall {
  const sent = { called: "book", tool: null, arguments: "{}", answers: null };
  return {
    id: "1",
    source: "house",
    model,
    known: true,
    json: true,
    valid: false,
    ...sent,
    ...more,
  };
}

const missing = { kind: "missing required", at: "/from" };
const quoted = { kind: "quoted integer", at: "/seats" };

test("a call counts once for each kind, in the family of its model; valid calls have none", () => {
  const counts = countMistakes([
    call("gpt-4o-mini-2024", { faults: [missing, missing, quoted] }),
    call("openai_gpt-oss-20b@main", { faults: [missing] }),
    call("open-mixtral-8x22b-FC", { known: false }),
    call("claude-sonnet-4", { json: false }),
    call("yi-large-fc", { faults: [missing] }),
    call("gpt-4o", { valid: true }),
    call("gpt-4o", { valid: null, faults: [missing] }),
  ]);
  expect(mistakeTable(counts, 2)).toBe(
    [
      "| kind | calls | Claude | GPT | gpt-oss | Gemini | Mistral | Command R+ | Hermes | others |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
      "| missing required | 3 | 0 | 1 | 1 | 0 | 0 | 0 | 0 | 1 |",
      "| rarer | 3 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 |",
    ].join("\n"),
  );
});
