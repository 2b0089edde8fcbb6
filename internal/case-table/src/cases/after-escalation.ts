import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, writeFile } from "../tools/file-tools.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const missing = "VAL-001 /path";
const wrong = "VAL-002 /path";

const spent: ConformanceCase["turns"] = [
  { calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
  { calls: [call("call_2", "read_file", '{"path":1}', rejected(2, wrong))] },
  { calls: [call("call_3", "read_file", '{"path":2}', blocked(3, wrong, { earlier: [1, 2] }))] },
];

/** The calls that come after a tool's last attempt. */
export const afterEscalationCases: readonly ConformanceCase[] = [
  {
    name: "later calls of a blocked tool start no new count",
    tools: [readFile],
    turns: [
      ...spent,
      {
        calls: [
          call(
            "call_4",
            "read_file",
            '{"path":3}',
            blocked(3, wrong, {
              settled: true,
              earlier: [1, 2, 3],
              text: `Validation failed for tool 'read_file' (blocked after 3/3):

Errors:
• /path (VAL-002): Type mismatch: expected string, got integer
  Expected: string, from 1 to 4096 characters
  Actual: 3
  Hint: use "3"

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'read_file' (blocked after 3/3):
- /path (VAL-002): 3; expected string, from 1 to 4096 characters; use "3"
Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
          // In one message: after one of nothing but blocked calls, a loop asks for words alone.
          call(
            "call_5",
            "read_file",
            '{"path":1}',
            blocked(3, wrong, { settled: true, earlier: [1, 2, 3], repeats: 2 }),
          ),
        ],
      },
    ],
  },
  {
    name: "onBlocked forgive: a valid call of a blocked tool runs and unblocks it",
    tools: [readFile],
    turns: [
      ...spent,
      { calls: [call("call_4", "read_file", '{"path":"notes.txt"}', executed())] },
      { calls: [call("call_5", "read_file", "{}", rejected(1, missing))] },
    ],
  },
  {
    name: "onBlocked refuse: a valid call of a blocked tool is rejected",
    tools: [readFile],
    options: { onBlocked: "refuse" },
    turns: [
      ...spent,
      {
        calls: [
          call(
            "call_4",
            "read_file",
            '{"path":"notes.txt"}',
            blocked(3, "VAL-016 (arguments)", {
              settled: true,
              earlier: [1, 2, 3],
              text: `Validation failed for tool 'read_file' (blocked after 3/3):

Errors:
• (arguments) (VAL-016): This tool is blocked until someone steps in

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'read_file' (blocked after 3/3):
- (arguments) (VAL-016): This tool is blocked until someone steps in
Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Attempt 3: Type mismatch on 'path' (got: integer)
Do not call 'read_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "a blocked tool does not block the others",
    tools: [readFile, writeFile],
    turns: [
      ...spent,
      {
        calls: [call("call_4", "write_file", '{"path":"a.txt","content":"Hello"}', executed())],
      },
      { calls: [call("call_5", "write_file", "{}", rejected(1, ["VAL-001 /content", missing]))] },
    ],
  },
];
