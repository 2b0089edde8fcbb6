import type { ConformanceCase } from "../conformance-case.ts";
import { readFile, readTextFile, writeFile } from "../tools/file-tools.ts";
import { bookFlight } from "../tools/work-tools.ts";
import { oneCall, rejected } from "./row.ts";

/** One case for each code that a schema's plain keywords cause. */
export const codeCases: readonly ConformanceCase[] = [
  oneCall({
    name: "four faults in one call",
    tool: writeFile,
    arguments: '{"encoding":"uft8","mode":"rw","pth":"notes.txt"}',
    expected: rejected(
      1,
      ["VAL-001 /content", "VAL-008 /encoding", "VAL-002 /mode", "VAL-005 /pth"],
      {
        text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-001): Required field 'content' is missing
  Expected: string, at most 1048576 characters
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "uft8"
  Hint: use "utf-8"
• /mode (VAL-002): Type mismatch: expected integer, got string
  Expected: integer from 0 to 511
  Actual: "rw"
• /pth (VAL-005): Unknown field 'pth'
  Expected: only path, content, encoding, mode
  Hint: rename it to "path"

Correct these and call 'write_file' again with all arguments. If you do not know a value, ask the user.`,
        compact: `Validation failed for tool 'write_file' (attempt 1/3):
- /content (VAL-001): missing; expected string, at most 1048576 characters
- /encoding (VAL-008): "uft8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /mode (VAL-002): "rw"; expected integer from 0 to 511
- /pth (VAL-005): unknown field; expected only path, content, encoding, mode; rename it to "path"
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
      },
    ),
  }),
  oneCall({
    name: "VAL-001: a required field is missing",
    tool: readFile,
    arguments: '{"encoding":"utf-8"}',
    expected: rejected(1, "VAL-001 /path", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string, from 1 to 4096 characters

Correct these and call 'read_file' again with all arguments. If you do not know a value, ask the user.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /path (VAL-001): missing; expected string, from 1 to 4096 characters
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
  oneCall({
    name: "VAL-002: a number in quotes",
    tool: readTextFile,
    arguments: '{"path":"logs/server.log","head":"20"}',
    expected: rejected(1, "VAL-002 /head", {
      text: `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /head (VAL-002): Type mismatch: expected number, got string
  Expected: number
  Actual: "20"
  Hint: send 20 without quotes

Correct these and call 'read_text_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_text_file' (attempt 1/3):
- /head (VAL-002): "20"; expected number; send 20 without quotes
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-005: an undeclared field of a closed schema",
    tool: readFile,
    arguments: '{"path":"notes.txt","recursive":true}',
    expected: rejected(1, "VAL-005 /recursive", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /recursive (VAL-005): Unknown field 'recursive'
  Expected: only path, encoding
  Hint: no such option: if the call needs it, ask the user

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /recursive (VAL-005): unknown field; expected only path, encoding; no such option: if the call needs it, ask the user
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-008: a value that is not in the enum",
    tool: bookFlight,
    arguments:
      '{"from":"LIS","to":"AMS","date":"2026-11-20","cabin":"first","passengers":[{"name":"Ana Silva","age":34}]}',
    expected: rejected(1, "VAL-008 /cabin", {
      text: `Validation failed for tool 'book_flight' (attempt 1/3):

Errors:
• /cabin (VAL-008): Invalid enum value
  Expected: one of "economy", "business"
  Actual: "first"

Correct these and call 'book_flight' again with all arguments.`,
      compact: `Validation failed for tool 'book_flight' (attempt 1/3):
- /cabin (VAL-008): "first"; expected one of "economy", "business"
Fix these and call again with all arguments.`,
    }),
  }),
];
