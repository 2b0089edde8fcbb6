import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMessage } from "./read-message.ts";

const CALL =
  '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}';

function read(text: string): ReturnType<typeof readMessage> {
  return readMessage(Buffer.from(text));
}

function problemOf(bytes: Buffer | string): string {
  const reading = readMessage(Buffer.from(bytes as string));
  return reading.kind === "unreadable"
    ? `${reading.problem.code} ${reading.problem.message}`
    : reading.kind;
}

describe("a message is read", () => {
  test.each([
    ["plain", CALL],
    ["after a byte order mark", `\uFEFF${CALL}`],
    ["with whitespace", CALL.replaceAll(":", "\t:\r\n ").replaceAll(",", " , ")],
    ["with escaped letters", CALL.replace("tools", "\\u0074ools").replace("name", "na\\u006de")],
  ])("%s", (_, text) => {
    expect(read(text)).toEqual({ kind: "message", message: JSON.parse(CALL) as unknown });
  });

  test.each([
    ["quotes and colons in strings", { 'a":"b': 'x":"y', "c\\": '\\":', d: "\\" }],
    ["names that every object inherits", JSON.parse('{"__proto__":1,"constructor":2}')],
    ["the same name in several objects", [{ a: 1 }, { a: { a: 1 } }]],
    ["empty ones", { "": [], a: {}, b: [{}, []], c: "" }],
  ])("with %s", (_, args: unknown) => {
    const message = { method: "tools/call", params: { arguments: args } };
    expect(read(JSON.stringify(message))).toEqual({ kind: "message", message });
  });

  test("whatever its arguments are", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (args, space) => {
        const text = JSON.stringify(
          { method: "tools/call", params: { arguments: args } },
          null,
          space,
        );
        expect(read(text)).toEqual({ kind: "message", message: JSON.parse(text) as unknown });
      }),
    );
  });
});

describe("a message that parsers read differently is unreadable", () => {
  const twice = "-32700 a name occurs twice in one object";

  test.each([
    ["the method", CALL.replace('"method"', '"method":"ping","method"'), twice],
    ["the method, escaped", CALL.replace('"method"', '"m\\u0065thod":"ping","method"'), twice],
    ["the parameters", CALL.replace('"params"', '"params":{},"params"'), twice],
    ["the tool's name", CALL.replace('"name"', '"name" : "danger","name"'), twice],
    ["an argument", CALL.replace('"a"', '"a":{},"a"'), twice],
    ["the id", CALL.replace('"id"', '"id":8,"id"'), twice],
    ["__proto__", CALL.replace('"a"', '"__proto__":{},"__proto__"'), twice],
    ["the method, in another case", CALL.replace('"method"', '"Method":"ping","method"'), twice],
    ["the method, only in another case", CALL.replace('"method"', '"METHOD"'), twice],
    ["the parameters, with a long s", CALL.replace('"params"', '"param\u017F"'), twice],
    ["the name, in another case", CALL.replace('"name"', '"Name":"danger","name"'), twice],
    ["no JSON", "{'method':'tools/call'}", "-32700 the message is not valid JSON"],
    [
      "a number that JSON lacks",
      CALL.replace("1}", "NaN}"),
      "-32700 the message is not valid JSON",
    ],
    ["two messages", CALL + CALL, "-32700 the message is not valid JSON"],
    ["UTF-16", Buffer.from(`\uFEFF${CALL}`, "utf16le"), "-32700 the message is not UTF-8"],
    ["UTF-16 without a mark", Buffer.from(CALL, "utf16le"), "-32700 the message is not valid JSON"],
    ["half a character", Buffer.from([0x7b, 0x22, 0xc3, 0x22]), "-32700 the message is not UTF-8"],
    [
      "a batch with a call",
      `[${CALL}]`,
      "-32600 a batch must not hold tool calls; send each one alone",
    ],
  ])("%s", (_, bytes, problem) => {
    expect(problemOf(bytes)).toBe(problem);
  });

  test("its answer carries the id if that is certain", () => {
    const text = CALL.replace('"name"', '"name":"danger","name"');
    expect(read(text)).toMatchObject({ problem: { id: 7 } });
  });

  test("twice the same name, at any place of any message", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.nat(), (args, name, at) => {
        const text = JSON.stringify({
          method: "tools/call",
          params: { arguments: [{ b: 1 }, args] },
        });
        const places = [...text.matchAll(/\{(?=")/g)].filter(({ index }) => isOutside(text, index));
        const place = (places[at % places.length]?.index ?? 0) + 1;
        const member = `${JSON.stringify(name)}:1,`;
        expect(problemOf(text.slice(0, place) + member + member + text.slice(place))).toBe(twice);
      }),
    );
  });
});

describe("what no server takes for a call is nothing to read", () => {
  test.each(["[1]", "[]", "7", '"tools"', "null", '[{"method":"ping"}]'])("%s", (text) => {
    expect(problemOf(text)).toBe("other");
  });
});

/** Whether an index of JSON text is outside of its strings. */
function isOutside(text: string, index: number): boolean {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"/g);
  return [...strings].every(
    ({ index: start, 0: string }) => index < start || index >= start + string.length,
  );
}
