import type { ConformanceCase } from "../conformance-case.ts";
import { createPage, notify } from "../tools/work-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

/** Unions with and without a tag: the faults of the intended branch are reported. */
export const unionCases: readonly ConformanceCase[] = [
  oneCall({
    name: "VAL-013: no branch is likely, so both are named",
    tool: createPage,
    arguments: '{"title":"Meeting notes","parent":{}}',
    expected: rejected(1, "VAL-013 /parent", {
      text: `Validation failed for tool 'create_page' (attempt 1/3):

Errors:
• /parent (VAL-013): No variant matches
  Expected: object with page_id, or with database_id
  Actual: {}

Correct these and call 'create_page' again with all arguments.`,
      compact: `Validation failed for tool 'create_page' (attempt 1/3):
- /parent (VAL-013): {}; expected object with page_id, or with database_id
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "without a tag: the branch whose field was sent",
    tool: createPage,
    arguments: '{"title":"Meeting notes","parent":{"page_id":"home"}}',
    expected: rejected(1, "VAL-010 /parent/page_id", {
      text: `Validation failed for tool 'create_page' (attempt 1/3):

Errors:
• /parent/page_id (VAL-010): Invalid format
  As: page_id variant
  Expected: uuid string
  Actual: "home"

Correct these and call 'create_page' again with all arguments.`,
      compact: `Validation failed for tool 'create_page' (attempt 1/3):
- /parent/page_id (VAL-010): "home"; expected uuid string; as page_id variant
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "without a tag: a parent as a plain string",
    tool: createPage,
    arguments: '{"title":"Meeting notes","parent":"home"}',
    expected: rejected(1, "VAL-002 /parent", {
      text: `Validation failed for tool 'create_page' (attempt 1/3):

Errors:
• /parent (VAL-002): Type mismatch: expected object, got string
  Expected: object with page_id or object with database_id
  Actual: "home"

Correct these and call 'create_page' again with all arguments.`,
      compact: `Validation failed for tool 'create_page' (attempt 1/3):
- /parent (VAL-002): "home"; expected object with page_id or object with database_id
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a tag chooses the branch, and its faults are reported",
    tool: notify,
    arguments: '{"message":"Deploy done","channel":{"kind":"email","to":"ops team"}}',
    expected: rejected(1, ["VAL-001 /channel/subject", "VAL-010 /channel/to"], {
      text: `Validation failed for tool 'notify' (attempt 1/3):

Errors:
• /channel/subject (VAL-001): Required field 'subject' is missing
  As: email variant
  Expected: string
• /channel/to (VAL-010): Invalid format
  Expected: email string such as "ana@example.com"
  Actual: "ops team"

Correct these and call 'notify' again with all arguments. If you do not know a value, ask the user.`,
      compact: `Validation failed for tool 'notify' (attempt 1/3):
- /channel/subject (VAL-001): missing; expected string; as email variant
- /channel/to (VAL-010): "ops team"; expected email string such as "ana@example.com"
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
  oneCall({
    name: "a wrong tag: the branch that the other keys fit comes with its own faults",
    tool: notify,
    arguments: '{"message":"Deploy done","channel":{"kind":"text","phone":"0612345678"}}',
    expected: rejected(1, ["VAL-008 /channel/kind", "VAL-007 /channel/phone"], {
      text: String.raw`Validation failed for tool 'notify' (attempt 1/3):

Errors:
• /channel/kind (VAL-008): Invalid enum value
  Expected: one of "sms", "email"
  Actual: "text"
  Hint: use "sms"
• /channel/phone (VAL-007): Value doesn't match pattern
  As: sms variant
  Expected: string matching ^\+[0-9]{7,15}$
  Actual: "0612345678"

Correct these and call 'notify' again with all arguments.`,
      compact: String.raw`Validation failed for tool 'notify' (attempt 1/3):
- /channel/kind (VAL-008): "text"; expected one of "sms", "email"; use "sms"
- /channel/phone (VAL-007): "0612345678"; expected string matching ^\+[0-9]{7,15}$; as sms variant
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "no tag at all",
    tool: notify,
    arguments: '{"message":"Deploy done","channel":{"phone":"+31612345678"}}',
    expected: rejected(1, "VAL-001 /channel/kind", {
      text: `Validation failed for tool 'notify' (attempt 1/3):

Errors:
• /channel/kind (VAL-001): Required field 'kind' is missing
  Expected: one of "sms", "email"
  Hint: use "sms"

Correct these and call 'notify' again with all arguments.`,
      compact: `Validation failed for tool 'notify' (attempt 1/3):
- /channel/kind (VAL-001): missing; expected one of "sms", "email"; use "sms"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a key of the other branch is unknown in this one",
    tool: notify,
    arguments:
      '{"message":"Deploy done","channel":{"kind":"sms","phone":"+31612345678","subject":"Deploy"}}',
    expected: rejected(1, "VAL-005 /channel/subject", {
      text: `Validation failed for tool 'notify' (attempt 1/3):

Errors:
• /channel/subject (VAL-005): Unknown field 'subject'
  As: sms variant
  Expected: only kind, phone

Correct these and call 'notify' again with all arguments.`,
      compact: `Validation failed for tool 'notify' (attempt 1/3):
- /channel/subject (VAL-005): unknown field; expected only kind, phone; as sms variant
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a valid branch of a union runs",
    tool: notify,
    arguments: '{"message":"Deploy done","channel":{"kind":"sms","phone":"+31612345678"}}',
    expected: executed(),
  }),
];
