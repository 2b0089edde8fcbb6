import type { ConformanceCase } from "../conformance-case.ts";
import { editFile, readMultipleFiles, readTextFile } from "../tools/file-tools.ts";
import { createIssue, listIssues } from "../tools/work-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

/** Calls that mean the right thing in the wrong form: the hint says how to send it. */
export const nearMissCases: readonly ConformanceCase[] = [
  oneCall({
    name: "null for an optional field: leave it out",
    tool: readTextFile,
    arguments: '{"path":"notes.txt","head":null}',
    expected: rejected(1, "VAL-002 /head", {
      text: `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /head (VAL-002): Type mismatch: expected number, got null
  Expected: number
  Actual: null
  Hint: leave it out

Correct these and call 'read_text_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_text_file' (attempt 1/3):
- /head (VAL-002): null; expected number; leave it out
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "null for a required field",
    tool: readTextFile,
    arguments: '{"path":null}',
    expected: rejected(1, "VAL-002 /path", {
      text: `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /path (VAL-002): Type mismatch: expected string, got null
  Expected: string
  Actual: null

Correct these and call 'read_text_file' again with all arguments. If you do not know a value, ask the user.`,
      compact: `Validation failed for tool 'read_text_file' (attempt 1/3):
- /path (VAL-002): null; expected string
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
  oneCall({
    name: "Python's True in quotes",
    tool: editFile,
    arguments: '{"path":"src/app.ts","edits":[],"dryRun":"True"}',
    expected: rejected(1, "VAL-002 /dryRun", {
      text: `Validation failed for tool 'edit_file' (attempt 1/3):

Errors:
• /dryRun (VAL-002): Type mismatch: expected boolean, got string
  Expected: boolean
  Actual: "True"
  Hint: send true without quotes

Correct these and call 'edit_file' again with all arguments.`,
      compact: `Validation failed for tool 'edit_file' (attempt 1/3):
- /dryRun (VAL-002): "True"; expected boolean; send true without quotes
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a list as a JSON string, without unwrapStrings",
    tool: readMultipleFiles,
    options: { unwrapStrings: false },
    arguments: String.raw`{"paths":"[\"a.txt\",\"b.txt\"]"}`,
    expected: rejected(1, "VAL-002 /paths", {
      text: String.raw`Validation failed for tool 'read_multiple_files' (attempt 1/3):

Errors:
• /paths (VAL-002): Type mismatch: expected array, got string
  Expected: array of string, at least 1 item
  Actual: "[\"a.txt\",\"b.txt\"]"
  Hint: send the array itself, not a JSON string

Correct these and call 'read_multiple_files' again with all arguments.`,
      compact: String.raw`Validation failed for tool 'read_multiple_files' (attempt 1/3):
- /paths (VAL-002): "[\"a.txt\",\"b.txt\"]"; expected array of string, at least 1 item; send the array itself, not a JSON string
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a list as a JSON string, with unwrapStrings",
    tool: readMultipleFiles,
    options: { unwrapStrings: true },
    arguments: String.raw`{"paths":"[\"a.txt\",\"b.txt\"]"}`,
    expected: executed({ paths: ["a.txt", "b.txt"] }),
  }),
  oneCall({
    name: "a list of objects as a JSON string, with a fault inside, as sent to the filesystem server",
    tool: editFile,
    options: { unwrapStrings: true },
    arguments: String.raw`{"path":"src/app.ts","edits":"[{\"oldText\":\"foo\"}]"}`,
    expected: rejected(1, ["VAL-002 /edits", "VAL-001 /edits/0/newText"], {
      text: String.raw`Validation failed for tool 'edit_file' (attempt 1/3):

Errors:
• /edits (VAL-002): Type mismatch: expected array, got string
  Expected: array of object with oldText, newText
  Actual: "[{\"oldText\":\"foo\"}]"
  Hint: send the array itself, not a JSON string
• /edits/0/newText (VAL-001): Required field 'newText' is missing
  Expected: string (Text to replace with)

Correct these and call 'edit_file' again with all arguments. If you do not know a value, ask the user.`,
      compact: String.raw`Validation failed for tool 'edit_file' (attempt 1/3):
- /edits (VAL-002): "[{\"oldText\":\"foo\"}]"; expected array of object with oldText, newText; send the array itself, not a JSON string
- /edits/0/newText (VAL-001): missing; expected string (Text to replace with)
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
  oneCall({
    name: "one item instead of a list",
    tool: createIssue,
    arguments: '{"owner":"octo","repo":"site","title":"Broken link","labels":"bug"}',
    expected: rejected(1, "VAL-002 /labels", {
      text: `Validation failed for tool 'create_issue' (attempt 1/3):

Errors:
• /labels (VAL-002): Type mismatch: expected array, got string
  Expected: array of string, at most 3 items
  Actual: "bug"
  Hint: put it in an array

Correct these and call 'create_issue' again with all arguments.`,
      compact: `Validation failed for tool 'create_issue' (attempt 1/3):
- /labels (VAL-002): "bug"; expected array of string, at most 3 items; put it in an array
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "an enum value in capitals",
    tool: listIssues,
    arguments: '{"owner":"octo","repo":"site","state":"OPEN"}',
    expected: rejected(1, "VAL-008 /state", {
      text: `Validation failed for tool 'list_issues' (attempt 1/3):

Errors:
• /state (VAL-008): Invalid enum value
  Expected: one of "open", "closed", "all"
  Actual: "OPEN"
  Hint: use "open"

Correct these and call 'list_issues' again with all arguments.`,
      compact: `Validation failed for tool 'list_issues' (attempt 1/3):
- /state (VAL-008): "OPEN"; expected one of "open", "closed", "all"; use "open"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "several values although the enum allows one",
    tool: listIssues,
    arguments: '{"owner":"octo","repo":"site","state":["open","closed"]}',
    expected: rejected(1, "VAL-002 /state"),
  }),
];
