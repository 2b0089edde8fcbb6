import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exitCodeOf } from "@toolcontract/session";
import { afterAll, expect, test } from "vitest";
import recording from "../example/recording.json" with { type: "json" };
import { readScript } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "agent-script-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "script.json");
const read = (text: string): unknown => {
  writeFileSync(path, text);
  try {
    return readScript(path);
  } catch (thrown) {
    expect(exitCodeOf(thrown)).toBe(4);
    return String(thrown).split("\n").slice(1);
  }
};

test("a script is an array of answers, as the recording of the example", () => {
  expect(read(JSON.stringify(recording))).toEqual(recording);
  expect(read("[]")).toEqual([]);
});

test.each([
  ["[{", ["• it is not JSON"]],
  ["{}", ["• Type mismatch: expected array, got object"]],
  ['[{"txt":"a"}]', ["• /0/txt Unknown field 'txt'"]],
  [
    '[{"text":1},{"calls":[{"arguments":{}}]},{"error":{}}]',
    [
      "• /0/text Type mismatch: expected string, got integer",
      "• /1/calls/0/name Required field 'name' is missing",
      "• /2/error/message Required field 'message' is missing",
    ],
  ],
])("%s is not a script", (text, faults) => {
  expect(read(text)).toEqual(faults);
});

test("a file that is not there", () => {
  expect(() => readScript(join(folder, "missing.json"))).toThrow("it cannot be read (ENOENT)");
});
