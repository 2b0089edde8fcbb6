import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, readTextFile } from "../tools/file-tools.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const valid = '{"path":"notes.txt"}';
const missing = "VAL-001 /path";

/** One attempt per model turn and tool, ended by success. */
export const attemptCases: readonly ConformanceCase[] = [
  {
    name: "every failed turn is one attempt, and a valid call ends the count",
    tools: [readFile],
    turns: [
      { calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
      {
        calls: [
          call("call_2", "read_file", '{"file":"a"}', rejected(2, ["VAL-005 /file", missing])),
        ],
      },
      { calls: [call("call_3", "read_file", valid, executed())] },
      { calls: [call("call_4", "read_file", "{}", rejected(1, missing))] },
    ],
  },
  {
    name: "parallel invalid calls of one tool share an attempt",
    tools: [readFile],
    turns: [
      {
        calls: [
          call("call_1", "read_file", "{}", rejected(1, missing)),
          call("call_2", "read_file", '{"path":7}', rejected(1, "VAL-002 /path")),
          call("call_3", "read_file", '{"path":""}', rejected(1, "VAL-009 /path")),
        ],
      },
      { calls: [call("call_4", "read_file", '{"path":[]}', rejected(2, "VAL-002 /path"))] },
    ],
  },
  {
    name: "valid siblings run, whether the others do or not",
    tools: [readFile, readTextFile],
    turns: [
      {
        calls: [
          call("call_1", "read_file", valid, executed()),
          call("call_2", "read_file", "{}", rejected(1, missing)),
          call("call_3", "read_text_file", '{"path":"todo.txt","head":5}', executed()),
        ],
      },
    ],
  },
  {
    name: "a valid and an invalid call in every turn still reach the limit",
    tools: [readFile],
    turns: [1, 2, 3].map((turn) => ({
      calls: [
        call(`good_${turn}`, "read_file", valid, executed()),
        call(
          `bad_${turn}`,
          "read_file",
          `{"path":${turn}}`,
          turn < 3
            ? rejected(turn, "VAL-002 /path")
            : blocked(3, "VAL-002 /path", { earlier: [1, 2] }),
        ),
      ],
    })),
  },
  {
    name: "tools are counted separately",
    tools: [readFile, readTextFile],
    turns: [
      {
        calls: [
          call("call_1", "read_file", "{}", rejected(1, missing)),
          call("call_2", "read_text_file", "{}", rejected(1, missing)),
        ],
      },
      { calls: [call("call_3", "read_file", '{"path":1}', rejected(2, "VAL-002 /path"))] },
      { calls: [call("call_4", "read_text_file", '{"path":1}', rejected(2, "VAL-002 /path"))] },
      { calls: [call("call_5", "read_text_file", valid, executed())] },
      {
        calls: [
          call(
            "call_6",
            "read_file",
            '{"path":2}',
            blocked(3, "VAL-002 /path", { earlier: [1, 2] }),
          ),
          call("call_7", "read_text_file", '{"path":2}', rejected(1, "VAL-002 /path")),
        ],
      },
    ],
  },
  {
    name: "a tool that fails on valid arguments ends the count too",
    tools: [readFile],
    turns: [
      { calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
      { calls: [{ ...call("call_2", "read_file", valid, executed()), fails: true }] },
      { calls: [call("call_3", "read_file", "{}", rejected(1, missing))] },
    ],
  },
  {
    name: "a tool that fails loses no result of the calls beside it",
    tools: [readFile, readTextFile],
    turns: [
      {
        calls: [
          call("call_1", "read_file", valid, executed()),
          { ...call("call_2", "read_text_file", valid, executed()), fails: true },
          call("call_3", "read_file", "{}", rejected(1, missing)),
          call("call_4", "read_text_file", '{"path":"todo.txt","head":5}', executed()),
        ],
      },
      { calls: [call("call_5", "read_text_file", "{}", rejected(1, missing))] },
    ],
  },
  {
    name: "the user sets how many attempts there are",
    tools: [readFile],
    options: { maxAttempts: 2 },
    turns: [
      {
        calls: [
          call(
            "call_1",
            "read_file",
            "{}",
            rejected(1, missing, {
              text: `Validation failed for tool 'read_file' (attempt 1/2):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

Correct these and call 'read_file' again with all arguments. If you do not know a value, ask the user.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_2",
            "read_file",
            '{"path":1}',
            blocked(2, "VAL-002 /path", {
              earlier: [1],
              text: `Validation failed for tool 'read_file' (attempt 2/2):

Errors:
• /path (VAL-002): Type mismatch: expected string, got integer
  Expected: string, from 1 to 4096 characters
  Actual: 1
  Hint: use "1"

Attempt 1: Missing required field 'path'
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "one attempt: the first failure is the last",
    tools: [readFile],
    options: { maxAttempts: 1 },
    turns: [
      {
        calls: [
          call(
            "call_1",
            "read_file",
            "{}",
            blocked(1, missing, {
              text: `Validation failed for tool 'read_file' (attempt 1/1):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'read_file' (attempt 1/1):
- /path (VAL-001): missing; expected string, from 1 to 4096 characters
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
];
