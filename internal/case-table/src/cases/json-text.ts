import type { ConformanceCase } from "../conformance-case.ts";
import { listAllowedDirectories, readFile, writeFile } from "../tools/file-tools.ts";
import { executed, oneCall, rejected } from "./row.ts";

const notes = { path: "notes.txt" };

/** Arguments that are not a JSON object: repaired if the meaning is clear, rejected otherwise. */
export const jsonTextCases: readonly ConformanceCase[] = [
  oneCall({
    name: "a trailing comma is repaired",
    tool: readFile,
    arguments: '{"path":"notes.txt",}',
    expected: executed(notes),
  }),
  oneCall({
    name: "a code fence around the object is removed",
    tool: readFile,
    arguments: '```json\n{"path":"notes.txt"}\n```',
    expected: executed(notes),
  }),
  oneCall({
    name: "any other text around the object is refused",
    tool: readFile,
    arguments: 'Here are the arguments: {"path":"notes.txt"}',
    expected: rejected(1, "VAL-004 (arguments)", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• (arguments) (VAL-004): Invalid JSON at position 0 (line 1, column 1): >>>Here are the arg...
  Expected: one JSON object
  Hint: send only the JSON object

Correct these and call 'read_file' again with all arguments.`,
    }),
  }),
  oneCall({
    name: "Python's notation is repaired",
    tool: writeFile,
    arguments: "{'path': 'notes.txt', 'content': 'Hello', 'mode': 420}",
    expected: executed({ path: "notes.txt", content: "Hello", mode: 420 }),
  }),
  oneCall({
    name: "repaired arguments are validated like any others",
    tool: readFile,
    arguments: "{path: 'notes.txt', encoding: 'utf8',}",
    expected: rejected(1, "VAL-008 /encoding", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• /encoding (VAL-008): Invalid enum value
  Expected: one of "utf-8", "ascii", "utf-16"
  Actual: "utf8"
  Hint: use "utf-8"

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- /encoding (VAL-008): "utf8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-004: nothing is repaired without repairJson",
    tool: readFile,
    options: { repairJson: false },
    arguments: '{"path":"notes.txt",}',
    expected: rejected(1, "VAL-004 (arguments)"),
  }),
  ...[
    ["an empty object in front of the arguments", '{}{"path":"notes.txt"}'],
    ["several of them, on lines of their own", '{}\n{ }\n{"path":"notes.txt"}'],
    ["an empty list in front of the arguments", '[]{"path":"notes.txt"}'],
    ["the same object twice", '{"path":"notes.txt"}{"path":"notes.txt"}'],
    [
      "the same object three times",
      '{"path":"notes.txt"}\n{"path":"notes.txt"}\n{"path":"notes.txt"}',
    ],
  ].map(([name = "", text = ""]) =>
    oneCall({
      name: `${name}: one reading, so the call runs`,
      tool: readFile,
      arguments: text,
      expected: executed(notes),
    }),
  ),
  oneCall({
    name: "the same object with its fields in another order and a number in another spelling",
    tool: writeFile,
    arguments:
      '{"path":"notes.txt","content":"Hi","mode":420}{"mode":420.0,"content":"Hi","path":"notes.txt"}',
    expected: executed({ path: "notes.txt", content: "Hi", mode: 420 }),
  }),
  ...["{}{}", "[]", "undefined", "None", "null", '"null"', '"undefined"', '""', '"[]"'].map(
    (text) =>
      oneCall({
        name: `${text} for a tool that needs no arguments: one reading, so the call runs`,
        tool: listAllowedDirectories,
        arguments: text,
        expected: executed({}),
      }),
  ),
  oneCall({
    name: "VAL-002: an empty list for a tool that needs arguments",
    tool: readFile,
    arguments: "[]",
    expected: rejected(1, "VAL-002 (arguments)"),
  }),
  oneCall({
    name: "VAL-004: an empty object in front of the arguments, without repairJson",
    tool: readFile,
    options: { repairJson: false },
    arguments: '{}{"path":"notes.txt"}',
    expected: rejected(1, "VAL-004 (arguments)"),
  }),
  oneCall({
    name: "VAL-004: text around two equal objects is refused like any other",
    tool: readFile,
    arguments: 'I call it twice: {"path":"notes.txt"}{"path":"notes.txt"}',
    expected: rejected(1, "VAL-004 (arguments)"),
  }),
  oneCall({
    name: "VAL-011: the second of two equal objects is cut off",
    tool: readFile,
    arguments: '{"path":"notes.txt"}{"path":"notes.t',
    expected: rejected(1, "VAL-011 (arguments)"),
  }),
  oneCall({
    name: "VAL-004: several objects in one string, three of which differ",
    tool: readFile,
    arguments: '{}{"path":"a.txt"}{"path":"b.txt"}{"path":"a.txt"}{"path":"c.txt"}',
    expected: rejected(1, "VAL-004 (arguments)", {
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- (arguments) (VAL-004): Invalid JSON at position 2 (line 1, column 3): {}>>>{"path":"a.txt"}...; expected one JSON object; these are 3 objects: make one call for each
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-004: two objects in one string",
    tool: readFile,
    arguments: '{"path":"a.txt"}{"path":"b.txt"}',
    expected: rejected(1, "VAL-004 (arguments)", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• (arguments) (VAL-004): Invalid JSON at position 16 (line 1, column 17): {"path":"a.txt"}>>>{"path":"b.txt"}
  Expected: one JSON object
  Hint: these are 2 objects: make one call for each

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- (arguments) (VAL-004): Invalid JSON at position 16 (line 1, column 17): {"path":"a.txt"}>>>{"path":"b.txt"}; expected one JSON object; these are 2 objects: make one call for each
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "VAL-004: prose instead of arguments",
    tool: readFile,
    arguments: "I will read notes.txt now.",
    expected: rejected(1, "VAL-004 (arguments)", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• (arguments) (VAL-004): Invalid JSON at position 0 (line 1, column 1): >>>I will read note...
  Expected: one JSON object
  Hint: send only the JSON object

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- (arguments) (VAL-004): Invalid JSON at position 0 (line 1, column 1): >>>I will read note...; expected one JSON object; send only the JSON object
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "a list instead of an object as arguments",
    tool: readFile,
    arguments: '["notes.txt"]',
    expected: rejected(1, "VAL-002 (arguments)", {
      text: `Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• (arguments) (VAL-002): Type mismatch: expected object, got array
  Expected: object with path
  Actual: ["notes.txt"]

Correct these and call 'read_file' again with all arguments.`,
      compact: `Validation failed for tool 'read_file' (attempt 1/3):
- (arguments) (VAL-002): ["notes.txt"]; expected object with path
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "the arguments as a JSON string inside a JSON string, without unwrapStrings",
    tool: readFile,
    options: { unwrapStrings: false },
    arguments: String.raw`"{\"path\":\"notes.txt\"}"`,
    expected: rejected(1, "VAL-002 (arguments)", {
      text: String.raw`Validation failed for tool 'read_file' (attempt 1/3):

Errors:
• (arguments) (VAL-002): Type mismatch: expected object, got string
  Expected: object with path
  Actual: "{\"path\":\"notes.txt\"}"
  Hint: send the object itself, not a JSON string

Correct these and call 'read_file' again with all arguments.`,
      compact: String.raw`Validation failed for tool 'read_file' (attempt 1/3):
- (arguments) (VAL-002): "{\"path\":\"notes.txt\"}"; expected object with path; send the object itself, not a JSON string
Fix these and call again with all arguments.`,
    }),
  }),
  oneCall({
    name: "no arguments at all, for a tool that needs none",
    tool: listAllowedDirectories,
    arguments: "",
    expected: executed({}),
  }),
  oneCall({
    name: "no arguments at all, for a tool that needs some",
    tool: readFile,
    arguments: "",
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
    name: "an empty object",
    tool: writeFile,
    arguments: "{}",
    expected: rejected(1, ["VAL-001 /content", "VAL-001 /path"], {
      text: `Validation failed for tool 'write_file' (attempt 1/3):

Errors:
• /content (VAL-001): Required field 'content' is missing
  Expected: string, at most 1048576 characters
• /path (VAL-001): Required field 'path' is missing
  Expected: string, at most 4096 characters

Correct these and call 'write_file' again with all arguments. If you do not know a value, ask the user.`,
      compact: `Validation failed for tool 'write_file' (attempt 1/3):
- /content (VAL-001): missing; expected string, at most 1048576 characters
- /path (VAL-001): missing; expected string, at most 4096 characters
Fix these and call again with all arguments. If you do not know a value, ask the user.`,
    }),
  }),
];
