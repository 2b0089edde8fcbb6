import type { ConformanceCase } from "../conformance-case.ts";
import { moveSection, sendReport, setLevel, tagPhoto } from "../tools/costly-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

/** Hosts that validate a valid call again do so without a memory. */
const FEW = 6;
const filterOf = (levels: number): string =>
  `${'{"left":'.repeat(levels)}1${',"above":1,"below":1}'.repeat(levels)}`;
const sectionOf = (levels: number): string =>
  `${'{"child":'.repeat(levels)}{}${"}".repeat(levels)}`;
const LONG = "a".repeat(50_000);

/** Arguments that a schema could be checked against for hours; none of them runs because of that. */
export const costlyCheckCases: readonly ConformanceCase[] = [
  oneCall({
    name: "a filter with 64 readings runs",
    tool: sendReport,
    arguments: `{"filter":${filterOf(FEW)},"to":"me"}`,
    expected: executed(),
  }),
  oneCall({
    name: "VAL-008: beside a filter with 65,536 readings",
    tool: sendReport,
    arguments: `{"filter":${filterOf(16)},"to":"mallory"}`,
    expected: rejected(1, "VAL-008 /to", {
      text: `Validation failed for tool 'send_report' (attempt 1/3):

Errors:
• /to (VAL-008): Invalid enum value
  Expected: "me"
  Actual: "mallory"

Correct these and call 'send_report' again with all arguments.`,
      compact: `Validation failed for tool 'send_report' (attempt 1/3):
- /to (VAL-008): "mallory"; expected "me"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a child that two parts of a schema check runs",
    tool: moveSection,
    arguments: `{"section":${sectionOf(FEW)},"to":"top"}`,
    expected: executed(),
  }),
  oneCall({
    name: "VAL-008: beside 40 levels of a child that two parts of a schema check",
    tool: moveSection,
    arguments: `{"section":${sectionOf(40)},"to":"bottom"}`,
    expected: rejected(1, "VAL-008 /to"),
  }),
  oneCall({
    name: "VAL-002: where 2 to the power of 24 branches want the same",
    tool: setLevel,
    arguments: '{"level":"loud"}',
    expected: rejected(1, "VAL-002 /level", {
      text: `Validation failed for tool 'set_level' (attempt 1/3):

Errors:
• /level (VAL-002): Type mismatch: expected integer, got string
  Expected: integer
  Actual: "loud"

Correct these and call 'set_level' again with all arguments.`,
      compact: `Validation failed for tool 'set_level' (attempt 1/3):
- /level (VAL-002): "loud"; expected integer
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-016: a string that is too long for its pattern",
    tool: tagPhoto,
    arguments: `{"photo":1,"tag":"${LONG}"}`,
    expected: rejected(1, "VAL-016 (arguments)", {
      text: `Validation failed for tool 'tag_photo' (attempt 1/3):

Errors:
• (arguments) (VAL-016): Too much to check
  Hint: send a shorter string

Correct these and call 'tag_photo' again with all arguments.`,
      compact: `Validation failed for tool 'tag_photo' (attempt 1/3):
- (arguments) (VAL-016): Too much to check; send a shorter string
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-002: a fault beside a string that is too long for its pattern",
    tool: tagPhoto,
    arguments: `{"photo":"x","tag":"${LONG}"}`,
    expected: rejected(1, "VAL-002 /photo"),
  }),
  oneCall({
    name: "a string that is too long for its pattern runs if the host accepts that",
    tool: tagPhoto,
    arguments: `{"photo":1,"tag":"${LONG}"}`,
    options: { overBudget: "accept" },
    expected: executed(),
  }),
];
