import { expect, test } from "vitest";
import { normalize } from "./normalize.ts";

test.each([
  ["a random id", '"id":"0b8f7e9a-1c2d-4e3f-8a9b-0c1d2e3f4a5b"', '"id":"(uuid)"'],
  ["a relay's conversation", '"stdio-29251-f0e2817b"', '"stdio-(id)"'],
  ["the demo's folder", "/tmp/toolcontract-demo-763513/notes", "/tmp/toolcontract-demo-(id)/notes"],
  [
    "a duration",
    '"durationMs":17,"isolation_ms":0.03e-7,',
    '"durationMs":"(time)","isolation_ms":"(time)",',
  ],
  ["a time", '"timestamp":"2026-11-23T20:52:26.431Z"', '"timestamp":"(time)"'],
  ["the clock of a case, which stands still", '"timestamp":1767225600000,"ts":1', ""],
  ["numbers and dates of a text", '"text":"stdio-1 on 2026-11-23, toolcontract-demo, 17 ms"', ""],
])("%s", (_, line, expected) => {
  expect(normalize(line)).toBe(expected || line);
});
