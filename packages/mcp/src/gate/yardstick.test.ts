import type { ToolDefinition } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { toolCall } from "../testing/messages.ts";
import { type Message, MOST_NAMES, readMessage } from "../wire/index.ts";
import { createGate } from "./gate.ts";
import type { Link } from "./link.ts";

/** An object with many names. */
function names(count: number, value: unknown = 1): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key_${index}`, value]));
}

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

function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

/** As many items as fit into about 3 MB. */
function listOf(bytes: number, item: (index: number) => unknown): readonly unknown[] {
  return Array.from({ length: Math.floor(3_000_000 / bytes) }, (_, index) => item(index));
}

const SHAPES: readonly (readonly [what: string, tool: string, args: () => unknown])[] = [
  ["a valid call of 1,600 fields", "of1600", () => ({ field_0: "one_0" })],
  ["an invalid call of 1,600 fields", "of1600", () => ({ field_0: "three" })],
  ["a valid call of 2,000 fields", "of2000", () => ({ field_0: "one_0" })],
  ["as many unknown names as are read, 2,000 fields", "of2000", () => names(MOST_NAMES - 10)],
  ["as many unknown names as are read", "closed", () => names(MOST_NAMES - 10)],
  ["150,000 unknown names", "closed", () => names(150_000)],
  ["150,000 unknown names, 2,000 fields", "of2000", () => names(150_000)],
  ["150,000 names in text for a list", "strings", () => ({ list: JSON.stringify(names(150_000)) })],
  ["3 MB of text for a list", "strings", () => ({ list: JSON.stringify(listOf(4, () => "x")) })],
  ["3 MB of numbers for strings", "strings", () => ({ list: listOf(2, () => 1) })],
  ["3 MB of wrong rows", "rows", () => ({ list: listOf(16, (index) => ({ x: "q", z: index })) })],
  ["3 MB of distinct numbers", "distinct", () => ({ list: listOf(7, (index) => index) })],
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

const YARDSTICK = JSON.stringify(names(150_000));
/** What Node takes to parse an object of 150,000 names, without a look at what is in it. */
let unit: number | undefined;
/** The most that a step may take of it. */
const UNITS = 3;

describe("no message takes much longer to be read, or to be judged, than its size takes to be parsed", () => {
  test.each(SHAPES)("%s", async (_, name, args) => {
    unit ??= await costOf(() => JSON.parse(YARDSTICK) as unknown);
    const bytes = Buffer.from(JSON.stringify(toolCall(1, name, args())));
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
