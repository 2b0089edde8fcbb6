import type { ConformanceCase } from "../conformance-case.ts";
import { listAllowedDirectories } from "../tools/file-tools.ts";
import { pushFiles, queryTable, searchNotes, sequentialThinking } from "../tools/server-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

/** Schemas as real servers write them, with the calls that models make. */
export const serverCases: readonly ConformanceCase[] = [
  oneCall({
    name: "draft-07 with the limits of safe integers: numbers and booleans in quotes",
    tool: sequentialThinking,
    arguments:
      '{"thought":"Compare both plans","nextThoughtNeeded":"false","thoughtNumber":"1","totalThoughts":"5"}',
    expected: rejected(
      1,
      ["VAL-002 /nextThoughtNeeded", "VAL-002 /thoughtNumber", "VAL-002 /totalThoughts"],
      {
        text: `Validation failed for tool 'sequentialthinking' (attempt 1/3):

Errors:
• /nextThoughtNeeded (VAL-002): Type mismatch: expected boolean, got string
  Expected: boolean
  Actual: "false"
  Hint: send false without quotes
• /thoughtNumber (VAL-002): Type mismatch: expected integer, got string
  Expected: integer at least 1
  Actual: "1"
  Hint: send 1 without quotes
• /totalThoughts (VAL-002): Type mismatch: expected integer, got string
  Expected: integer at least 1
  Actual: "5"
  Hint: send 5 without quotes

Correct these and call 'sequentialthinking' again with all arguments.`,
        compact: `Validation failed for tool 'sequentialthinking' (attempt 1/3):
- /nextThoughtNeeded (VAL-002): "false"; expected boolean; send false without quotes
- /thoughtNumber (VAL-002): "1"; expected integer at least 1; send 1 without quotes
- /totalThoughts (VAL-002): "5"; expected integer at least 1; send 5 without quotes
Fix these and call again with all arguments.`,
      },
    ),
  }),
  oneCall({
    name: "null if null is allowed",
    tool: queryTable,
    arguments: '{"table":"orders","limit":null,"order":null}',
    expected: executed(),
  }),
  oneCall({
    name: "a nullable number beyond its range",
    tool: queryTable,
    arguments: '{"table":"orders","limit":5000}',
    expected: rejected(1, "VAL-003 /limit", {
      text: `Validation failed for tool 'query_table' (attempt 1/3):

Errors:
• /limit (VAL-003): Value out of range
  Expected: integer from 1 to 1000
  Actual: 5000

Correct these and call 'query_table' again with all arguments.`,
      compact: `Validation failed for tool 'query_table' (attempt 1/3):
- /limit (VAL-003): 5000; expected integer from 1 to 1000
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a nullable object of a definition: the object is what the model meant",
    tool: queryTable,
    arguments: '{"table":"orders","order":{"by":"total","direction":"descending"}}',
    expected: rejected(1, "VAL-008 /order/direction", {
      text: `Validation failed for tool 'query_table' (attempt 1/3):

Errors:
• /order/direction (VAL-008): Invalid enum value
  Expected: one of "asc", "desc"
  Actual: "descending"
  Hint: use "desc"

Correct these and call 'query_table' again with all arguments.`,
      compact: `Validation failed for tool 'query_table' (attempt 1/3):
- /order/direction (VAL-008): "descending"; expected one of "asc", "desc"; use "desc"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "an object instead of a list of objects",
    tool: pushFiles,
    arguments:
      '{"owner":"octo","repo":"site","branch":"main","message":"Add notes","files":{"notes.md":"# Notes"}}',
    expected: rejected(1, "VAL-002 /files"),
  }),
  oneCall({
    name: "two files, each with its own misspelt key",
    tool: pushFiles,
    arguments:
      '{"owner":"octo","repo":"site","branch":"main","message":"Add notes","files":[{"path":"a.md","contents":"A"},{"file_path":"b.md","content":"B"}]}',
    expected: rejected(1, ["VAL-005 /files/0/contents", "VAL-005 /files/1/file_path"], {
      text: `Validation failed for tool 'push_files' (attempt 1/3):

Errors:
• /files/0/contents (VAL-005): Unknown field 'contents'
  Expected: only path, content
  Hint: rename it to "content"
• /files/1/file_path (VAL-005): Unknown field 'file_path'
  Expected: only path, content
  Hint: rename it to "path"

Correct these and call 'push_files' again with all arguments.`,
      compact: `Validation failed for tool 'push_files' (attempt 1/3):
- /files/0/contents (VAL-005): unknown field; expected only path, content; rename it to "content"
- /files/1/file_path (VAL-005): unknown field; expected only path, content; rename it to "path"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "2020-12 with a default that is left out",
    tool: searchNotes,
    arguments: '{"query":"invoice"}',
    expected: executed(),
  }),
  oneCall({
    name: "VAL-014: two fields that exclude each other",
    tool: searchNotes,
    arguments: '{"query":"invoice","place":{"line":3,"offset":120}}',
    expected: rejected(1, "VAL-014 /place"),
  }),
  oneCall({
    name: "a tool without parameters gets invented arguments",
    tool: listAllowedDirectories,
    arguments: '{"path":"."}',
    expected: executed(),
  }),
];
