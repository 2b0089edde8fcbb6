import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, writeFile } from "../tools/file-tools.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const missing = "VAL-001 /path";
const wrong = "VAL-002 /path";

const failedTwice: ConformanceCase["turns"] = [
  { calls: [call("call_1", "read_file", "{}", rejected(1, missing))] },
  { calls: [call("call_2", "read_file", '{"path":1}', rejected(2, wrong))] },
];

/** The turn that uses up the last attempt. */
export const escalationCases: readonly ConformanceCase[] = [
  {
    name: "the last attempt asks the model to stop and lists the earlier ones",
    tools: [writeFile],
    turns: [
      {
        calls: [call("call_1", "write_file", '{"content":"Hello"}', rejected(1, missing))],
      },
      {
        calls: [call("call_2", "write_file", '{"path":7,"content":"Hello"}', rejected(2, wrong))],
      },
      {
        calls: [
          call(
            "call_3",
            "write_file",
            '{"path":"a.txt","content":"Hello","mode":"rw","encoding":"utf8"}',
            blocked(3, ["VAL-008 /encoding", "VAL-002 /mode"], {
              earlier: [1, 2],
              text: `Validation failed for tool 'write_file' (attempt 3/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf8"
  Hint: use "utf-8"
• /mode (VAL-002): Type mismatch: expected integer, got string
  Expected: integer from 0 to 511
  Actual: "rw"

Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Do not call 'write_file' again for this request: tell the user what is missing, or continue without it.`,
              compact: `Validation failed for tool 'write_file' (attempt 3/3):
- /encoding (VAL-008): "utf8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /mode (VAL-002): "rw"; expected integer from 0 to 511
Attempt 1: Missing required field 'path'
Attempt 2: Type mismatch on 'path' (got: integer)
Do not call 'write_file' again for this request: tell the user what is missing, or continue without it.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "parallel calls share the last attempt",
    tools: [readFile],
    turns: [
      ...failedTwice,
      {
        calls: [
          call("call_3", "read_file", '{"path":2}', blocked(3, wrong, { earlier: [1, 2] })),
          call(
            "call_4",
            "read_file",
            '{"path":""}',
            blocked(3, "VAL-009 /path", { earlier: [1, 2] }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_5",
            "read_file",
            '{"path":3}',
            blocked(3, wrong, { settled: true, earlier: [1, 2, 3] }),
          ),
        ],
      },
    ],
  },
  {
    name: "the valid sibling of the call that uses up the last attempt runs, also with onBlocked refuse",
    tools: [readFile],
    options: { onBlocked: "refuse" },
    turns: [
      ...failedTwice,
      {
        calls: [
          call("call_3", "read_file", '{"path":2}', blocked(3, wrong, { earlier: [1, 2] })),
          call("call_4", "read_file", '{"path":"notes.txt"}', executed()),
        ],
      },
    ],
  },
];
