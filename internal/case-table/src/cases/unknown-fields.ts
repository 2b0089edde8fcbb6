import type { ConformanceCase } from "../conformance-case.ts";
import { readTextFile } from "../tools/file-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

const misspelt = '{"path":"notes.txt","haed":20}';

/** Fields that an open schema neither declares nor forbids. */
export const unknownFieldCases: readonly ConformanceCase[] = [
  oneCall({
    name: "a tool with an open schema gets undeclared fields",
    tool: readTextFile,
    arguments: misspelt,
    expected: executed(),
  }),
  oneCall({
    name: "unknownFields reject: a misspelt key is rejected",
    tool: readTextFile,
    options: { unknownFields: "reject" },
    arguments: misspelt,
    expected: rejected(1, "VAL-005 /haed", {
      text: `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /haed (VAL-005): Unknown field 'haed'
  Expected: only path, tail, head
  Hint: rename it to "head"

Correct these and call 'read_text_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_text_file' (attempt 1/3):
- /haed (VAL-005): unknown field; expected only path, tail, head; rename it to "head"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "unknownFields warn: the call runs and the model sees no warning",
    tool: readTextFile,
    options: { unknownFields: "warn" },
    arguments: misspelt,
    expected: executed(),
  }),
  oneCall({
    name: "unknownFields warn: a call that runs has the warning with reportAdvisories",
    tool: readTextFile,
    options: { unknownFields: "warn", reportAdvisories: true },
    arguments: misspelt,
    expected: {
      outcome: "executed",
      text: `done

Advisories:
• /haed (VAL-005 warning): Unknown field 'haed'
  Expected: only path, tail, head
  Hint: rename it to "head"`,
      compact: `done

Advisories:
- /haed (VAL-005 warning): unknown field; expected only path, tail, head; rename it to "head"`,
    },
  }),
  oneCall({
    name: "unknownFields warn: a rejected call has the warning with reportAdvisories",
    tool: readTextFile,
    options: { unknownFields: "warn", reportAdvisories: true },
    arguments: '{"haed":20}',
    expected: rejected(1, "VAL-001 /path", {
      advisories: ["VAL-005 /haed"],
      text: `Validation failed for tool 'read_text_file' (attempt 1/3):

Errors:
• /path (VAL-001): Required field 'path' is missing
  Expected: string
Advisories:
• /haed (VAL-005 warning): Unknown field 'haed'
  Expected: only path, tail, head
  Hint: rename it to "head"

Correct these and call 'read_text_file' again with all arguments. If you do not know a value, ask the user.`,
      compact: `Validation failed for tool 'read_text_file' (attempt 1/3):
- /path (VAL-001): missing; expected string
Advisories:
- /haed (VAL-005 warning): unknown field; expected only path, tail, head; rename it to "head"
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
];
