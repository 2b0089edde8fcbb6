import fc from "fast-check";
import { expect, test } from "vitest";
import { createDataReader } from "./event-data.ts";
import { messageInEvent } from "@toolcontract/mcp-client/wire";

const line = fc.oneof(
  fc.constantFrom("data:", "data: ", "data", "dat", "data:  ", ": data: ", "id: 1", "", "datas: 1"),
  fc.constantFrom('data: {"a":', "data:1", "data:}", "data: 2}", 'data: "b"'),
);

test("the data of an event that comes in parts is what it is in the whole", () => {
  fc.assert(
    fc.property(
      fc.array(line),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.integer({ min: 1, max: 9 }),
      (lines, end, size) => {
        const event = Buffer.from(`${lines.join(end)}${end}${end}`);
        let text = "";
        const read = createDataReader((bytes) => (text += bytes.toString()));
        for (let at = 0; at < event.length; at += size) read(event.subarray(at, at + size));
        let found: unknown;
        try {
          found = JSON.parse(text);
        } catch {
          found = undefined;
        }
        const isMessage = typeof found === "object" && found !== null;
        expect(isMessage ? found : undefined).toEqual(messageInEvent(event));
      },
    ),
    { numRuns: 500 },
  );
});
