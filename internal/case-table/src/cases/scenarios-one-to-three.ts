import type { ConformanceCase } from "../conformance-case.ts";
import { createIssue } from "../tools/work-tools.ts";
import { readFile, writeFile } from "../tools/file-tools.ts";
import { call, executed, rejected } from "./row.ts";

/** Scenarios 1 to 3 of the retry contract's "User Verification Steps", end to end. */
export const scenarioCases: readonly ConformanceCase[] = [
  {
    name: "Scenario 1: single error",
    tools: [readFile],
    turns: [
      {
        user: true,
        calls: [
          call(
            "call_abc123",
            "read_file",
            "{}",
            rejected(1, "VAL-001 /path", {
              text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

Correct these and call 'read_file' again with all arguments. If you do not know a value, ask the user.`,
              compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /path (VAL-001): missing; expected string, from 1 to 4096 characters
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "Scenario 2: multiple errors",
    tools: [writeFile],
    turns: [
      {
        user: true,
        calls: [
          call(
            "call_1",
            "write_file",
            '{"path":["notes.txt"],"mode":640,"encoding":"utf_8"}',
            rejected(
              1,
              ["VAL-001 /content", "VAL-008 /encoding", "VAL-003 /mode", "VAL-002 /path"],
              {
                text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-001): Required field 'content' is missing
  Expected: string, at most 1048576 characters
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf_8"
  Hint: use "utf-8"
• /mode (VAL-003): Value out of range
  Expected: integer from 0 to 511
  Actual: 640
• /path (VAL-002): Type mismatch: expected string, got array
  Expected: string, at most 4096 characters
  Actual: ["notes.txt"]
  Hint: use "notes.txt"

Correct these and call 'write_file' again with all arguments. If you do not know a value, ask the user.`,
                compact: `Validation failed for tool 'write_file' (attempt 1/3):
- /content (VAL-001): missing; expected string, at most 1048576 characters
- /encoding (VAL-008): "utf_8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /mode (VAL-003): 640; expected integer from 0 to 511
- /path (VAL-002): ["notes.txt"]; expected string, at most 4096 characters; use "notes.txt"
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
              },
            ),
          ),
        ],
      },
    ],
  },
  {
    name: "Scenario 3: retry success",
    tools: [createIssue],
    turns: [
      {
        user: true,
        calls: [
          call(
            "call_1",
            "create_issue",
            '{"owner":"octo","title":"Broken link"}',
            rejected(1, "VAL-001 /repo", {
              text: `Validation failed for tool 'create_issue' (attempt 1/3):

Errors:
• /repo (VAL-001): Required field 'repo' is missing
  Expected: string

Correct these and call 'create_issue' again with all arguments. If you do not know a value, ask the user.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_2",
            "create_issue",
            '{"owner":"octo","repo":"site","title":"Broken link","labels":"bug"}',
            rejected(2, "VAL-002 /labels", {
              text: `Validation failed for tool 'create_issue' (attempt 2/3):

Errors:
• /labels (VAL-002): Type mismatch: expected array, got string
  Expected: array of string, at most 3 items
  Actual: "bug"
  Hint: put it in an array

Correct these and call 'create_issue' again with all arguments.`,
            }),
          ),
        ],
      },
      {
        calls: [
          {
            ...call(
              "call_3",
              "create_issue",
              '{"owner":"octo","repo":"site","title":"Broken link","labels":["bug"]}',
              executed(),
            ),
            output: "Created issue 42",
          },
        ],
      },
    ],
  },
];
