import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createEventSplitter,
  createLineSplitter,
  messageInEvent,
  type Splitter,
  withMessage,
} from "./framing.ts";

/** Bytes rich in what separates, cut anywhere. */
const chunksArbitrary = fc.array(
  fc
    .array(fc.constantFrom("\n", "\r", "\r\n", "data: ", "x", "{}", "☃", "\u0000"), {
      maxLength: 12,
    })
    .map((parts) => Buffer.from(parts.join(""))),
  { maxLength: 8 },
);

function run(splitter: Splitter, chunks: readonly Buffer[]): ReturnType<Splitter["end"]> {
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

test.each([
  ["lines", createLineSplitter],
  ["events", createEventSplitter],
])("%s: no byte is lost, added or moved, wherever the stream is cut", (_, create) => {
  fc.assert(
    fc.property(chunksArbitrary, fc.integer({ min: 1, max: 20 }), (chunks, maxBytes) => {
      const pieces = run(create(maxBytes), chunks);
      expect(Buffer.concat(pieces.map(({ bytes }) => bytes))).toEqual(Buffer.concat(chunks));
      for (const { bytes, whole } of pieces) if (whole) expect(bytes.length <= maxBytes).toBe(true);
    }),
  );
});

test("lines: chunk boundaries do not change the lines", () => {
  fc.assert(
    fc.property(chunksArbitrary, (chunks) => {
      const lines = run(createLineSplitter(1_000), chunks).map(({ bytes }) => bytes.toString());
      const text = Buffer.concat(chunks).toString();
      expect(lines).toEqual(text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
    }),
  );
});

test("events: chunk boundaries do not change their data", () => {
  fc.assert(
    fc.property(chunksArbitrary, (chunks) => {
      const texts = (parts: readonly Buffer[]): readonly string[] =>
        run(createEventSplitter(1_000), parts)
          .filter(({ bytes, ends }) => ends && bytes.toString().trim() !== "")
          .map(({ bytes }) => bytes.toString().trim());
      expect(texts(chunks)).toEqual(texts([Buffer.concat(chunks)]));
    }),
  );
});

test("events: one that ends in a carriage return is passed on before its line feed arrives", () => {
  const splitter = createEventSplitter(1_000);
  expect(splitter.push(Buffer.from("data: 1\r\n\r"))).toHaveLength(1);
  expect(splitter.push(Buffer.from("\ndata: 2\n\n")).map(({ bytes }) => bytes.toString())).toEqual([
    "\n",
    "data: 2\n\n",
  ]);
});

test.each([
  ["one line", 'data: {"id":1}\n\n'],
  ["without a space", 'data:{"id":1}\n\n'],
  ["several lines", 'event: message\r\ndata: {"id":\r\ndata: 1}\r\n\r\n'],
  ["an id and a comment", ': c\nid: 5\ndata: {"id":1}\n\n'],
])("events: the message of %s is read", (_, event) => {
  expect(messageInEvent(Buffer.from(event))).toEqual({ id: 1 });
});

test.each([
  ["a comment", ": ping\n\n"],
  ["a priming event", "id: 5\ndata: \n\n"],
  ["data that is not a message", "data: [1]\n\n"],
])("events: %s carries none", (_, event) => {
  expect(messageInEvent(Buffer.from(event))).toBeUndefined();
});

test("events: another message leaves id and kind alone", () => {
  const event = Buffer.from('id: 5\r\nevent: message\r\ndata: {"id":\r\ndata: 1}\r\n\r\n');
  const text = 'id: 5\nevent: message\ndata: {"id":1,"x":"\\n"}\n\n';
  expect(withMessage(event, { id: 1, x: "\n" }).toString()).toBe(text);
});

test("events: a long line costs about as much as to the splitter of lines", () => {
  const chunk = Buffer.alloc(64 * 1024, "x");
  const timeOf = (create: typeof createEventSplitter): number => {
    const runs = Array.from({ length: 5 }, () => {
      const splitter = create(1_000);
      const before = process.cpuUsage();
      for (let count = 0; count < 64; count += 1) splitter.push(chunk.subarray());
      return process.cpuUsage(before).user;
    });
    return Math.min(...runs);
  };
  // Byte by byte, it was a hundred times as much.
  expect(timeOf(createEventSplitter)).toBeLessThan(10 * (timeOf(createLineSplitter) + 500));
});
