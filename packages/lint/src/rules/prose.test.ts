import { expect, test } from "vitest";
import { valuesInProse, saysList } from "./prose.ts";

test.each([
  ["Must be 'asc' or 'desc'", ["asc", "desc"]],
  ["Sort direction (asc or desc)", ["asc", "desc"]],
  ["Sort direction: asc or desc", ["asc", "desc"]],
  ["asc | desc", ["asc", "desc"]],
  ["unit ('metric' | 'imperial')", ["metric", "imperial"]],
  ["Format: {json|xml}", ["json", "xml"]],
  ["The order (asc|desc)", ["asc", "desc"]],
  ["Options: low, medium, high", ["low", "medium", "high"]],
  ["Valid values: a, b, c.", ["a", "b", "c"]],
  ["can be either asc or desc", ["asc", "desc"]],
  ["one of open, closed, or all", ["open", "closed", "all"]],
  ["mode; one of [fast, slow]", ["fast", "slow"]],
  ["Possible values are: open, closed, all (default: open)", ["open", "closed", "all"]],
  ["Supported formats: json, csv, xml", ["json", "csv", "xml"]],
  ["Type of the event (created, updated, deleted)", ["created", "updated", "deleted"]],
  ["Must be one of:\n- open: still to do\n- done: finished", ["open", "done"]],
  ["Allowed values are `v1.0`, `v2.0`", ["v1.0", "v2.0"]],
])("%j lists values", (description, values) => {
  expect(valuesInProse({ description })).toEqual(values);
});

test.each([
  "The id of the user or team",
  "The name (first, last) of the person",
  "A message: hello, world",
  "An ISO date (e.g. 2020-01-01, 2020-02-02)",
  "The city and state, e.g. San Francisco, CA",
  "URL must be absolute, and reachable",
  "Text to search for, in title or body",
  "Name of the repository (owner/name)",
  "Value of the field, or empty",
  "Must be at least 3 characters, at most 50",
  "The options are passed to git, tar and zip",
  "Either a file path or a URL",
  "Regular expression such as foo||bar",
  "Saved as `page-{timestamp}.{png|jpeg|webp}`",
  "Matches src/(a|b).ts",
])("%j lists none", (description) => {
  expect(valuesInProse({ description })).toBeUndefined();
});

test.each([
  ["Comma separated list of IDs", true],
  ["IDs separated by commas", true],
  ["Names, separated by ;", true],
  ["Tags, one per line", true],
  ["A JSON array of ids", true],
  ["list of tags (comma separated)", true],
  ["The tags of the note", false],
  ["The separator: a comma by default", false],
])("%j is a list in a string: %s", (description, isList) => {
  expect(saysList({ description })).toBe(isList);
});
