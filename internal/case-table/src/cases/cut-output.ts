import type { ConformanceCase } from "../conformance-case.ts";
import { listAllowedDirectories, readFile, writeFile } from "../tools/file-tools.ts";
import { transferMoney } from "../tools/work-tools.ts";
import { call, executed, oneCall, rejected } from "./row.ts";

/** Output that ends early never runs. */
export const cutOutputCases: readonly ConformanceCase[] = [
  oneCall({
    name: "VAL-011: cut inside a string",
    tool: writeFile,
    arguments: '{"path":"report.md","content":"# Report\\n\\nSales rose by',
    expected: rejected(1, "VAL-011 (arguments)", {
      text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• (arguments) (VAL-011): Arguments were cut off after 56 characters
  Expected: complete JSON
  Hint: send the JSON to its end, or less in one call if your output was cut

Correct these and call 'write_file' again with all arguments.`,
      compact: String.raw`Validation failed for tool 'write_file' (attempt 1/3):
- (arguments) (VAL-011): Arguments were cut off after 56 characters; expected complete JSON; send the JSON to its end, or less in one call if your output was cut
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-011: only the last brace is missing, but 10 may have been 1000",
    tool: transferMoney,
    arguments: '{"to":"bob","amount":10',
    expected: rejected(1, "VAL-011 (arguments)"),
  }),
  oneCall({
    name: "the last brace is missing after a complete string, with closeDangling",
    tool: readFile,
    options: { closeDangling: true },
    arguments: '{"path":"notes.txt"',
    expected: executed({ path: "notes.txt" }),
  }),
  oneCall({
    name: "VAL-011: a number at the end is not complete, even with closeDangling",
    tool: transferMoney,
    options: { closeDangling: true },
    arguments: '{"to":"bob","amount":10',
    expected: rejected(1, "VAL-011 (arguments)"),
  }),
  oneCall({
    name: "VAL-011: the provider says that it cut the output",
    tool: writeFile,
    finishReason: "length",
    arguments: '{"path":"report.md","content":"# Report',
    expected: rejected(1, "VAL-011 (arguments)", {
      text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• (arguments) (VAL-011): Arguments were cut off after 39 characters
  Expected: complete JSON
  Hint: send shorter arguments, or split the work into several calls

Send the whole call again, shorter.`,
      compact: `Validation failed for tool 'write_file' (attempt 1/3):
- (arguments) (VAL-011): Arguments were cut off after 39 characters; expected complete JSON; send shorter arguments, or split the work into several calls
Send the whole call again, shorter.`,
    }),
  }),
  oneCall({
    name: "VAL-011: cut before the first argument",
    tool: listAllowedDirectories,
    finishReason: "max_tokens",
    arguments: "{}",
    expected: rejected(1, "VAL-011 (arguments)"),
  }),
  ...["failed", "cancelled", "incomplete", "MALFORMED_FUNCTION_CALL", "a word of tomorrow"].map(
    (finishReason) =>
      oneCall({
        name: `VAL-011: no arguments at all, and the output ended for the reason ${finishReason}`,
        tool: listAllowedDirectories,
        finishReason,
        arguments: "",
        expected: rejected(1, "VAL-011 (arguments)"),
      }),
  ),
  ...["stop", "tool_calls", "tool-calls", "tool_use", "STOP", "TOOL_CALL", "completed"].map(
    (finishReason) =>
      oneCall({
        name: `no arguments at all, and the model ended its output: ${finishReason}`,
        tool: listAllowedDirectories,
        finishReason,
        arguments: "",
        expected: executed({}),
      }),
  ),
  oneCall({
    name: "arguments that came whole run, whatever the reason is",
    tool: readFile,
    finishReason: "a word of tomorrow",
    arguments: '{"path":"notes.txt"}',
    expected: executed({ path: "notes.txt" }),
  }),
  {
    name: "in a cut message the complete call runs and the cut one does not",
    tools: [readFile, writeFile],
    turns: [
      {
        finishReason: "length",
        calls: [
          call("call_1", "read_file", '{"path":"notes.txt"}', executed()),
          call(
            "call_2",
            "write_file",
            '{"path":"copy.txt","content":"Dear ',
            rejected(1, "VAL-011 (arguments)"),
          ),
        ],
      },
      {
        finishReason: "tool_calls",
        calls: [call("call_3", "write_file", '{"path":"copy.txt","content":"Hi"}', executed())],
      },
    ],
  },
  {
    name: "only the last call of a cut message can be cut",
    tools: [listAllowedDirectories],
    turns: [
      {
        finishReason: "length",
        calls: [
          call("call_1", "list_allowed_directories", "{}", executed({})),
          call("call_2", "list_allowed_directories", "{}", rejected(1, "VAL-011 (arguments)")),
        ],
      },
    ],
  },
];
