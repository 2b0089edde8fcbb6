import assert from "node:assert/strict";
import type { Form } from "../program.ts";
import { runProgram } from "../program.ts";
import type { Cell } from "../projects.ts";
import { readmeOf } from "../readme.ts";

const MODEL = "declare function askModel(messages: readonly unknown[]): Promise<Reply>;";
const SEARCH =
  "declare function searchIssues(args: { query: string; limit?: number }): Promise<string>;";

// An invalid call, the corrected one, then an answer.
const SCRIPTED = `
const script = ['{"query":"crash is:open","limit":"5"}', '{"query":"crash is:open","limit":5}'];
const seen: unknown[] = [];
async function askModel(messages: readonly { role?: string, content?: string }[]) {
  seen.push(...messages.slice(-1).filter(({ role }) => role === "tool").map(({ content }) => content));
  const text = script.shift();
  if (text === undefined) return { text: "Done.", calls: [], finishReason: "stop" };
  const call = { id: "call_" + script.length, name: "search_issues", arguments: text };
  return { text: "", calls: [call], finishReason: "tool_calls" };
}`;

const READ = `Validation failed for tool 'search_issues' (attempt 1/3):

Errors:
• /limit (VAL-002): Type mismatch: expected integer, got string
  Expected: integer from 1 to 100
  Actual: "5"
  Hint: send 5 without quotes

Correct these and call 'search_issues' again with all arguments.`;

/** The loop of core's README, with a scripted model. */
export function coreCells(): readonly Cell[] {
  return (["esm", "cjs"] satisfies Form[]).map((form) => ({
    name: `README, ${form}`,
    run: async (place) => {
      const program = {
        source: readmeOf("core", place).fence("ts"),
        replaced: {
          [MODEL]: SCRIPTED,
          [SEARCH]:
            "async function searchIssues({ query, limit }: { query: string; limit?: number }) { return `${limit} of ${query}`; }",
        },
        after: 'console.log(JSON.stringify([await run("Which crash?", "chat-1"), ...seen]));',
      };
      const printed = await runProgram(program, form, place);
      assert.deepEqual(JSON.parse(printed), ["Done.", READ, "5 of crash is:open"]);
    },
  }));
}
