import type { ConformanceCase, JsonObject } from "../conformance-case.ts";
import { editFile, readMultipleFiles, writeFile } from "../tools/file-tools.ts";
import { oneCall, rejected } from "./row.ts";

function repeat(text: string, count: number): string {
  return Array.from({ length: count }, () => text).join(",");
}

/** The message stays short, however many errors there are. */
export const manyErrorCases: readonly ConformanceCase[] = [
  oneCall({
    name: "errors that read alike share a bullet, which names every place",
    tool: readMultipleFiles,
    arguments: `{"paths":[${repeat("7", 14)}]}`,
    expected: rejected(
      1,
      Array.from({ length: 14 }, (_, n) => `VAL-002 /paths/${n}`),
      {
        text: `Validation failed for tool 'read_multiple_files' (attempt 1/3):

Errors:
• /paths/0 to /paths/13 (VAL-002): Type mismatch: expected string, got integer
  Expected: string
  Actual: 7
  Hint: use "7"

Correct these and call 'read_multiple_files' again with all arguments.`,
        compact: `Validation failed for tool 'read_multiple_files' (attempt 1/3):
- /paths/0 to /paths/13 (VAL-002): 7; expected string; use "7"
Fix these and call again with all arguments.`,
      },
    ),
  }),
  oneCall({
    name: "ten bullets are shown, the other errors are counted",
    tool: readMultipleFiles,
    arguments: `{"paths":[${Array.from({ length: 14 }, (_, n) => n).join(",")}]}`,
    expected: rejected(
      1,
      Array.from({ length: 10 }, (_, n) => `VAL-002 /paths/${n}`),
      { hidden: 4 },
    ),
  }),
  oneCall({
    name: "the user shows fewer",
    tool: readMultipleFiles,
    options: { format: { maxErrors: 2 } },
    arguments: '{"paths":[7,8,9]}',
    expected: rejected(1, ["VAL-002 /paths/0", "VAL-002 /paths/1"], {
      hidden: 1,
      text: `Validation failed for tool 'read_multiple_files' (attempt 1/3):

Errors:
• /paths/0 (VAL-002): Type mismatch: expected string, got integer
  Expected: string
  Actual: 7
  Hint: use "7"
• /paths/1 (VAL-002): Type mismatch: expected string, got integer
  Expected: string
  Actual: 8
  Hint: use "8"
... and 1 more error

Correct these and call 'read_multiple_files' again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a short message drops what was sent, then bullets from the end",
    tool: writeFile,
    options: { format: { style: "standard", maxLength: 400 } },
    arguments: '{"path":7,"content":["Hello"],"encoding":"utf8","mode":1000,"overwrite":true}',
    expected: rejected(1, ["VAL-002 /content", "VAL-008 /encoding"], {
      hidden: 3,
      text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-002): Type mismatch: expected string, got array
  Expected: string, at most 1048576 characters
  Hint: use "Hello"
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Hint: use "utf-8"
... and 3 more errors

Correct these and call 'write_file' again with all arguments.`,
    }),
  }),
  oneCall({
    name: "forty faults with long values stay under 2000 units",
    tool: editFile,
    arguments: `{"path":"src/app.ts","edits":[${repeat(`{"oldText":["${"a long line of code ".repeat(20)}"]}`, 20)}]}`,
    expected: rejected(1, [
      ...Array.from({ length: 20 }, (_, n) => `VAL-001 /edits/${n}/newText`),
      ...Array.from({ length: 20 }, (_, n) => `VAL-002 /edits/${n}/oldText`),
    ]),
  }),
  oneCall({
    name: "a path of nine levels",
    tool: {
      name: "set_style",
      inputSchema: deepSchema(8),
    },
    arguments: `${'{"child":'.repeat(8)}"red"${"}".repeat(8)}`,
    expected: rejected(1, `VAL-002 ${"/child".repeat(8)}`, {
      text: `Validation failed for tool 'set_style' (attempt 1/3):

Errors:
• /child/child/child/child/child/child/child/child (VAL-002): Type mismatch: expected integer, got string
  Expected: integer from 0 to 255
  Actual: "red"

Correct these and call 'set_style' again with all arguments.`,
      compact: `Validation failed for tool 'set_style' (attempt 1/3):
- /child/child/child/child/child/child/child/child (VAL-002): "red"; expected integer from 0 to 255
Fix these and call again with all arguments.`,
    }),
  }),
];

function deepSchema(levels: number): JsonObject {
  if (levels === 0) return { type: "integer", minimum: 0, maximum: 255 };
  return { type: "object", properties: { child: deepSchema(levels - 1) }, required: ["child"] };
}
