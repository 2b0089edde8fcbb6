import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, writeFile } from "../tools/file-tools.ts";
import { blocked, call, executed, rejected } from "./row.ts";

const unknown = "VAL-012 (arguments)";
const tools = [writeFile, readFile];

/** Tools that the host does not have. */
export const unknownToolCases: readonly ConformanceCase[] = [
  {
    name: "VAL-012: a misspelt name is answered with the near one",
    tools,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "wirte_file",
            '{"path":"a.txt","content":"Hello"}',
            rejected(1, unknown, {
              countsAs: "write_file",
              text: `Validation failed for tool 'wirte_file' (attempt 1/3):

Errors:
• (arguments) (VAL-012): Unknown tool 'wirte_file'
  Expected: one of "write_file", "read_file"
  Hint: use "write_file"

Call one of the listed tools instead.`,
              compact: `Validation failed for tool 'wirte_file' (attempt 1/3):
- (arguments) (VAL-012): Unknown tool 'wirte_file'; expected one of "write_file", "read_file"; use "write_file"
Call one of the listed tools instead.`,
            }),
          ),
        ],
      },
      { calls: [call("call_2", "write_file", '{"path":"a.txt","content":"Hello"}', executed())] },
    ],
  },
  {
    name: "VAL-012: a name is read without control tokens and a namespace, and counts as the tool",
    tools,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "read_file<|channel|>commentary",
            '{"path":"a.txt"}',
            rejected(1, unknown, {
              countsAs: "read_file",
              text: `Validation failed for tool 'read_file<|channel|>commentary' (attempt 1/3):

Errors:
• (arguments) (VAL-012): Unknown tool 'read_file<|channel|>commentary'
  Expected: one of "read_file", "write_file"
  Hint: use "read_file"

Call one of the listed tools instead.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_2",
            "functions.read_file",
            "{}",
            rejected(2, unknown, { countsAs: "read_file" }),
          ),
        ],
      },
      {
        calls: [
          call("call_3", "read_file", "{}", blocked(3, "VAL-001 /path", { earlier: [1, 2] })),
        ],
      },
    ],
  },
  {
    name: "VAL-012: a name without a near one is answered with the list",
    tools,
    turns: [
      {
        calls: [
          call(
            "call_1",
            "search_web",
            '{"query":"weather"}',
            rejected(1, unknown, {
              text: `Validation failed for tool 'search_web' (attempt 1/3):

Errors:
• (arguments) (VAL-012): Unknown tool 'search_web'
  Expected: one of "write_file", "read_file"

Call one of the listed tools, or answer without a tool.`,
              compact: `Validation failed for tool 'search_web' (attempt 1/3):
- (arguments) (VAL-012): Unknown tool 'search_web'; expected one of "write_file", "read_file"
Call one of the listed tools, or answer without a tool.`,
            }),
          ),
        ],
      },
    ],
  },
  {
    name: "VAL-012: invented names do not escape the limit",
    tools,
    turns: [
      { calls: [call("call_1", "open_file", '{"path":"a.txt"}', rejected(1, unknown))] },
      { calls: [call("call_2", "load_file", '{"path":"b.txt"}', rejected(2, unknown))] },
      {
        calls: [
          call(
            "call_3",
            "get_contents",
            '{"path":"c.txt"}',
            blocked(3, unknown, {
              earlier: [1, 2],
              text: `Validation failed for tool 'get_contents' (attempt 3/3):

Errors:
• (arguments) (VAL-012): Unknown tool 'get_contents'
  Expected: one of "write_file", "read_file"

Attempt 1: Unknown tool 'open_file'
Attempt 2: Unknown tool 'load_file'
Do not call 'get_contents' again: call one of the listed tools, or continue without it.`,
              compact: `Validation failed for tool 'get_contents' (attempt 3/3):
- (arguments) (VAL-012): Unknown tool 'get_contents'; expected one of "write_file", "read_file"
Attempt 1: Unknown tool 'open_file'
Attempt 2: Unknown tool 'load_file'
Do not call 'get_contents' again: call one of the listed tools, or continue without it.`,
            }),
          ),
        ],
      },
      {
        calls: [
          call(
            "call_4",
            "cat",
            '{"path":"d.txt"}',
            blocked(3, unknown, { settled: true, earlier: [1, 2, 3] }),
          ),
        ],
      },
    ],
  },
  {
    name: "VAL-012: unknown names have a separate count, which valid calls of tools do not end",
    tools,
    turns: [
      {
        calls: [
          call("call_1", "open_file", "{}", rejected(1, unknown)),
          call("call_2", "read_file", '{"path":"a.txt"}', executed()),
        ],
      },
      { calls: [call("call_3", "read_file", "{}", rejected(1, "VAL-001 /path"))] },
      { calls: [call("call_4", "load_file", "{}", rejected(2, unknown))] },
    ],
  },
  {
    name: "VAL-012: the same call of the same unknown name is a repeat, another name is not",
    tools,
    turns: [
      { calls: [call("call_1", "open_file", '{"path":"a.txt"}', rejected(1, unknown))] },
      { calls: [call("call_2", "load_file", '{"path":"a.txt"}', rejected(2, unknown))] },
      {
        calls: [
          call(
            "call_3",
            "open_file",
            '{"path":"a.txt"}',
            blocked(3, unknown, { repeats: 1, earlier: [1, 2] }),
          ),
        ],
      },
    ],
  },
  {
    name: "VAL-012: names of object members, such as constructor, are unknown too",
    tools,
    turns: [
      { calls: [call("call_1", "constructor", "{}", rejected(1, unknown))] },
      { calls: [call("call_2", "__proto__", '{"path":"a.txt"}', rejected(2, unknown))] },
    ],
  },
];
