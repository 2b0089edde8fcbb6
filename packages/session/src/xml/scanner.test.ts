import { describe, expect, test } from "vitest";
import type { NextTurn, XmlEnd, XmlEvent, XmlState } from "../shared/index.ts";
import { createScanner } from "./scanner.ts";
import { offeredState } from "./testing/offered-state.ts";

const turn = (...tools: readonly string[]): NextTurn => ({
  tools: tools.map((name) => ({ name, inputSchema: {} })),
  isForced: false,
  report: { format: "markdown" },
});
const open = (slot: string, rest = ""): string => `<ai-agent-deadbeef-${slot}${rest}>`;
const close = (slot: string): string => `</ai-agent-deadbeef-${slot}>`;
const call = (slot: string, tool: string, payload: string): string =>
  `${open(slot, ` tool="${tool}"`)}${payload}${close(slot)}`;
const FINAL = ' tool="agent__final_report" format="markdown"';
const report = (content: string): string => `${open("FINAL", FINAL)}${content}${close("FINAL")}`;

const add = (id: string, payload = '{"a":1,"b":2}'): XmlEvent => ({
  type: "call",
  id,
  name: "add",
  arguments: payload,
});
const text = (value: string): XmlEvent => ({ type: "text", text: value });
const ignored = (reason: string): unknown => ({ type: "ignored", reason });
const final = (content: string, rest: object = {}): unknown => ({
  type: "final",
  id: "deadbeef-FINAL",
  name: "agent__final_report",
  arguments: JSON.stringify({ format: "markdown", content }),
  format: "markdown",
  content,
  isClosed: true,
  ...rest,
});

interface Answer {
  readonly events: readonly XmlEvent[];
  readonly end: XmlEnd;
}

function scan(
  answer: string,
  {
    stop = "stop",
    tools = ["add", "rm"],
    state = offeredState(),
  }: { stop?: string | undefined; tools?: readonly string[]; state?: XmlState } = {},
): Answer {
  const scanner = createScanner(state, turn(...tools));
  const pushed = scanner.push(answer);
  const end = scanner.end(stop);
  return { events: [...pushed, ...end.events], end };
}

describe("what a model writes", () => {
  const rows: readonly (readonly [what: string, answer: string, events: readonly unknown[]])[] = [
    ["text", "Hello <b>world</b> & a < b", [text("Hello <b>world</b> & a < b")]],
    ["a call", call("0001", "add", '{"a":1,"b":2}'), [add("deadbeef-0001")]],
    [
      "text around a call",
      `First ${call("0001", "add", '{"a":1,"b":2}')} then.`,
      [text("First "), add("deadbeef-0001"), text(" then.")],
    ],
    [
      "two calls",
      call("0001", "add", "{}") + call("0002", "add", "{}"),
      [add("deadbeef-0001", "{}"), add("deadbeef-0002", "{}")],
    ],
    [
      "JSON that needs repair stays as it is",
      call("0001", "add", "\n{a: 1,}\n"),
      [add("deadbeef-0001", "\n{a: 1,}\n")],
    ],
    ["no arguments", call("0001", "add", " \n"), [add("deadbeef-0001", "{}")]],
    ["a tag that closes itself", open("0001", ' tool="add" /'), [add("deadbeef-0001", "{}")]],
    [
      "single quotes, other attributes, another order and case",
      `<AI-Agent-DEADBEEF-0001 id='x' TOOL = 'add'>{}</ai-agent-DeadBeef-0001 >`,
      [add("deadbeef-0001", "{}")],
    ],
    [
      "an attribute twice, and white space in it",
      `${open("0001", ' tool=" add " tool="rm"')}{}${close("0001")}`,
      [add("deadbeef-0001", "{}")],
    ],
    ["no quotes", `${open("0001", " tool=add")}{}${close("0001")}`, [add("deadbeef-0001", "{}")]],
    [
      "a line break in the tag",
      `${open("0001", '\n  tool="add"\n')}{}${close("0001")}`,
      [add("deadbeef-0001", "{}")],
    ],
    [
      "tags in a payload are payload",
      call("0001", "add", `{"text":"${report("forged")}"}`),
      [add("deadbeef-0001", `{"text":"${report("forged")}"}`)],
    ],
    [
      "only the same slot closes",
      `${open("0001", ' tool="add"')}{${close("0002")}${close("00012")}}${close("0001")}`,
      [add("deadbeef-0001", `{${close("0002")}${close("00012")}}`)],
    ],
    [
      "a slot twice in one answer",
      call("0001", "add", "{}") + call("0001", "add", '{"a":2}'),
      [add("deadbeef-0001", "{}"), ignored("used-slot")],
    ],
    [
      "an unknown tool",
      `a${call("0001", "nope", "{}")}b`,
      [text("a"), ignored("wrong-tool"), text("b")],
    ],
    ["no tool", `${open("0001")}{}${close("0001")}`, [ignored("wrong-tool")]],
    [
      "the report tool in a numbered slot",
      call("0001", "agent__final_report", "x"),
      [ignored("wrong-tool")],
    ],
    ["a tool in the report's slot", call("FINAL", "add", "{}"), [ignored("wrong-tool")]],
    ["the slot of the instructions' example", call("000X", "add", "{}"), [ignored("unknown-slot")]],
    ["a slot without zeros", call("1", "add", "{}"), [ignored("unknown-slot")]],
    ["slot zero", call("0000", "add", "{}"), [ignored("unknown-slot")]],
    ["a slot with too many zeros", call("00001", "add", "{}"), [ignored("unknown-slot")]],
    ["a slot far away", call("999999999", "add", "{}"), [ignored("unknown-slot")]],
    [
      "the progress slot, which does not exist",
      call("PROGRESS", "add", "{}"),
      [ignored("unknown-slot")],
    ],
    [
      "another nonce is text",
      '<ai-agent-cafebabe-0001 tool="add">{}</ai-agent-cafebabe-0001>',
      [text('<ai-agent-cafebabe-0001 tool="add">{}</ai-agent-cafebabe-0001>')],
    ],
    [
      "a call without its closing tag",
      `Hi ${open("0001", ' tool="add"')}{}`,
      [text("Hi "), ignored("unclosed")],
    ],
    ["half an opening tag", "Hi <ai-agent-deadbeef-00", [text("Hi "), ignored("unclosed")]],
    ["half of what begins a tag", "Hi <ai-agent-dead", [text("Hi "), text("<ai-agent-dead")]],
    ["a closing tag alone", `a${close("0001")}b`, [text("a"), ignored("unopened"), text("b")]],
    ["half a closing tag alone", "a</ai-agent-deadbeef-0001", [text("a"), ignored("unclosed")]],
    [
      "another closing tag alone",
      "a</ai-agent-cafebabe-0001>",
      [text("a</ai-agent-cafebabe-0001>")],
    ],
    [
      "a tag in a tag",
      `<<ai-agent-<${call("0001", "add", "{}")}`,
      [text("<<ai-agent-<"), add("deadbeef-0001", "{}")],
    ],
    [
      "what begins like a tag and is none",
      "<ai-agent-deadbeef-0001 tool='a<b>",
      [text("<ai-agent-deadbeef-0001 tool='a<b>")],
    ],
    [
      "a tag that goes on for too long is text",
      `<ai-agent-deadbeef-${"x".repeat(600)}>`,
      [text(`<ai-agent-deadbeef-${"x".repeat(600)}>`)],
    ],
    ["a report", report("# Done"), [final("# Done")]],
    ["a report on lines of its own", report("\n  # Done\n\n"), [final("  # Done\n")]],
    ["a report in lower case", report("Done").replaceAll("FINAL", "final"), [final("Done")]],
    [
      "a report with nothing but its slot",
      `${open("FINAL")}Done${close("FINAL")}`,
      [final("Done", { format: undefined, arguments: '{"content":"Done"}' })],
    ],
    ["the last report wins", report("one") + report("two"), [ignored("superseded"), final("two")]],
    [
      "the last valid report wins",
      report("one") + call("FINAL", "add", "two"),
      [ignored("wrong-tool"), final("one")],
    ],
    [
      "a report after which the instructions' own is repeated",
      report("one") + report("\n(replace this line with your complete answer in Markdown)\n"),
      [ignored("placeholder"), final("one")],
    ],
    [
      "a report that quotes the instructions",
      report("It says (replace this line with your complete answer in Markdown)."),
      [final("It says (replace this line with your complete answer in Markdown).")],
    ],
    [
      "a report with calls",
      report("Done") + call("0001", "add", "{}"),
      [add("deadbeef-0001", "{}"), final("Done")],
    ],
    ["text beside a report", `Here: ${report("Done")}`, [text("Here: "), final("Done")]],
    [
      "a report without its closing tag, after one with it",
      report("one") + open("FINAL", FINAL) + "two",
      [ignored("superseded"), final("two", { isClosed: false })],
    ],
  ];

  test.each(rows)("%s", (_what, answer, events) => {
    expect(scan(answer).events).toEqual(events);
  });
});

describe("an answer that ends in a tag", () => {
  const unclosed = `${open("FINAL", FINAL)}\n# Done`;
  const accepted = [final("# Done", { isClosed: false })];

  test.each(["stop", "end_turn", "end", "eos", "STOP", "end-turn"])(
    "a report is accepted after %s",
    (stop) => {
      const { events, end } = scan(unclosed, { stop });
      expect(events).toEqual(accepted);
      expect(end).toMatchObject({ isStopUnknown: false, isCut: false, finishReason: "tool-calls" });
    },
  );

  test.each([undefined, "other", "content-filter", "tool_calls"])(
    "a report is accepted after %s, with a warning",
    (stop) => {
      const scanner = createScanner(offeredState(), turn());
      scanner.push(unclosed);
      const end = scanner.end(stop);
      expect(end.events).toEqual(accepted);
      expect(end.isStopUnknown).toBe(true);
    },
  );

  test.each(["length", "max_tokens", "max-tokens", "MAX_TOKENS"])(
    "a report is cut after %s, and no report",
    (stop) => {
      const { events, end } = scan(unclosed, { stop });
      expect(events).toEqual([ignored("unclosed")]);
      expect(end).toMatchObject({ isCut: true, finishReason: stop, hasTags: true });
    },
  );

  test.each([
    ["a <", "a <"],
    ["a </ai-agent", "a </ai-agent"],
    ["a </ai-agent-", "a "],
    ["a\n</ai-agent-deadbeef-FINAL", "a"],
    ["a </ai-agent-deadbeef-FINAL \n", "a "],
  ])("a report of %j has no half closing tag", (payload, content) => {
    expect(scan(open("FINAL", FINAL) + payload).events).toEqual([
      final(content, { isClosed: false }),
    ]);
  });

  test("nothing is unknown about a report that is closed, or a call that is not", () => {
    const scanner = createScanner(offeredState(), turn("add"));
    scanner.push(report("Done") + open("0001", ' tool="add"'));
    expect(scanner.end(undefined).isStopUnknown).toBe(false);
  });

  test.each(["", " \n"])("%j without its closing tag is not a report", (content) => {
    expect(scan(open("FINAL", FINAL) + content).events).toEqual([ignored("unclosed")]);
  });

  test.each([
    ["in a call", `${open("0001", ' tool="add"')}{"a":`, true],
    ["in an opening tag", "<ai-agent-deadbeef-0001 to", true],
    ["in a nonce", "<ai-agent-dead", true],
    ["in text", "a <ai", false],
    [
      "after a call, in the next",
      `${call("0001", "add", "{}")}${open("0002", ' tool="add"')}{`,
      false,
    ],
    ["after a report, in the next", `${report("one")}${open("FINAL", FINAL)}tw`, false],
  ])("cut off %s at the length limit", (_where, answer, isCut) => {
    expect(scan(answer, { stop: "length" }).end.isCut).toBe(isCut);
    expect(scan(answer, { stop: "stop" }).end.isCut).toBe(false);
  });

  test("what is complete runs, and the report before the cut one is the report", () => {
    const calls = scan(`${call("0001", "add", "{}")}${open("0002", ' tool="add"')}{`, {
      stop: "length",
    });
    expect(calls.events).toEqual([add("deadbeef-0001", "{}"), ignored("unclosed")]);
    expect(calls.end.finishReason).toBe("tool-calls");
    const reports = scan(`${report("one")}${open("FINAL", FINAL)}tw`, { stop: "length" });
    expect(reports.events).toEqual([ignored("unclosed"), final("one")]);
  });

  test("a cut call takes no slot", () => {
    const state = offeredState();
    scan(`${open("0001", ' tool="add"')}{"a":`, { state, stop: "length" });
    expect(scan(call("0001", "add", "{}"), { state }).events).toEqual([add("deadbeef-0001", "{}")]);
  });
});

describe("what an answer is judged by", () => {
  test.each([
    ["text", "Hello", "stop", false],
    ["nothing", "", "stop", false],
    ["a call", call("0001", "add", "{}"), "tool-calls", true],
    ["a report", report("x"), "tool-calls", true],
    ["an ignored tag", call("0001", "nope", "{}"), "stop", true],
    [
      "a tag of another nonce",
      "<ai-agent-cafebabe-FINAL>x</ai-agent-cafebabe-FINAL>",
      "stop",
      true,
    ],
    ["a closing tag alone", `x${close("FINAL")}`, "stop", true],
    ["a closing tag of another nonce", "x</ai-agent-cafebabe-FINAL>", "stop", true],
    ["half a tag", "<ai-agent-", "stop", true],
    ["half a closing tag", "</ai-agent-", "stop", true],
    ["less than that", "</ai-agent", "stop", false],
    ["less than that", "<ai-agent", "stop", false],
  ])("%s", (_what, answer, finishReason, hasTags) => {
    expect(scan(answer).end).toMatchObject({ finishReason, hasTags });
  });
});

describe("what a tag holds that counts for nothing", () => {
  test.each([
    call("0001", "secret-tool", "secret"),
    call("secret", "add", "secret"),
    call("0001", "add", "{}") + call("0001", "add", "secret"),
    report("secret") + report("Done"),
    `${open("0001", ' tool="add"')}secret`,
    '<ai-agent-deadbeef-0001 secret="secret',
    close("secret"),
  ])("is in no text and no reason: %s", (answer) => {
    for (const stop of ["stop", "length", undefined]) {
      const { events, end } = scan(answer, { stop });
      expect(JSON.stringify([events, end])).not.toContain("secret");
    }
  });
});

describe("slots", () => {
  test("go on across the turns of a run and are never used again", () => {
    const state = offeredState();
    scan(call("0001", "add", "{}") + call("0002", "add", "{}"), { state });
    expect(state.offer(2)).toEqual(["deadbeef-0003", "deadbeef-0004"]);
    expect(scan(call("0002", "add", "{}") + call("0003", "add", "{}"), { state }).events).toEqual([
      ignored("used-slot"),
      add("deadbeef-0003", "{}"),
    ]);
  });

  test("of the last turn are the report's alone, whatever tools there are", () => {
    const state = offeredState();
    const scanner = createScanner(state, { ...turn("add"), isForced: true });
    expect(scanner.push(call("0001", "add", "{}"))).toEqual([ignored("wrong-tool")]);
  });

  test("a tool that was not offered takes none", () => {
    const state = offeredState();
    scan(call("0001", "add", "{}"), { state, tools: [] });
    expect(scan(call("0001", "add", "{}"), { state }).events).toEqual([add("deadbeef-0001", "{}")]);
  });

  test("reports of one run have ids of their own", () => {
    const state = offeredState();
    scan(report("one"), { state });
    expect(scan(report("two"), { state }).events).toEqual([
      final("two", { id: "deadbeef-FINAL-2" }),
    ]);
  });

  test("in the mode xml-final only the report's slot is one", () => {
    const state = offeredState({ mode: "xml-final" });
    expect(scan(call("0001", "add", "{}") + report("x"), { state }).events).toEqual([
      ignored("wrong-tool"),
      final("x"),
    ]);
  });
});
