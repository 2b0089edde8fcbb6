import { describe, expect, test } from "vitest";
import { isWhole } from "@toolcontract/case-table/whole";
import { z } from "zod";
import { type CallContext, toToolMessage } from "../call/index.ts";
import type { ContractOptions } from "./options.ts";
import { FORMAT_VERSION } from "@toolcontract/explain/adapter";
import type { LogFields } from "../observe/index.ts";
import { type ModelTurn, countAttempts } from "../attempts/index.ts";
import type { ToolCall } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

const readFile = {
  name: "read_file",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", maxLength: 4096 },
      encoding: { enum: ["utf-8", "ascii", "utf-16"] },
      limit: { type: "integer", minimum: 1 },
    },
    required: ["path"],
    additionalProperties: false,
  },
};
const writeFile = {
  name: "write_file",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string", maxLength: 10 } },
    required: ["path", "content"],
  },
};
const tools = [readFile, writeFile];

let serial = 0;
function call(name: string, args: unknown): ToolCall {
  serial += 1;
  return {
    id: `call_${serial}`,
    name,
    arguments: typeof args === "string" ? args : JSON.stringify(args),
  };
}

function setUp(options: ContractOptions = {}) {
  const lines: { fields: LogFields; message: string }[] = [];
  const ran: unknown[] = [];
  const contract = createContract({
    logger: (fields, message) => lines.push({ fields, message }),
    ...options,
  });
  const turn = async (calls: readonly ToolCall[], context: Partial<CallContext> = {}) =>
    contract.handleTurn(calls, {
      conversationId: "c1",
      tools,
      ...context,
      execute: (args: unknown) => {
        ran.push(args);
        return `ok ${ran.length}`;
      },
    });
  const one = async (name: string, args: unknown, context: Partial<CallContext> = {}) => {
    const [answer] = await turn([call(name, args)], context);
    if (!answer) throw new Error("no answer");
    return answer;
  };
  return { contract, lines, ran, turn, one };
}

describe("the user scenarios of the retry contract", () => {
  test("Scenario 1: a single error is a tool result that names the path and the attempt", async () => {
    const { one } = setUp();
    const answer = await one("read_file", {});
    expect(answer.status).toBe("rejected");
    expect(toToolMessage(answer.result)).toEqual({
      role: "tool",
      tool_call_id: answer.result.toolCallId,
      is_error: true,
      content: [
        "Validation failed for tool 'read_file' (attempt 1/3):",
        "",
        "Errors:",
        "• /path (VAL-001): Required field 'path' is missing",
        "  Expected: string, at most 4096 characters",
        "",
        "Correct these and call 'read_file' again with all arguments. If you do not know a value, ask the user.",
      ].join("\n"),
    });
  });

  test("Scenario 2: several errors stand in one message, as bullets, sorted by path", async () => {
    const { one } = setUp();
    const answer = await one("read_file", { limit: 0, encoding: "uft8" });
    const bullets = answer.result.content.split("\n").filter((line) => line.startsWith("• "));
    expect(bullets.map((line) => line.slice(2, line.indexOf(")") + 1))).toEqual([
      "/encoding (VAL-008)",
      "/limit (VAL-003)",
      "/path (VAL-001)",
    ]);
  });

  test("Scenario 3: the corrected call is attempt 2 and passes", async () => {
    const { one, ran } = setUp();
    await one("read_file", {});
    const second = await one("read_file", { path: 5 });
    expect(second).toMatchObject({ status: "rejected", attempt: 2 });
    expect(second.result.content).toContain("(attempt 2/3)");
    expect(await one("read_file", { path: "a.txt" })).toMatchObject({
      status: "executed",
      output: "ok 1",
      result: { isError: false, content: "ok 1" },
    });
    expect(ran).toEqual([{ path: "a.txt" }]);
  });

  test("Scenario 4: the third failure escalates with the history and is blocked", async () => {
    const seen: unknown[] = [];
    const { one } = setUp({ onEscalation: (escalation) => seen.push(escalation) });
    await one("read_file", {});
    await one("read_file", { path: 5 });
    const third = await one("read_file", { path: "x".repeat(5000) });
    if (third.status !== "blocked") throw new Error(third.status);
    expect(
      third.escalation.history.map(({ attempt, errors }) => [
        attempt,
        errors.map(({ errorCode }) => errorCode),
      ]),
    ).toEqual([
      [1, ["VAL-001"]],
      [2, ["VAL-002"]],
      [3, ["VAL-009"]],
    ]);
    expect(third.escalation).toMatchObject({
      status: "blocked",
      toolName: "read_file",
      attempts: 3,
      maxAttempts: 3,
    });
    expect(third.escalation.toolCall.arguments).toBe(JSON.stringify({ path: "x".repeat(5000) }));
    expect(third.escalation.summary).toMatch(
      /^Tool 'read_file' validation failed after 3 attempts\.\n\nAttempt 1: Missing required field 'path'\nAttempt 2: Type mismatch on 'path' \(got: integer\)\nAttempt 3: String too long for 'path' \(max: 4096\)\n\nThe model was unable/,
    );
    expect(third.result.content).toContain("Attempt 1: Missing required field 'path'");
    expect(seen).toEqual([third.escalation]);
  });

  test("Scenario 5: a very long value is cut and the message stays below its limit", async () => {
    const { one } = setUp();
    const answer = await one("write_file", { path: "a", content: "Lorem ipsum ".repeat(125000) });
    expect(answer.result.content).toContain('..." (1500000 characters)');
    expect(answer.result.content).toContain("String length 1500000 exceeds maximum 10");
    expect(answer.result.content.length).toBeLessThan(2000);
  });

  test("Scenario 6: the log has the fields and no values", async () => {
    const { one, lines } = setUp();
    await one(
      "read_file",
      { path: "s3cret-value", encoding: "uft8", extra: "other-value" },
      { correlationId: "abc-123" },
    );
    expect(lines).toEqual([
      {
        message: "Tool validation failed",
        fields: {
          level: "warn",
          tool_name: "read_file",
          error_count: 2,
          retry_attempt: 1,
          max_retries: 3,
          errors: [
            { path: "/encoding", code: "VAL-008" },
            { path: "/*", code: "VAL-005" },
          ],
          correlation_id: "abc-123",
        },
      },
    ]);
  });
});

describe("attempts", () => {
  test("parallel bad calls of one turn share a number", async () => {
    const { turn, one, lines } = setUp();
    const answers = await turn([
      call("read_file", {}),
      call("read_file", { path: 1 }),
      call("write_file", {}),
    ]);
    expect(answers.map((answer) => "attempt" in answer && answer.attempt)).toEqual([1, 1, 1]);
    expect(await one("read_file", {})).toMatchObject({ attempt: 2 });
    expect(lines.map(({ fields }) => "retry_attempt" in fields && fields.retry_attempt)).toEqual([
      1, 1, 1, 2,
    ]);
  });

  test("a valid sibling runs, and one good and one bad call a turn still end", async () => {
    const { turn, ran } = setUp();
    const statuses = [];
    for (let index = 0; index < 3; index += 1) {
      const answers = await turn([call("read_file", { path: "a" }), call("read_file", {})]);
      statuses.push(answers.map(({ status }) => status));
    }
    expect(statuses).toEqual([
      ["executed", "rejected"],
      ["executed", "rejected"],
      ["executed", "blocked"],
    ]);
    expect(ran).toHaveLength(3);
  });

  test("success resets, a new run resets in scope run and not in scope thread", async () => {
    const { one } = setUp();
    await one("read_file", {}, { runId: "r1" });
    await one("read_file", { path: "a" }, { runId: "r1" });
    expect(await one("read_file", {}, { runId: "r1" })).toMatchObject({ attempt: 1 });
    expect(await one("read_file", {}, { runId: "r2" })).toMatchObject({ attempt: 1 });
    const thread = setUp({ scope: "thread" });
    await thread.one("read_file", {}, { runId: "r1" });
    expect(await thread.one("read_file", {}, { runId: "r2" })).toMatchObject({ attempt: 2 });
  });

  test("conversations and tools are counted apart; invented names share one count", async () => {
    const { one } = setUp();
    await one("read_file", {});
    expect(await one("read_file", {}, { conversationId: "c2" })).toMatchObject({ attempt: 1 });
    expect(await one("write_file", {})).toMatchObject({ attempt: 1 });
    expect(await one("made_up", {})).toMatchObject({ attempt: 1 });
    expect(await one("made_up_too", {})).toMatchObject({ attempt: 2 });
    expect(await one("and_again", {})).toMatchObject({ status: "blocked" });
  });

  test("repeated arguments are reported", async () => {
    const { one } = setUp();
    await one("read_file", { path: 1 });
    const again = await one("read_file", { path: 1 });
    expect(again.result.content).toContain("These are the same arguments as in attempt 1.");
    expect(parseRejection(again.result.content)).toMatchObject({ attempt: 2, repeats: 1 });
  });

  test("later calls of a blocked tool open no new count; a valid one unblocks", async () => {
    const escalations: unknown[] = [];
    const { one } = setUp({
      maxAttempts: 1,
      onEscalation: (escalation) => escalations.push(escalation),
    });
    expect(await one("read_file", {})).toMatchObject({ status: "blocked", attempt: 1 });
    const later = await one("read_file", {});
    expect(later.result.content).toMatch(
      /^Validation failed for tool 'read_file' \(blocked after 1\/1\):/,
    );
    expect(escalations).toHaveLength(1);
    expect(await one("read_file", { path: "a" })).toMatchObject({ status: "executed" });
    expect((await one("read_file", {})).result.content).toContain("(attempt 1/1)");
  });

  test("onBlocked refuse keeps a valid call of a blocked tool from running", async () => {
    const { one, ran } = setUp({ maxAttempts: 1, onBlocked: "refuse" });
    await one("read_file", {});
    expect(await one("read_file", { path: "a" })).toMatchObject({
      status: "blocked",
      errors: [{ errorCode: "VAL-016" }],
    });
    expect(ran).toEqual([]);
  });

  test("a tool that was dropped after it was blocked does not start over", async () => {
    const { one } = setUp({ maxAttempts: 1 });
    await one("read_file", {});
    const later = await one("read_file", {}, { tools: [writeFile] });
    expect(later.result.content).toMatch(
      /^Validation failed for tool 'read_file' \(blocked after 1\/1\):/,
    );
  });

  test("a slow tool does not hold its turn open", async () => {
    const { contract } = setUp();
    const context = { conversationId: "c1", tools };
    const slow = contract.handle(call("write_file", { path: "a", content: "b" }), {
      ...context,
      execute: async () =>
        new Promise((resolve) => {
          setTimeout(resolve, 20);
        }),
    });
    await Promise.resolve();
    const attempts: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await contract.admit(call("read_file", { limit: turn }), context);
      attempts.push(answer.status === "admitted" ? 0 : answer.attempt);
    }
    await slow;
    expect(attempts).toEqual([1, 2, 3]);
  });

  test("in a truncated message only the last call can be truncated", async () => {
    const { turn } = setUp();
    const calls = ["a.txt", "b.txt"].map((path) => ({
      ...call("read_file", {}),
      arguments: { path },
    }));
    const answers = await turn(calls, { finishReason: "length" });
    expect(answers).toMatchObject([{ status: "executed" }, { errors: [{ errorCode: "VAL-011" }] }]);
  });

  test("parallel calls that spend the last attempt of a history escalate once", async () => {
    const seen: unknown[] = [];
    const { contract } = setUp({ onEscalation: (escalation) => seen.push(escalation) });
    const attempts = { failed: 2, history: [], complete: true, blocked: false };
    const context = { conversationId: "c1", tools, turnId: "t3", attempts };
    const answers = await Promise.all(
      [0, 1].map(async (limit) => contract.admit(call("read_file", { limit }), context)),
    );
    expect(answers).toMatchObject([{ status: "blocked" }, { status: "blocked" }]);
    expect(seen).toHaveLength(1);
  });

  test("without a turn id, calls that overlap in time are one turn", async () => {
    const { contract } = setUp();
    const context = {
      conversationId: "c1",
      tools,
      execute: async () =>
        new Promise((resolve) => {
          setTimeout(resolve, 5);
        }),
    };
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const answers = await Promise.all([
        contract.handle(call("read_file", { path: "a" }), context),
        contract.handle(call("read_file", {}), context),
      ]);
      expect(answers).toMatchObject([{ status: "executed" }, { status: "rejected", attempt }]);
    }
  });

  test("hundreds of conversations at once do not mix", async () => {
    const { contract } = setUp();
    const ids = Array.from(
      { length: isWhole ? 10_000 : 500 },
      (_, index) => `conversation ${index}`,
    );
    const attempt = async (conversationId: string) => {
      const answer = await contract.admit(call("read_file", {}), { conversationId, tools });
      return answer.status === "admitted" ? 0 : answer.attempt;
    };
    for (const expected of [1, 2, 3]) {
      const attempts = await Promise.all(ids.map(attempt));
      expect(new Set(attempts)).toEqual(new Set([expected]));
    }
  });
});

describe("options", () => {
  test("maxAttempts sets the number of attempts", async () => {
    const { one } = setUp({ maxAttempts: 2 });
    expect((await one("read_file", {})).result.content).toContain("(attempt 1/2)");
    expect(await one("read_file", {})).toMatchObject({ status: "blocked", maxAttempts: 2 });
  });

  test("maxErrors sets the number of errors shown, ten by default", async () => {
    const tool = {
      name: "t",
      inputSchema: {
        type: "object",
        required: Array.from({ length: 15 }, (_, index) => `field${index}`),
        properties: Object.fromEntries(
          Array.from({ length: 15 }, (_, index) => [`field${index}`, { maximum: index }]),
        ),
      },
    };
    const answer = async (options: ContractOptions) =>
      (await setUp(options).one("t", {}, { tools: [tool] })).result;
    expect((await answer({})).errors).toHaveLength(10);
    expect((await answer({})).content).toContain("... and 5 more errors");
    expect((await answer({ format: { maxErrors: 2 } })).content).toContain(
      "... and 13 more errors",
    );
  });

  test("maxLength bounds the message", async () => {
    const tool = {
      name: "t",
      inputSchema: {
        type: "object",
        required: Array.from(
          { length: 10 },
          (_, index) => `a_rather_long_field_name_number_${index}`,
        ),
      },
    };
    const { result } = await setUp({ format: { maxLength: 400 } }).one("t", {}, { tools: [tool] });
    expect(result.content.length).toBeLessThanOrEqual(400);
    expect(parseRejection(result.content)?.hiddenErrors).toBeGreaterThan(0);
  });

  test("every option has a default", async () => {
    const contract = createContract();
    expect(contract.check(readFile, '{"path":"a"}')).toEqual({
      status: "valid",
      input: { path: "a" },
      output: { path: "a" },
      advisories: [],
      repairs: [],
    });
  });

  test("unknown fields follow the schema, are reported, or are rejected", async () => {
    const args = '{"path":"a","content":"b","mode":7}';
    expect(createContract().check(writeFile, args)).toMatchObject({
      status: "valid",
      advisories: [{ errorCode: "VAL-005", severity: "info", fieldPath: "/mode" }],
    });
    expect(createContract({ unknownFields: "warn" }).check(writeFile, args)).toMatchObject({
      status: "valid",
      advisories: [{ errorCode: "VAL-005", severity: "warning", fieldPath: "/mode" }],
    });
    expect(createContract({ unknownFields: "reject" }).check(writeFile, args)).toMatchObject({
      status: "invalid",
      errors: [{ errorCode: "VAL-005", expectedValue: "only path, content" }],
    });
  });

  test("unknownFields reports a field that only the schema beside a validator forbids", () => {
    const accepting = {
      "~standard": {
        version: 1 as const,
        vendor: "acme",
        validate: (value: unknown) =>
          (value as { readonly path?: unknown }).path === 5
            ? { issues: [{ message: "no", path: ["path"] }] }
            : { value },
      },
    };
    const inputSchema = { ...writeFile.inputSchema, additionalProperties: false };
    const tool = { name: "write_file", validator: accepting, inputSchema };
    const args = { path: "a", content: "b", mode: 7 };
    expect(createContract().check(tool, args)).toMatchObject({ status: "valid" });
    expect(createContract({ unknownFields: "warn" }).check(tool, args)).toMatchObject({
      status: "valid",
      advisories: [{ errorCode: "VAL-005", severity: "warning", fieldPath: "/mode" }],
    });
    const strict = createContract({ unknownFields: "reject" });
    const unknown = {
      errorCode: "VAL-005",
      fieldPath: "/mode",
      expectedValue: "only path, content",
    };
    expect(strict.check(tool, args)).toMatchObject({ status: "invalid", errors: [unknown] });
    const wrong = strict.check(tool, { ...args, path: 5 });
    expect(wrong.status === "invalid" && wrong.errors.map(({ fieldPath }) => fieldPath)).toEqual([
      "/mode",
      "/path",
    ]);
  });

  test("keys that are not shown look alike and share one bullet", () => {
    const args = { path: "a", "no identifier": 1, "nor this": 2, extra: 3 };
    const result = createContract().check(readFile, args);
    expect(result).toMatchObject({ status: "invalid", totalErrors: 2 });
    expect(result.status === "invalid" && result.errors.map(({ fieldPath }) => fieldPath)).toEqual([
      "/extra",
      "/(unknown field)",
    ]);
  });

  test("advisories reach the model only on request", async () => {
    const options: ContractOptions = {
      unknownFields: "warn",
      rules: { read_file: [() => [{ message: "prefer limit", severity: "info" }]] },
    };
    const args = { path: "a" };
    expect((await setUp(options).one("read_file", args)).result.content).toBe("ok 1");
    const told = await setUp({ ...options, reportAdvisories: true }).one("read_file", args);
    expect(told.result.content).toMatch(/^ok 1\n\n.*prefer limit/s);
    expect(told.result.advisories).toMatchObject([{ severity: "info", message: "prefer limit" }]);
  });

  test("a string that holds JSON is parsed on request", () => {
    const tool = {
      name: "tag",
      inputSchema: {
        type: "object",
        properties: { tags: { type: "array", items: { type: "string" } } },
      },
    };
    const args = JSON.stringify({ tags: '["a","b"]' });
    expect(createContract({ unwrapStrings: false }).check(tool, args)).toMatchObject({
      status: "invalid",
      errors: [{ hint: "send the array itself, not a JSON string" }],
    });
    expect(createContract().check(tool, args)).toMatchObject({
      status: "valid",
      input: { tags: ["a", "b"] },
      repairs: [{ step: "unwrap" }],
    });
    expect(createContract().check(tool, JSON.stringify(args))).toMatchObject({ status: "valid" });
  });

  test("a tool's formatter adds guidance to the frame", async () => {
    const { one } = setUp({
      formatters: {
        read_file: (errors, { attempt }) =>
          `Paths start at notes/ (${errors.length} error, attempt ${attempt}).`,
      },
    });
    const { result } = await one("read_file", {});
    expect(parseRejection(result.content)).toMatchObject({
      guidance: "Paths start at notes/ (1 error, attempt 1).",
    });
  });
});

describe("results", () => {
  test("carry the call's id, the text and the format version", async () => {
    const { one } = setUp();
    const { result } = await one("read_file", {});
    expect(result).toMatchObject({
      formatVersion: FORMAT_VERSION,
      toolName: "read_file",
      isError: true,
      status: "rejected",
      attempt: 1,
      maxAttempts: 3,
    });
    expect(result.toolCallId).toBe(`call_${serial}`);
    expect(FORMAT_VERSION).toBe("1.2");
  });

  test("metrics count by tool and code", async () => {
    const { one, contract } = setUp();
    await one("read_file", {});
    await one("read_file", { path: "a" });
    expect(contract.metrics()).toMatchObject({
      calls: 2,
      admitted: 1,
      rejected: 1,
      blocked: 0,
      failureRate: 0.5,
      byCode: { "VAL-001": 1 },
    });
  });

  test("an escalation is logged once, at warn", async () => {
    const { one, lines } = setUp({ maxAttempts: 1 });
    await one("read_file", {});
    expect(lines.map(({ fields, message }) => [fields.level, message])).toEqual([
      ["warn", "Tool validation blocked"],
    ]);
  });

  test("an MCP result keeps its error flag", async () => {
    const { contract } = setUp();
    const context = {
      conversationId: "c",
      tools,
      execute: () => ({ content: [{ type: "text", text: "no such file" }], isError: true }),
    };
    expect(await contract.handle(call("read_file", { path: "a" }), context)).toMatchObject({
      status: "executed",
      result: { content: "no such file", isError: true },
    });
  });

  test("events report what happened until unsubscribed", async () => {
    const { one, contract } = setUp({ maxAttempts: 2 });
    const seen: string[] = [];
    const stops = (
      ["call-admitted", "call-rejected", "call-escalated", "call-repaired"] as const
    ).map((event) => contract.on(event, () => seen.push(event)));
    await one("read_file", {});
    await one("read_file", {});
    await one("read_file", "{path: 'a'}");
    expect(seen).toEqual(["call-rejected", "call-escalated", "call-repaired", "call-admitted"]);
    for (const stop of stops) stop();
    await one("read_file", {});
    expect(seen).toHaveLength(4);
  });
});

describe("hosts that count from their history", () => {
  test("admit() uses the attempts of countAttempts() and keeps no count itself", async () => {
    const { contract } = setUp();
    const context = { conversationId: "c1", tools };
    const turns: ModelTurn[] = [];
    const statuses: unknown[] = [];
    for (let turn = 1; turn <= 4; turn += 1) {
      const bad = call("read_file", { limit: turn });
      const attempts = countAttempts(turns, "read_file", "run");
      const answer = await contract.admit(bad, { ...context, attempts });
      if (answer.status === "admitted") throw new Error(answer.status);
      const { content, isError } = answer.result;
      statuses.push([answer.status, answer.attempt, content.split("\n")[0]?.slice(-19)]);
      turns.push({ calls: [bad], results: [{ toolCallId: bad.id, isError, content }] });
    }
    expect(statuses).toEqual([
      ["rejected", 1, "ile' (attempt 1/3):"],
      ["rejected", 2, "ile' (attempt 2/3):"],
      ["blocked", 3, "ile' (attempt 3/3):"],
      ["blocked", 3, "blocked after 3/3):"],
    ]);
    const fresh = await contract.admit(call("read_file", {}), context);
    expect(fresh).toMatchObject({ status: "rejected", attempt: 1 });
  });

  test("reject() uses the attempt and the history it is given", async () => {
    const { contract } = setUp();
    const bad = call("read_file", {});
    const checked = contract.check(readFile, bad.arguments);
    if (checked.status !== "invalid") throw new Error(checked.status);
    const first = await contract.reject(bad, checked.errors, { attempt: 1, tool: readFile });
    expect(first).toMatchObject({ status: "rejected", attempt: 1 });
    const last = await contract.reject(bad, checked.errors, {
      attempt: 3,
      tool: readFile,
      history: [{ attempt: 1, argumentsHash: "", errors: [] }],
    });
    expect(last).toMatchObject({ status: "blocked", escalation: { attempts: 3 } });
    expect(
      (await contract.reject(bad, checked.errors, { attempt: 4, tool: readFile })).result.content,
    ).toContain("(blocked after 3/3)");
  });
});

test("a tool takes what z.toJSONSchema returns as its inputSchema", async () => {
  const inputSchema = z.toJSONSchema(z.object({ path: z.string() }));
  const { one } = setUp({});
  const context = { tools: [{ name: "read_file", inputSchema }] };
  expect(await one("read_file", { path: "a.txt" }, context)).toMatchObject({ status: "executed" });
  const refused = await one("read_file", {}, context);
  expect(refused.result.content).toContain("• /path (VAL-001): Required field 'path' is missing");
});
