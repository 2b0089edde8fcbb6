import type { ToolDefinition } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { toolCall } from "../testing/messages.ts";
import { type Message, MOST_NAMES, readMessage } from "../wire/index.ts";
import { createGate } from "./gate.ts";
import type { Link } from "./link.ts";

/** The JSON of an object with many names: building the object would take longer than what is measured. */
function names(count: number): string {
  return `{${Array.from({ length: count }, (_, index) => `"key_${index}":1`).join()}}`;
}

const MANY = names(150_000);

function wideTool(fields: number): ToolDefinition {
  const properties = Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [
      `field_${index}`,
      { type: "string", enum: [`one_${index}`, `two_${index}`] },
    ]),
  );
  const inputSchema = { type: "object", properties, required: ["field_0"] };
  return { name: `of${fields}`, inputSchema: { ...inputSchema, additionalProperties: false } };
}

function listTool(name: string, items: object, more: object = {}): ToolDefinition {
  const list = { type: "array", items, ...more };
  return { name, inputSchema: { type: "object", properties: { list }, required: ["list"] } };
}

const CLOSED: ToolDefinition = {
  name: "closed",
  inputSchema: {
    type: "object",
    properties: { a: { type: "string" } },
    required: ["a"],
    additionalProperties: false,
  },
};
const TOOLS = [
  CLOSED,
  wideTool(1_600),
  wideTool(2_000),
  listTool("strings", { type: "string" }),
  listTool("distinct", { type: "integer" }, { uniqueItems: true }),
  listTool("rows", { type: "object", properties: { x: { type: "integer" } }, required: ["x"] }),
];

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}{}${"}".repeat(levels)}`;
}

/** The JSON of as many items as fit into about 3 MB. */
function listOf(bytes: number, item: (index: number) => string): string {
  const items = Array.from({ length: Math.floor(3_000_000 / bytes) }, (_, index) => item(index));
  return `[${items.join()}]`;
}

const inList = (list: string): string => `{"list":${list}}`;

const SHAPES: readonly (readonly [what: string, tool: string, args: () => string])[] = [
  ["a valid call of 1,600 fields", "of1600", () => '{"field_0":"one_0"}'],
  ["an invalid call of 1,600 fields", "of1600", () => '{"field_0":"three"}'],
  ["a valid call of 2,000 fields", "of2000", () => '{"field_0":"one_0"}'],
  ["as many unknown names as are read, 2,000 fields", "of2000", () => names(MOST_NAMES - 10)],
  ["as many unknown names as are read", "closed", () => names(MOST_NAMES - 10)],
  ["150,000 unknown names", "closed", () => MANY],
  ["150,000 unknown names, 2,000 fields", "of2000", () => MANY],
  ["150,000 names in text for a list", "strings", () => inList(JSON.stringify(MANY))],
  ["3 MB of text for a list", "strings", () => inList(JSON.stringify(listOf(4, () => '"x"')))],
  ["3 MB of numbers for strings", "strings", () => inList(listOf(2, () => "1"))],
  ["3 MB of wrong rows", "rows", () => inList(listOf(16, (index) => `{"x":"q","z":${index}}`))],
  ["3 MB of distinct numbers", "distinct", () => inList(listOf(7, String))],
  ["900 levels", "closed", () => nested(900)],
];

/** Processor time of a step, the least of three, or the first that is enough: what else the machine does only adds to it. */
async function costOf(step: () => unknown, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least >= enough; run += 1) {
    const before = process.cpuUsage();
    await step();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

/** What Node takes to parse an object of 150,000 names, without a look at what is in it. */
let unit: number | undefined;
/** The most that a step may take of it. */
const UNITS = 3;

describe("no message takes much longer to be read, or to be judged, than its size takes to be parsed", () => {
  test.each(SHAPES)("%s", async (_, name, args) => {
    unit ??= await costOf(() => JSON.parse(MANY) as unknown);
    const [start, end] = JSON.stringify(toolCall(1, name, {})).split("{}");
    const bytes = Buffer.from(`${start}${args()}${end}`);
    const gate = createGate({ logger: false });
    const link: Link = {
      attemptKey: "a",
      listKey: "l",
      listTools: async () => Promise.resolve({ tools: TOOLS }),
    };
    // The list is known, and the schema compiled.
    await gate.fromClient(toolCall(1, name, {}) as Message, link);
    let reading = readMessage(bytes);
    const most = UNITS * unit;
    const read = await costOf(() => (reading = readMessage(bytes)), most);
    const judged = await costOf(
      () => (reading.kind === "message" ? gate.fromClient(reading.message, link) : undefined),
      most,
    );
    expect(read).toBeLessThan(most);
    expect(judged).toBeLessThan(most);
  });
});
