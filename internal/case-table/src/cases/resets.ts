import type { ConformanceCase } from "../conformance-case.ts";
import { readFile } from "../tools/file-tools.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const missing = "VAL-001 /path";
const wrong = "VAL-002 /path";

/** What resets a count besides success, and how repeated arguments are reported. */
export const resetCases: readonly ConformanceCase[] = [
  {
    name: "a new user message starts a new count",
    tools: [readFile],
    turns: [
      { user: true, calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
      { calls: [call("call_2", "read_file", '{"path":1}', rejected(2, wrong))] },
      { user: true, calls: [call("call_3", "read_file", '{"path":2}', rejected(1, wrong))] },
    ],
  },
  {
    name: "scope thread: a new user message does not start a new count",
    tools: [readFile],
    options: { scope: "thread" },
    turns: [
      { user: true, calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
      { user: true, calls: [call("call_2", "read_file", '{"path":1}', rejected(2, wrong))] },
      {
        user: true,
        calls: [call("call_3", "read_file", '{"path":2}', blocked(3, wrong, { earlier: [1, 2] }))],
      },
    ],
  },
  {
    name: "scope thread: success ends the count too",
    tools: [readFile],
    options: { scope: "thread" },
    turns: [
      { user: true, calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
      { user: true, calls: [call("call_2", "read_file", '{"path":"a.txt"}', executed())] },
      { user: true, calls: [call("call_3", "read_file", "{}", rejected(1, missing))] },
    ],
  },
  {
    name: "a new user message unblocks a tool",
    tools: [readFile],
    options: { maxAttempts: 1 },
    turns: [
      { user: true, calls: [call("call_1", "read_file", "{}", blocked(1, missing))] },
      { user: true, calls: [call("call_2", "read_file", "{}", blocked(1, missing))] },
      { user: true, calls: [call("call_3", "read_file", '{"path":"a.txt"}', executed())] },
    ],
  },
  {
    name: "the message says that the arguments are the same again",
    tools: [readFile],
    turns: [
      {
        calls: [
          call(
            "call_1",
            "read_file",
            '{"encoding":"utf8"}',
            rejected(1, ["VAL-008 /encoding", missing]),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_2",
            "read_file",
            '{ "encoding": "utf8" }',
            rejected(2, ["VAL-008 /encoding", missing], {
              repeats: 1,
              text: `Validation failed for tool 'read_file' (attempt 2/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf8"
  Hint: use "utf-8"
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

These are the same arguments as in attempt 1. They cannot succeed unchanged.
Correct these and call 'read_file' again with all arguments. If you do not know a value, ask the user.`,
              compact: `Validation failed for tool 'read_file' (attempt 2/3):
- /encoding (VAL-008): "utf8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /path (VAL-001): missing; expected string, from 1 to 4096 characters
These are the same arguments as in attempt 1. They cannot succeed unchanged.
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_3",
            "read_file",
            '{"encoding":"utf8"}',
            blocked(3, ["VAL-008 /encoding", missing], {
              repeats: 1,
              earlier: [1, 2],
              text: `Validation failed for tool 'read_file' (attempt 3/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf8"
  Hint: use "utf-8"
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

These are the same arguments as in attempt 1. They cannot succeed unchanged.
Attempt 1: Invalid enum value for 'encoding'; Missing required field 'path'
Attempt 2: Invalid enum value for 'encoding'; Missing required field 'path'
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'read_file' (attempt 3/3):
- /encoding (VAL-008): "utf8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /path (VAL-001): missing; expected string, from 1 to 4096 characters
These are the same arguments as in attempt 1. They cannot succeed unchanged.
Attempt 1: Invalid enum value for 'encoding'; Missing required field 'path'
Attempt 2: Invalid enum value for 'encoding'; Missing required field 'path'
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "the message says that the malformed JSON is the same again",
    tools: [readFile],
    turns: [
      {
        calls: [call("call_1", "read_file", '{"path":"notes', rejected(1, "VAL-011 (arguments)"))],
      },
      {
        calls: [
          call(
            "call_2",
            "read_file",
            '{"path":"notes',
            rejected(2, "VAL-011 (arguments)", {
              repeats: 1,
              text: `Validation failed for tool 'read_file' (attempt 2/3):

Errors:
• (arguments) (VAL-011): Arguments were cut off after 14 characters
  Expected: complete JSON
  Hint: send the JSON to its end, or less in one call if your output was cut

These are the same arguments as in attempt 1. They cannot succeed unchanged.
Correct these and call 'read_file' again with all arguments.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "parallel calls with the same arguments are not repeats, those of the next turn are",
    tools: [readFile],
    turns: [
      {
        calls: [
          call("call_1", "read_file", "{}", rejected(1, missing)),
          call("call_2", "read_file", "{}", rejected(1, missing)),
        ],
      },
      { calls: [call("call_3", "read_file", "{}", rejected(2, missing, { repeats: 1 }))] },
    ],
  },
];
