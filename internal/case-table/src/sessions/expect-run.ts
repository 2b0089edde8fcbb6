import type { Expect } from "../expect.ts";
import { expectEntries } from "./expect-entries.ts";
import type { SeenMessage, SeenRequest, SeenResult } from "./seen.ts";
import type { ExpectedRequest, SessionCase } from "./session-case.ts";
import { FINAL, REPORT, XML_FINAL } from "./texts.ts";
import type { Observation } from "./world.ts";

const NOTICE = "System notice: ";

/** Expects what a row says, and what holds for every run. */
export function expectRun(
  expect: Expect,
  testCase: SessionCase,
  seen: Observation,
  results: readonly SeenResult[],
): void {
  const { expected, runs = 1 } = testCase;
  for (const result of results) {
    expectResult(expect, testCase, result);
    expectConversation(expect, testCase, result);
    expectEntries(expect, result.accounting, expected.accounting);
  }
  const [first] = results;
  if (runs === 1 && first) expectRequests(expect, testCase, seen, first);
  expectEvents(expect, testCase, seen);
  expect(seen.waits).toEqual(expected.waits ?? []);
  const { ran, stopped, atOnce, inner } = expected;
  if (ran) expect(seen.ran.toSorted()).toEqual(ran);
  if (stopped) expect(seen.stopped).toEqual(stopped);
  if (atOnce) expect(seen.atOnce).toMatchObject(atOnce);
  if (inner)
    expectEntries(
      expect,
      seen.inner.flatMap(({ accounting }) => accounting),
      inner,
    );
}

function expectResult(expect: Expect, { expected }: SessionCase, result: SeenResult): void {
  const { ts, ...report } = Object(result.finalReport) as { readonly ts?: unknown };
  expect({ success: result.success, report }).toEqual({
    success: expected.success,
    report: expected.report ?? {},
  });
  if (result.finalReport) {
    expect(typeof ts).toBe("number");
    expect(report).toMatchObject({ status: result.success ? "success" : "failure" });
  }
  if (expected.error === undefined) expect(result.error).toBeUndefined();
  else expect(result.error).toContain(expected.error);
}

function expectConversation(
  expect: Expect,
  { expected }: SessionCase,
  { conversation }: SeenResult,
): void {
  expect([expected.conversation].flat()).toContain(linesOf(conversation));
  expect(conversation.filter(isNotice)).toEqual([]);
  for (const [id, answer] of Object.entries(expected.answers ?? {})) {
    const text = conversation.find((message) => message.id === id)?.text;
    if (typeof answer === "string") expect(text).toBe(answer);
    else for (const part of answer) expect(text).toContain(part);
  }
  const said = conversation.filter(({ role, text }) => role === "assistant" && text !== "");
  if (expected.says) expect(said.map(({ text }) => text)).toEqual(expected.says);
}

function expectRequests(
  expect: Expect,
  { expected, options = {}, tools = [] }: SessionCase,
  { requests }: Observation,
  { conversation }: SeenResult,
): void {
  const wanted = (expected.requests ?? []).map((request): ExpectedRequest =>
    typeof request === "string" ? { to: request } : request,
  );
  expect(requests.map(({ to }) => to)).toEqual(wanted.map(({ to }) => to));
  const names = tools.map(({ name }) => name);
  for (const [index, row] of wanted.entries()) {
    const request = requests[index] as Observation["requests"][number];
    const { forced, notices = [], roles, slots: _, reads = [], ...more } = row;
    for (const part of reads)
      expect(request.messages.map(({ text }) => text).join("\n")).toContain(part);
    if (options.transport) {
      expectXml(expect, row, request, { transport: options.transport, names });
      continue;
    }
    expect(request.tools).toEqual(forced ? [REPORT] : [...names, REPORT]);
    const own = withoutNotices(request);
    expect(request.messages.slice(own.length).map(({ text }) => text)).toEqual(
      forced ? [FINAL, ...notices] : notices,
    );
    // What a model reads is what the conversation holds, and nothing else is stored.
    if (roles === undefined) expect(own).toEqual(conversation.slice(0, own.length));
    else expect(linesOf(own)).toBe(roles);
    expect(request).toMatchObject(more);
  }
}

/** Expects the instructions at the end, and in `xml` no tool: those are in the instructions. */
function expectXml(
  expect: Expect,
  { forced, notices = [], roles, slots }: ExpectedRequest,
  { tools, messages }: SeenRequest,
  {
    transport,
    names,
  }: { readonly transport: "xml" | "xml-final"; readonly names: readonly string[] },
): void {
  expect(tools).toEqual(forced || transport === "xml" ? [] : names);
  const instructions = messages.at(-1)?.text ?? "";
  expect(messages.filter(({ text }) => text.includes(FINAL))).toEqual([]);
  expect(messages.filter((message) => isNotice(message)).map(({ text }) => text)).toEqual(notices);
  expect(instructions.startsWith("System Notice: ")).toBe(true);
  expect(instructions.includes(XML_FINAL)).toBe(forced === true);
  for (const name of names) {
    expect(instructions.includes(`\n- ${name}`)).toBe(transport === "xml" && !forced);
  }
  if (roles !== undefined) expect(linesOf(messages)).toBe(roles);
  const offered = Array.from(instructions.matchAll(/<ai-agent-NONCE-(\w+) /g), ([, slot]) => slot);
  if (slots !== undefined) expect(offered.join(" ")).toBe(slots);
}

function withoutNotices({ messages }: SeenRequest): readonly SeenMessage[] {
  return messages.slice(0, messages.findLastIndex((message) => !isNotice(message)) + 1);
}

function isNotice({ role, text }: SeenMessage): boolean {
  return role === "user" && text.startsWith(NOTICE);
}

/** The roles with the ids; results of one answer come in any order. */
function linesOf(messages: readonly SeenMessage[]): string {
  const lines: string[] = [];
  let results: string[] = [];
  for (const { role, calls = [], id } of messages) {
    if (role === "tool") {
      results.push(`tool ${id}`);
      continue;
    }
    lines.push(...results.toSorted(), [role, ...calls].join(" "));
    results = [];
  }
  return [...lines, ...results.toSorted()].join(", ");
}

function expectEvents(
  expect: Expect,
  { expected, options = {} }: SessionCase,
  { events }: Observation,
): void {
  const { events: wanted = [], noEvents = [] } = expected;
  const types = new Set(wanted.map(({ type }) => type));
  const some = events.filter(({ type }) => types.has(type));
  expect(some.length).toBe(wanted.length);
  expect(some).toMatchObject(wanted);
  expect(events.filter(({ type }) => noEvents.includes(type))).toEqual([]);
  for (const event of events) {
    if (event.type !== "llm-request") continue;
    const { turn, ctxTokens, newTokens, schemaTokens, expectedTokens } = event as unknown as Record<
      string,
      number
    >;
    expect(expectedTokens).toBe((ctxTokens ?? NaN) + (newTokens ?? NaN) + (schemaTokens ?? NaN));
    expect(turn).toBeLessThanOrEqual(options.maxTurns ?? 20);
  }
}
