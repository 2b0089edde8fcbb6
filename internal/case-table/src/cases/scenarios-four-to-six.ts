import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, writeFile } from "../tools/file-tools.ts";
import { blocked, call, rejected } from "./row.ts";

/** Scenarios 4 to 6 of the retry contract's "User Verification Steps", end to end. */
export const lateScenarioCases: readonly ConformanceCase[] = [
  {
    name: "Scenario 4: max retries",
    tools: [readFile],
    turns: [
      { user: true, calls: [call("call_1", "read_file", "{}", rejected(1, "VAL-001 /path"))] },
      { calls: [call("call_2", "read_file", '{"path":4096}', rejected(2, "VAL-002 /path"))] },
      {
        calls: [
          call(
            "call_3",
            "read_file",
            `{"path":"${"very-long-name/".repeat(300)}"}`,
            blocked(3, "VAL-009 /path", {
              earlier: [1, 2],
              text: `Validation failed for tool 'read_file' (attempt 3/3):

Errors:
• /path (VAL-009): String length 4500 exceeds maximum 4096
  Expected: string, from 1 to 4096 characters
  Actual: "very-long-name/very-long-name/very-long-name/very-long-name/very-long-name/very-long-name/very-lo..." (4500 characters)

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'read_file' (attempt 3/3):
- /path (VAL-009): "very-long-name/very-long-name/very-long-name/very-long-name/very-long-name/very-long-name/very-lo..." (4500 characters); expected string, from 1 to 4096 characters
Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "Scenario 5: long value truncation",
    tools: [writeFile],
    turns: [
      {
        user: true,
        calls: [
          call(
            "call_1",
            "write_file",
            `{"path":"notes.txt","content":"${"Lorem ipsum dolor sit amet. ".repeat(40_000)}"}`,
            rejected(1, "VAL-009 /content", {
              text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-009): String length 1120000 exceeds maximum 1048576
  Expected: string, at most 1048576 characters
  Actual: "Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum d..." (1120000 characters)

Correct these and call 'write_file' again with all arguments.`,
              compact: `Validation failed for tool 'write_file' (attempt 1/3):
- /content (VAL-009): "Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum d..." (1120000 characters); expected string, at most 1048576 characters
Fix these and call again with all arguments.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "Scenario 6: logging",
    tools: [writeFile],
    turns: [
      {
        user: true,
        calls: [
          call(
            "call_1",
            "write_file",
            '{"path":["letters/silva.txt"],"content":{"greeting":"Dear Ms. Silva","body":"her test results"},"mode":-1}',
            rejected(1, ["VAL-002 /content", "VAL-003 /mode", "VAL-002 /path"]),
          ),
        ],
      },
    ],
  },
];
