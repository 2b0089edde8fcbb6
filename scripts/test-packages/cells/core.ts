import assert from "node:assert/strict";
import type { Form } from "../program.ts";
import { runProgram } from "../program.ts";
import type { Cell } from "../project.ts";
import { readmeOf } from "../readme.ts";
import { BOOK, BOOKED_ONCE, OPTIONS, runStaged } from "./stage.ts";

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

const STAGED = `
import { createContract } from "@toolcontract/core";
const contract = createContract(${OPTIONS});
const seen = [];
for (const id of ["call_1", "call_2"]) {
  const call = { id, name: "book", arguments: ${JSON.stringify(BOOK)} };
  const context = { tools: [{ name: "book" }], conversationId: "chat-1", turnId: id };
  const execute = ({ from, seats }) => seats + " seats from " + from;
  const { result } = await contract.handle(call, { ...context, execute });
  seen.push(result.content);
}
console.log(JSON.stringify(seen));`;

/** A validator of the project's own, because nothing else is installed. */
const WITHOUT_JSON_SCHEMA = `
import { createContract } from "@toolcontract/core/standard";
const validate = (value: any) =>
  typeof value?.from === "string"
    ? { value }
    : { issues: [{ message: "from must be a string", path: ["from"] }] };
const validator = { "~standard": { version: 1, vendor: "house", validate } } as const;
const contract = createContract({ logger: false });
const seen: string[] = [];
for (const text of ['{"from":5}', '{"from":"LIS"}']) {
  const call = { id: "call_1", name: "book", arguments: text };
  const context = { tool: { name: "book", validator }, conversationId: text };
  const execute = ({ from }: any) => "from " + from;
  const { result } = await contract.handle(call, { ...context, execute });
  seen.push(result.content);
}
try {
  contract.check({ name: "book", inputSchema: { type: "object" } }, {});
} catch (error) {
  seen.push((error as Error).name);
}
console.log(JSON.stringify(seen));`;

const REFUSED = `Validation failed for tool 'book' (attempt 1/3):

Errors:
• /from (VAL-016): from must be a string
  Actual: 5

Correct these and call 'book' again with all arguments.`;

/** The loop of core's README, with a scripted model, and the documentation's stage. */
export function coreCells(): readonly Cell[] {
  const readme = (["esm", "cjs"] satisfies Form[]).map((form): Cell => ({
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
  const run: Cell["run"] = async (place) => {
    assert.deepEqual(JSON.parse(await runStaged(STAGED, place)), BOOKED_ONCE);
  };
  const standard = (["esm", "cjs"] satisfies Form[]).map((form): Cell => ({
    name: `without JSON Schema, ${form}`,
    run: async (place) => {
      const printed = await runProgram({ source: WITHOUT_JSON_SCHEMA, replaced: {} }, form, place);
      assert.deepEqual(JSON.parse(printed), [REFUSED, "from LIS", "ToolContractError"]);
    },
  }));
  return [...readme, { name: "a stage", run }, ...standard];
}
