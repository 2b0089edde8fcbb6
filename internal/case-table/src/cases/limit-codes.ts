import type { ConformanceCase } from "../conformance-case.ts";
import { readMultipleFiles } from "../tools/file-tools.ts";
import { bookFlight, createIssue, listIssues } from "../tools/work-tools.ts";
import { oneCall, rejected } from "./row.ts";

/** Values of the right type beyond what the schema allows: one case for each such code. */
export const limitCodeCases: readonly ConformanceCase[] = [
  oneCall({
    name: "VAL-003: a number beyond its range",
    tool: listIssues,
    arguments: '{"owner":"octo","repo":"site","perPage":500}',
    expected: rejected(1, "VAL-003 /perPage", {
      text: `Validation failed for tool 'list_issues' (attempt 1/3):

Errors:
• /perPage (VAL-003): Value out of range
  Expected: number from 1 to 100
  Actual: 500

Correct these and call 'list_issues' again with all arguments.`,
      compact: `Validation failed for tool 'list_issues' (attempt 1/3):
- /perPage (VAL-003): 500; expected number from 1 to 100
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-006: an empty list",
    tool: readMultipleFiles,
    arguments: '{"paths":[]}',
    expected: rejected(1, "VAL-006 /paths", {
      text: `Validation failed for tool 'read_multiple_files' (attempt 1/3):

Errors:
• /paths (VAL-006): Array length 0 is below minimum 1
  Expected: array of string, at least 1 item
  Actual: []

Correct these and call 'read_multiple_files' again with all arguments.`,
      compact: `Validation failed for tool 'read_multiple_files' (attempt 1/3):
- /paths (VAL-006): []; expected array of string, at least 1 item
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-006: too many items",
    tool: createIssue,
    arguments:
      '{"owner":"octo","repo":"site","title":"Broken link","labels":["bug","docs","help","low"]}',
    expected: rejected(1, "VAL-006 /labels", {
      text: `Validation failed for tool 'create_issue' (attempt 1/3):

Errors:
• /labels (VAL-006): Array length 4 exceeds maximum 3
  Expected: array of string, at most 3 items
  Actual: ["bug", ..., "low"] (4 items)

Correct these and call 'create_issue' again with all arguments.`,
      compact: `Validation failed for tool 'create_issue' (attempt 1/3):
- /labels (VAL-006): ["bug", ..., "low"] (4 items); expected array of string, at most 3 items
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-007: a city instead of an airport code",
    tool: bookFlight,
    arguments:
      '{"from":"Lisbon","to":"AMS","date":"2026-11-20","passengers":[{"name":"Ana Silva","age":34}]}',
    expected: rejected(1, "VAL-007 /from", {
      text: `Validation failed for tool 'book_flight' (attempt 1/3):

Errors:
• /from (VAL-007): Value doesn't match pattern
  Expected: string matching ^[A-Z]{3}$
  Actual: "Lisbon"

Correct these and call 'book_flight' again with all arguments.`,
      compact: `Validation failed for tool 'book_flight' (attempt 1/3):
- /from (VAL-007): "Lisbon"; expected string matching ^[A-Z]{3}$
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-009: a string that must not be empty",
    tool: createIssue,
    arguments: '{"owner":"octo","repo":"site","title":""}',
    expected: rejected(1, "VAL-009 /title", {
      text: `Validation failed for tool 'create_issue' (attempt 1/3):

Errors:
• /title (VAL-009): String length 0 is below minimum 1
  Expected: string, from 1 to 256 characters
  Actual: ""

Correct these and call 'create_issue' again with all arguments.`,
      compact: `Validation failed for tool 'create_issue' (attempt 1/3):
- /title (VAL-009): ""; expected string, from 1 to 256 characters
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-010: a date in words",
    tool: listIssues,
    arguments: '{"owner":"octo","repo":"site","since":"yesterday"}',
    expected: rejected(1, "VAL-010 /since", {
      text: `Validation failed for tool 'list_issues' (attempt 1/3):

Errors:
• /since (VAL-010): Invalid format
  Expected: date-time string such as "2026-01-31T09:30:00Z"
  Actual: "yesterday"

Correct these and call 'list_issues' again with all arguments.`,
      compact: `Validation failed for tool 'list_issues' (attempt 1/3):
- /since (VAL-010): "yesterday"; expected date-time string such as "2026-01-31T09:30:00Z"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-015: the same label twice",
    tool: createIssue,
    arguments: '{"owner":"octo","repo":"site","title":"Broken link","labels":["bug","docs","bug"]}',
    expected: rejected(1, "VAL-015 /labels", {
      text: `Validation failed for tool 'create_issue' (attempt 1/3):

Errors:
• /labels (VAL-015): Duplicate items
  Expected: items all different (items 0 and 2 are equal)
  Actual: ["bug", "docs", "bug"]

Correct these and call 'create_issue' again with all arguments.`,
      compact: `Validation failed for tool 'create_issue' (attempt 1/3):
- /labels (VAL-015): ["bug", "docs", "bug"]; expected items all different (items 0 and 2 are equal)
Fix these and call again with all arguments.`,
    }),
  }),
];
