import { type Admitted, type ToolResult, createContract } from "@toolcontract/core";
import type { ModelMessage } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAttemptCounter, createRecentCalls, turnsFromMessages } from "./attempts.ts";

const isAnnouncement = (): boolean => false;

const call = (toolCallId: string) =>
  ({ type: "tool-call", toolCallId, toolName: "pay", input: { amount: 1 } }) as const;
const result = (toolCallId: string, type: "error-text" | "text") =>
  ({ type: "tool-result", toolCallId, toolName: "pay", output: { type, value: "text" } }) as const;

describe("turnsFromMessages", () => {
  test("an assistant message is a turn; its results belong to it wherever they are in the history", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: "Pay." },
      { role: "assistant", content: [{ type: "text", text: "Yes" }, call("1"), call("2")] },
      { role: "tool", content: [result("2", "error-text")] },
      { role: "assistant", content: "One moment" },
      { role: "tool", content: [result("1", "text"), result("unknown", "text")] },
      { role: "user", content: "Thanks." },
    ];
    expect(turnsFromMessages(messages)).toEqual([
      {
        calls: [
          { id: "1", name: "pay", arguments: { amount: 1 } },
          { id: "2", name: "pay", arguments: { amount: 1 } },
        ],
        results: [
          { toolCallId: "2", isError: true, content: "text" },
          { toolCallId: "1", isError: false },
        ],
        afterUserMessage: true,
      },
      { calls: [], results: [], afterUserMessage: false },
      { calls: [], results: [], afterUserMessage: true },
    ]);
  });

  test("calls that the provider ran are left out", () => {
    const own = { ...call("1"), providerExecuted: true };
    expect(turnsFromMessages([{ role: "assistant", content: [own] }])).toMatchObject([
      { calls: [] },
    ]);
  });

  test("in any history, every result belongs to the turn of its call and nothing is invented", () => {
    const id = fc.constantFrom("1", "2", "3", "__proto__", "constructor");
    const part = fc.oneof(
      id.map(call),
      id.map((one) => result(one, "error-text")),
      id.map((one) => result(one, "text")),
      fc.string().map((text) => ({ type: "text", text })),
    );
    const message = fc.oneof(
      fc.record({ role: fc.constant("user" as const), content: fc.string() }),
      fc.record({ role: fc.constantFrom("assistant", "tool"), content: fc.array(part) }),
      fc.record({ role: fc.constant("assistant" as const), content: fc.string() }),
    );
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const turns = turnsFromMessages(messages as ModelMessage[]);
        const roles = messages.map(({ role }) => role).filter((role) => role !== "tool");
        const spoken = roles.filter((role) => role === "assistant").length;
        expect(turns).toHaveLength(spoken + (roles.at(-1) === "user" ? 1 : 0));
        for (const { calls, results = [] } of turns) {
          const made = new Set(calls.map((one) => one.id));
          for (const { toolCallId } of results) expect(made).toContain(toolCallId);
        }
      }),
    );
  });

  test("a conversation is read back as it was built, however late its results came", () => {
    const outcome = fc.constantFrom("error-text", "text", undefined);
    const turn = fc.record({ user: fc.boolean(), outcomes: fc.array(outcome, { maxLength: 3 }) });
    const late = fc.array(fc.nat(3), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), late, (given, delays) => {
        const results: { at: number; part: ReturnType<typeof result> }[] = [];
        const messages: ModelMessage[] = [];
        const expected = given.map(({ user, outcomes }, at) => ({
          calls: outcomes.map((_, index) => `${at}.${index}`),
          results: Object.fromEntries(
            outcomes.flatMap((type, index) =>
              type ? [[`${at}.${index}`, type === "error-text"]] : [],
            ),
          ),
          afterUserMessage: user,
        }));
        for (const [at, { user, outcomes }] of given.entries()) {
          const ids = outcomes.map((_, index) => `${at}.${index}`);
          for (const [index, type] of outcomes.entries()) {
            const delay = delays[(at + index) % delays.length] ?? 0;
            if (type) results.push({ at: at + delay, part: result(ids[index]!, type) });
          }
          if (user) messages.push({ role: "user", content: "Pay." });
          messages.push({ role: "assistant", content: ids.map(call) });
          const due = results.filter((one) => one.at === at).map(({ part }) => part);
          if (due.length > 0) messages.push({ role: "tool", content: due });
        }
        const rest = results.filter((one) => one.at >= given.length).map(({ part }) => part);
        if (rest.length > 0) messages.push({ role: "tool", content: rest });
        const read = turnsFromMessages(messages).map((one) => ({
          calls: one.calls.map(({ id }) => id),
          results: Object.fromEntries(
            (one.results ?? []).map(({ toolCallId, isError }) => [toolCallId, isError]),
          ),
          afterUserMessage: one.afterUserMessage,
        }));
        expect(read).toEqual(expected);
      }),
    );
  });
});

const rejected = (toolCallId: string, content = "text"): ToolResult => ({
  formatVersion: "1.0",
  toolCallId,
  toolName: "pay",
  content,
  isError: true,
  status: "rejected",
  argumentsHash: "hash",
  advisories: [],
});

describe("createAttemptCounter", () => {
  test("counts messages that are only appended without reading them all again", async () => {
    const recent = createRecentCalls();
    const contract = createContract({ logger: () => undefined });
    const tool = { name: "pay", inputSchema: { required: ["amount"] } };
    const refused = await contract.admit(
      { id: "1", name: "pay", arguments: "{}" },
      { tool, conversationId: "a" },
    );
    if (refused.status !== "rejected") throw new Error("the call must be rejected");
    const { content } = refused.result;
    let reads = 0;
    const input = {
      get amount() {
        reads += 1;
        return 1;
      },
    };
    // Half of the calls are of this process and have their marker.
    const failure = (id: string): readonly ModelMessage[] => {
      if (Number(id) % 2 === 0) recent.reject({ ...refused.result, toolCallId: id });
      const output = { type: "error-text", value: content } as const;
      return [
        { role: "assistant", content: [{ ...call(id), input }] },
        { role: "tool", content: [{ ...result(id, "error-text"), output }] },
      ];
    };
    const messages = Array.from({ length: 1_500 }, (_, id) => failure(`${id}`)).flat();
    const { markerOf } = recent;
    const counter = createAttemptCounter({
      scope: "run",
      toolNames: ["pay"],
      markerOf,
      isAnnouncement,
    });
    expect(counter.count(messages, "pay").failed).toBe(1_500);
    expect(reads).toBe(1_500);
    for (let step = 0; step < 10; step += 1) {
      reads = 0;
      messages.push(...failure(`${1_500 + step}`));
      expect(counter.count([...messages], "pay").failed).toBe(1_501 + step);
      // The new turn, and the one that was the last before.
      expect(reads).toBe(2);
    }
  });
});

describe("a history that grows", () => {
  test("each result is read once", () => {
    let looks = 0;
    const markerOf = (): undefined => void (looks += 1);
    const counter = createAttemptCounter({
      scope: "run",
      toolNames: ["pay"],
      markerOf,
      isAnnouncement,
    });
    let messages: readonly ModelMessage[] = [{ role: "user", content: "Pay." }];
    for (let step = 1; step <= 100; step += 1) {
      messages = [
        ...messages,
        { role: "assistant", content: [call(`${step}`)] },
        { role: "tool", content: [result(`${step}`, "error-text")] },
      ];
      counter.count(messages, "pay");
      expect(looks).toBe(step);
    }
  });

  test("counts as one that is new, whatever comes next", () => {
    const id = fc.constantFrom("1", "2", "3");
    const part = fc.oneof(
      id.map(call),
      id.map((one) => result(one, "error-text")),
    );
    const message = fc.oneof(
      fc.constant<ModelMessage>({ role: "user", content: "Pay." }),
      fc
        .record({ role: fc.constantFrom("assistant", "tool"), content: fc.array(part) })
        .map((one) => one as ModelMessage),
    );
    const edits = fc.array(fc.tuple(fc.nat(2), fc.array(message, { maxLength: 3 })));
    fc.assert(
      fc.property(edits, (given) => {
        const fresh = () =>
          createAttemptCounter({
            scope: "run",
            toolNames: ["pay"],
            markerOf: () => undefined,
            isAnnouncement,
          });
        const counter = fresh();
        let messages: readonly ModelMessage[] = [];
        for (const [dropped, added] of given) {
          messages = [...messages.slice(0, messages.length - dropped), ...added];
          expect(counter.count(messages, "pay")).toEqual(
            fresh().count(structuredClone(messages), "pay"),
          );
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe("createRecentCalls", () => {
  test("knows a rejection only by its id and its unchanged text", () => {
    const recent = createRecentCalls();
    recent.reject(rejected("call_1"));
    expect(recent.markerOf("call_1", "text")).toMatchObject({ argumentsHash: "hash" });
    expect(recent.markerOf("call_1", "the text of another conversation")).toBeUndefined();
    expect(recent.markerOf("call_2", "text")).toBeUndefined();
  });

  test("does not guess between two users whose calls have one id and are answered alike", () => {
    const recent = createRecentCalls();
    recent.reject(rejected("call_1"));
    recent.reject(rejected("call_1"));
    expect(recent.markerOf("call_1", "text")).toMatchObject({ argumentsHash: "hash" });
    recent.reject({ ...rejected("call_1"), argumentsHash: "another" });
    expect(recent.markerOf("call_1", "text")).toBeUndefined();
    recent.reject(rejected("call_1"));
    expect(recent.markerOf("call_1", "text")).toBeUndefined();
  });

  test("forgets the oldest calls", () => {
    const recent = createRecentCalls();
    for (let number = 0; number <= 1_000; number++) recent.reject(rejected(`call_${number}`));
    expect(recent.markerOf("call_0", "text")).toBeUndefined();
    expect(recent.markerOf("call_1", "text")).toBeDefined();
  });

  test("an admitted call is taken once", () => {
    const recent = createRecentCalls();
    const admission = { status: "admitted" } as Admitted;
    const run = { id: "a", isResumed: false };
    recent.admit("call_1", admission, run);
    expect(recent.takeAdmitted("call_1", { ...run })).toBeUndefined();
    expect(recent.takeAdmitted("call_1", run)).toEqual({ admission, run });
    expect(recent.takeAdmitted("call_1", run)).toBeUndefined();
    recent.admit("call_1", admission, run);
    const resumed = { id: "approval 1", isResumed: true };
    expect(recent.takeAdmitted("call_1", resumed)).toEqual({ admission, run });
  });
});
