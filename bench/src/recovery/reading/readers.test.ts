import { describe, expect, test } from "vitest";
import { leaks } from "../measure/measure-case.ts";
import { correctCall } from "@toolcontract/corrections";
import {
  type ReadText,
  readAjv,
  readContract,
  readHumanAjv,
  readMastra,
  readMcpV1,
  readMcpV2,
  readZodJson,
  readZodPretty,
} from "./readers.ts";

const ARGS = { size: "5", colour: "rde", extra: 1, at: { k: null } };
const SIZE = "Invalid input: expected number, received string";
const COLOUR = 'Invalid option: expected one of "red"|"blue"';
const MISSING = "Invalid input: expected string, received undefined";

describe("the corrector reads every format", () => {
  test.each<[string, ReadText, string]>([
    [
      "standard",
      readContract,
      "Validation failed for tool 't' (attempt 1/3):\n\nErrors:\n• /at/name (VAL-001): Required field 'name' is missing\n  Expected: string\n• /colour (VAL-008): Invalid enum value\n" +
        '  Expected: one of "red", "blue"\n  Actual: "rde"\n• /extra (VAL-005): Unknown field \'extra\'\n  Expected: only size\n• /size (VAL-002): Type mismatch: expected number, got string\n  Expected: number\n  Actual: "5"\n\nCorrect these.',
    ],
    [
      "compact",
      readContract,
      'Validation failed for tool \'t\' (attempt 1/3):\n- /at/name (VAL-001): missing; expected string\n- /colour (VAL-008): "rde"; expected one of "red", "blue"\n' +
        '- /extra (VAL-005): unknown field; expected only size\n- /size (VAL-002): "5"; expected number\nFix these.',
    ],
    [
      "zod issues as JSON",
      readZodJson,
      `Error message: ${JSON.stringify([
        { path: ["size"], message: SIZE },
        { path: ["colour"], message: COLOUR },
        { path: [], message: 'Unrecognized key: "extra"' },
        { path: ["at", "name"], message: MISSING },
      ])}`,
    ],
    [
      "zod prettified",
      readZodPretty,
      `✖ Unrecognized key: "extra"\n✖ ${SIZE}\n  → at size\n✖ ${COLOUR}\n  → at colour\n✖ ${MISSING}\n  → at at.name`,
    ],
    [
      "MCP SDK v1",
      readMcpV1,
      `Invalid arguments for tool t: ${SIZE} at size\n${COLOUR} at colour\n${MISSING} at at.name\nUnrecognized key: "extra"`,
    ],
    [
      "MCP SDK v2",
      readMcpV2,
      `Invalid arguments for tool t: size: ${SIZE}, colour: ${COLOUR}, at.name: ${MISSING}, Unrecognized key: "extra"`,
    ],
    [
      "Mastra",
      readMastra,
      JSON.stringify({
        message: `Failed:\n- size: ${SIZE}\n- colour: ${COLOUR}\n- at.name: ${MISSING}\n- root: Unrecognized key: "extra"\n\nProvided arguments: {}`,
      }),
    ],
    [
      "ajv-human-errors",
      readHumanAjv,
      'The root value has an unexpected property, extra, which is not in the list of allowed properties (size). The value at /size must be a number but it was a string. The value at /colour must be one of: "red" or "blue". The value at /at is missing the required field \'name\'.',
    ],
  ])("%s", (_, read, text) => {
    const corrected = correctCall(ARGS, read(text));
    expect(corrected).toEqual({
      size: 5,
      colour: "red",
      at: { k: null, name: expect.any(String) as string },
    });
  });

  test("ajv's own text names neither extra keys nor allowed values", () => {
    const text =
      "data must NOT have additional properties, data/size must be number, data/colour must be equal to one of the allowed values, data/at must have required property 'name'";
    expect(correctCall(ARGS, readAjv(text))).toEqual({
      size: 5,
      colour: "rde",
      extra: 1,
      at: { k: null, name: expect.any(String) as string },
    });
  });
});

test.each([
  ["the key is AbCdEf", true],
  ["the key is AbCdE", false],
  ["[REDACTED]", false],
])("a piece of a secret of six characters is a leak: %s", (text, expected) => {
  expect(leaks(text, ["AbCdEfGhIj"])).toBe(expected);
});
