import { describe, expect, test } from "vitest";
import { executedResult } from "./result.ts";

const text = { type: "text", text: "sunny" };

/** What the model reads of what a tool returned, and whether the tool failed. */
function read(output: unknown): readonly [content: string, isError: boolean] {
  const call = { id: "call_1", name: "look", arguments: {} };
  const checked = { status: "valid", input: {}, output: {}, advisories: [], repairs: [] } as const;
  const { content, isError } = executedResult(call, output, { checked, note: () => "" });
  return [content, isError];
}

describe("a tool's own object with a list named content", () => {
  test.each<[kind: string, value: object]>([
    ["a mail", { subject: "Invoice 7", content: [], unread: true }],
    ["a page of texts", { title: "Terms", content: ["first", "second"], total: 2 }],
    ["an issue", { state: "open", content: [{ author: "ana", text: "broken" }] }],
    ["a message of a chat", { role: "user", content: [text], id: 7 }],
    ["a message of an API", { type: "message", content: [text], usage: { tokens: 5 } }],
    ["nothing but the list", { content: [] }],
    ["texts alone", { content: ["first"] }],
    ["numbers", { content: [1, null] }],
    ["parts of another type", { content: [{ type: "paragraph", text: "first" }] }],
    ["a block of Slack", { content: [{ type: "section", text: { type: "mrkdwn", text: "hi" } }] }],
    ["a part with a foreign member", { content: [{ ...text, author: "ana" }] }],
    ["a part without its text", { content: [{ type: "text" }] }],
    ["a text that is an object", { content: [{ type: "text", text: { value: "hi" } }] }],
    ["a picture of another API", { content: [{ type: "image", source: { url: "https://x" } }] }],
    ["a file", { content: [{ type: "resource", resource: { path: "a.txt" } }] }],
    ["a link without a name", { content: [{ type: "resource_link", uri: "file:///a" }] }],
    ["a name of every object as a type", { content: [{ type: "toString", text: "hi" }] }],
    ["one part of several", { content: [text, { type: "table", rows: 2 }] }],
  ])("%s is read whole", (_, value) => {
    expect(read(value)).toEqual([JSON.stringify(value), false]);
  });

  test("one that says it is an error stays one, and is read whole", () => {
    const value = { isError: true, content: ["no such page"], status: 404 };
    expect(read(value)).toEqual([JSON.stringify(value), true]);
  });
});

describe("a result of MCP", () => {
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const link = { type: "resource_link", uri: "file:///a", name: "a", size: 3, icons: [] };
  const file = { type: "resource", resource: { uri: "file:///a", text: "hi", mimeType: "a/b" } };
  test.each<[kind: string, value: object, content: string]>([
    ["a text", { content: [text] }, "sunny"],
    ["texts", { content: [text, { ...text, annotations: {}, _meta: {} }] }, "sunny\nsunny"],
    ["beside structured content", { content: [text], structuredContent: { sun: 1 } }, "sunny"],
    ["metadata", { content: [text], _meta: { a: 1 }, resultType: "complete" }, "sunny"],
    ["a member that is undefined", { content: [text], isError: undefined }, "sunny"],
    ["an empty text", { content: [{ ...text, text: "" }] }, ""],
    ["a picture", { content: [text, image] }, "sunny\n(1 image left out)"],
    ["a link", { content: [link] }, JSON.stringify(link)],
    ["a file", { content: [file] }, JSON.stringify(file)],
    ["structured content alone", { content: [], structuredContent: { price: 7 } }, '{"price":7}'],
    ["no text", { content: [{ ...text, text: " " }], structuredContent: [1] }, "[1]"],
    ["nothing", { content: [], isError: false }, '{"content":[]}'],
    ["nothing but metadata", { content: [], _meta: { trace: "t-1" } }, '{"content":[]}'],
  ])("%s", (_, value, content) => {
    expect(read(value)).toEqual([content, false]);
  });

  test.each<[kind: string, value: object, content: string]>([
    ["its text", { content: [text] }, "sunny"],
    ["structured content", { content: [], structuredContent: { code: "E42" } }, '{"code":"E42"}'],
    ["nothing", { content: [] }, "The tool failed: it gave no reason"],
    ["an empty text", { content: [{ ...text, text: "" }] }, "The tool failed: it gave no reason"],
  ])("an error is never without words: %s", (_, value, content) => {
    expect(read({ ...value, isError: true })).toEqual([content, true]);
  });
});

test.each<[unknown, string]>([
  ["sunny", "sunny"],
  ["", ""],
  [7, "7"],
  [null, "null"],
  [undefined, ""],
  [[text], JSON.stringify([text])],
  [{ content: "sunny", total: 1 }, '{"content":"sunny","total":1}'],
])("anything else is text or JSON: %j", (output, content) => {
  expect(read(output)).toEqual([content, false]);
});

test("what cannot be read is not a fault of the call", () => {
  const hostile = {
    content: [text],
    get isError(): boolean {
      throw new Error("no");
    },
  };
  expect(read(hostile)).toEqual(["", false]);
  const circular: { content: unknown[] } = { content: [] };
  circular.content.push(circular);
  expect(read(circular)).toEqual(["", false]);
});
