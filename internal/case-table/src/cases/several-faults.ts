import type { ConformanceCase } from "../conformance-case.ts";
import { editFile, readFile, writeFile } from "../tools/file-tools.ts";
import { bookFlight } from "../tools/work-tools.ts";
import { oneCall, rejected } from "./row.ts";

/** Many faults in one call: all reported, each once, in a fixed order. */
export const severalFaultCases: readonly ConformanceCase[] = [
  oneCall({
    name: "three faults at once, deep in the arguments",
    tool: bookFlight,
    arguments:
      '{"from":"LIS","to":"AMS","date":"2026-11-20","cabin":"first","passengers":[{"name":"Ana Silva","age":"34"},{"name":"Rui Silva"}]}',
    expected: rejected(
      1,
      ["VAL-008 /cabin", "VAL-002 /passengers/0/age", "VAL-001 /passengers/1/age"],
      {
        text: `Validation failed for tool 'book_flight' (attempt 1/3):

Errors:
• /cabin (VAL-008): Invalid enum value
  Expected: one of "economy", "business"
  Actual: "first"
• /passengers/0/age (VAL-002): Type mismatch: expected integer, got string
  Expected: integer from 0 to 120
  Actual: "34"
  Hint: send 34 without quotes
• /passengers/1/age (VAL-001): Required field 'age' is missing
  Expected: integer from 0 to 120

Correct these and call 'book_flight' again with all arguments. If you do not know a value, ask the user.`,
        compact: `Validation failed for tool 'book_flight' (attempt 1/3):
- /cabin (VAL-008): "first"; expected one of "economy", "business"
- /passengers/0/age (VAL-002): "34"; expected integer from 0 to 120; send 34 without quotes
- /passengers/1/age (VAL-001): missing; expected integer from 0 to 120
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
      },
    ),
  }),
  oneCall({
    name: "sorts by path, indexes by number",
    tool: editFile,
    arguments: `{"path":"src/app.ts","edits":[${Array.from({ length: 11 }, (_, n) =>
      [2, 10].includes(n) ? '{"oldText":"a"}' : '{"oldText":"a","newText":"b"}',
    ).join(",")}],"dryRun":"no"}`,
    expected: rejected(
      1,
      ["VAL-002 /dryRun", "VAL-001 /edits/2/newText", "VAL-001 /edits/10/newText"],
      {
        text: `Validation failed for tool 'edit_file' (attempt 1/3):

Errors:
• /dryRun (VAL-002): Type mismatch: expected boolean, got string
  Expected: boolean
  Actual: "no"
  Hint: use false
• /edits/2/newText, /edits/10/newText (VAL-001): Required fields are missing
  Expected: string (Text to replace with)

Correct these and call 'edit_file' again with all arguments. If you do not know a value, ask the user.`,
      },
    ),
  }),
  oneCall({
    name: "one bullet for each pointer: a wrong type hides other faults",
    tool: bookFlight,
    arguments: '{"from":7,"to":"AMS","date":20261120,"passengers":[{"name":"Ana Silva","age":34}]}',
    expected: rejected(1, ["VAL-002 /date", "VAL-002 /from"]),
  }),
  oneCall({
    name: "a misspelt key takes the place of the field that it stands for",
    tool: readFile,
    arguments: '{"Path":"notes.txt"}',
    expected: rejected(1, "VAL-005 /Path", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /Path (VAL-005): Unknown field 'Path'
  Expected: only path, encoding
  Hint: rename it to "path"

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /Path (VAL-005): unknown field; expected only path, encoding; rename it to "path"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a misspelt key of an open object is only visible in the missing field",
    tool: editFile,
    arguments: '{"path":"src/app.ts","edits":[{"old_text":"foo","newText":"bar"}]}',
    expected: rejected(1, "VAL-001 /edits/0/oldText", {
      text: `Validation failed for tool 'edit_file' (attempt 1/3):

Errors:
• /edits/0/oldText (VAL-001): Required field 'oldText' is missing
  Expected: string
  Hint: rename "old_text" to "oldText"

Correct these and call 'edit_file' again with all arguments.`,
      compact: `Validation failed for tool 'edit_file' (attempt 1/3):
- /edits/0/oldText (VAL-001): missing; expected string; rename "old_text" to "oldText"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "every field is wrong",
    tool: writeFile,
    arguments: '{"path":7,"content":["Hello"],"encoding":"utf8","mode":1000,"overwrite":true}',
    expected: rejected(
      1,
      [
        "VAL-002 /content",
        "VAL-008 /encoding",
        "VAL-003 /mode",
        "VAL-005 /overwrite",
        "VAL-002 /path",
      ],
      {
        text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-002): Type mismatch: expected string, got array
  Expected: string, at most 1048576 characters
  Actual: ["Hello"]
  Hint: use "Hello"
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf8"
  Hint: use "utf-8"
• /mode (VAL-003): Value out of range
  Expected: integer from 0 to 511
  Actual: 1000
• /overwrite (VAL-005): Unknown field 'overwrite'
  Expected: only path, content, encoding, mode
  Hint: no such option: if the call needs it, ask the user
• /path (VAL-002): Type mismatch: expected string, got integer
  Expected: string, at most 4096 characters
  Actual: 7
  Hint: use "7"

Correct these and call 'write_file' again with all arguments.`,
        compact: `Validation failed for tool 'write_file' (attempt 1/3):
- /content (VAL-002): ["Hello"]; expected string, at most 1048576 characters; use "Hello"
- /encoding (VAL-008): "utf8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
- /mode (VAL-003): 1000; expected integer from 0 to 511
- /overwrite (VAL-005): unknown field; expected only path, content, encoding, mode; no such option: if the call needs it, ask the user
- /path (VAL-002): 7; expected string, at most 4096 characters; use "7"
Fix these and call again with all arguments.`,
      },
    ),
  }),
];
