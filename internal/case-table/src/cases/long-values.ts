import type { ConformanceCase } from "../conformance-case.ts";
import { readFile } from "../tools/file-tools.ts";
import { oneCall, rejected } from "./row.ts";

/** Long values are cut so that the message stays short. */
export const longValueCases: readonly ConformanceCase[] = [
  oneCall({
    name: "a long value is cut",
    tool: readFile,
    arguments: `{"path":"notes.txt","encoding":"${"Lorem ipsum dolor sit amet. ".repeat(40)}"}`,
    expected: rejected(1, "VAL-008 /encoding", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum d..." (1120 characters)

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /encoding (VAL-008): "Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum dolor sit amet. Lorem ipsum d..." (1120 characters); expected one of "utf-8", "ascii", "utf-16"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a cut falls between letters, never within one",
    tool: readFile,
    arguments: `{"path":"notes.txt","encoding":"${"👩‍👩‍👧‍👦".repeat(30)}"}`,
    expected: rejected(1, "VAL-008 /encoding", {
      text: String.raw`Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦👩\u200d👩\u200d👧\u200d👦..." (210 characters)

Correct these and call 'read_file' again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a long list is shown by its first and last item",
    tool: readFile,
    arguments: `{"path":[${Array.from({ length: 40 }, (_, n) => `"src/file-${n}.ts"`).join(",")}]}`,
    expected: rejected(1, "VAL-002 /path", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /path (VAL-002): Type mismatch: expected string, got array
  Expected: string, from 1 to 4096 characters
  Actual: ["src/file-0.ts", ..., "src/file-39.ts"] (40 items)
  Hint: one value only: call the tool once for each

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /path (VAL-002): ["src/file-0.ts", ..., "src/file-39.ts"] (40 items); expected string, from 1 to 4096 characters; one value only: call the tool once for each
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a deep object is shown by its upper levels",
    tool: readFile,
    arguments: '{"path":{"file":{"folder":{"drive":{"server":{"name":"nas-1"}}}}}}',
    expected: rejected(1, "VAL-002 /path", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /path (VAL-002): Type mismatch: expected string, got object
  Expected: string, from 1 to 4096 characters
  Actual: {"file": {"folder": {...}}}

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /path (VAL-002): {"file": {"folder": {...}}}; expected string, from 1 to 4096 characters
Fix these and call again with all arguments.`,
    }),
  }),
];
