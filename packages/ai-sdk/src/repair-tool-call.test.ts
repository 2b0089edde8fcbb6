import { expectLinearCost } from "@toolcontract/case-table/cost";
import { createContract, parseRejection } from "@toolcontract/core";
import type { ToolSet } from "ai";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { describeModes, describeVersions } from "./testing/both-ends.ts";
import { steps, textOf } from "./testing/describe-on.ts";
import type { Sdk } from "./testing/sdk.ts";

const SECRET = "hunter2-hunter2";
const quiet = { logger: () => undefined };
const call = (id: string, name: string, input: string) => ({ calls: [{ id, name, input }] });

function files({ ai }: Sdk) {
  const ran: unknown[] = [];
  const read_file = ai.tool({
    inputSchema: z.object({ path: z.string().transform((path) => `/${path}`) }),
    execute: async (input) => {
      ran.push(input);
      return "done";
    },
  });
  return { ran, tools: { read_file } };
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  test("malformed JSON is repaired, logged without values, and transformed once", async () => {
    const logger = vi.fn();
    const { ran, tools } = files(sdk);
    const contract = createContract({ logger });
    const model = sdk.script([
      call("call_1", "read_file", `{"path":"${SECRET}",}`),
      { text: "done" },
    ]);
    const settings = withContract({ contract, tools, stopWhen: steps(8) });
    await sdk.run(mode, { model, settings });
    expect(ran).toEqual([{ path: `/${SECRET}` }]);
    expect(logger.mock.calls).toMatchObject([
      [{ level: "info", tool_name: "read_file" }, expect.any(String)],
    ]);
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
    expect(contract.metrics()).toMatchObject({ calls: 1 });
  });

  test("nothing is repaired if the user turns it off", async () => {
    const { ran, tools } = files(sdk);
    const model = sdk.script([call("call_1", "read_file", '{"path":"notes.txt",}')]);
    const settings = withContract({ ...quiet, repairJson: false, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-004" },
    ]);
    expect(ran).toEqual([]);
  });

  test("truncated arguments never run, and are not quoted", async () => {
    const { ran, tools } = files(sdk);
    const model = sdk.script([call("call_1", "read_file", `{"path":"${SECRET}`)]);
    const settings = withContract({ ...quiet, tools, stopWhen: steps(1) });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-011" },
    ]);
    expect(textOf(messages, "call_1")).not.toContain(SECRET);
    expect(ran).toEqual([]);
  });

  test("an unknown tool is answered with the active tools and the near name", async () => {
    const { ran, tools } = files(sdk);
    const other = files(sdk).tools.read_file;
    const model = sdk.script([call("call_1", "raed_file", '{"path":"notes.txt"}')]);
    const options = { ...quiet, tools: { ...tools, hidden: other }, stopWhen: steps(1) };
    const settings = withContract({ ...options, activeTools: ["read_file"] });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(parseRejection(textOf(messages, "call_1"))?.errors).toMatchObject([
      { errorCode: "VAL-012", expectedValue: '"read_file"', hint: 'use "read_file"' },
    ]);
    expect(ran).toEqual([]);
  });

  test("a near name is repaired if the user wants it, and logged", async () => {
    const logger = vi.fn();
    const { ran, tools } = files(sdk);
    const model = sdk.script([
      call("call_1", "raed_file", `{"path":"${SECRET}"}`),
      call("call_2", "raed_file", '{"path":7}'),
      call("call_3", "search", '{"path":"notes.txt"}'),
    ]);
    const settings = withContract({ logger, repairNames: true, tools, stopWhen: steps(3) });
    const { messages, steps: ran1 } = await sdk.run(mode, { model, settings });
    expect(ran).toEqual([{ path: `/${SECRET}` }]);
    expect(ran1[0]?.toolCalls).toMatchObject([{ toolName: "read_file", toolCallId: "call_1" }]);
    const codes = ["call_2", "call_3"].map(
      (id) => parseRejection(textOf(messages, id))?.errors[0]?.errorCode,
    );
    expect(codes).toEqual(["VAL-012", "VAL-012"]);
    expect(logger.mock.calls[0]).toEqual([
      { level: "info", tool_name: "read_file", repairs: [], correlation_id: "ai-sdk" },
      "Tool name repaired",
    ]);
    expect(JSON.stringify(logger.mock.calls)).not.toContain(SECRET);
  });

  test("rules, guidance, redaction, events and metrics work as in core; a rule runs once for a valid call", async () => {
    const rule = vi.fn(({ path }: { path: string }) =>
      path.includes("..") ? [{ fieldPath: "/path", message: "Stay inside of the folder" }] : [],
    );
    const events: string[] = [];
    const { tools } = files(sdk);
    const settings = withContract({
      ...quiet,
      tools,
      rules: { read_file: [rule] },
      formatters: { read_file: () => "Paths are relative." },
      onEscalation: ({ toolName }) => events.push(toolName),
      maxAttempts: 2,
      stopWhen: steps(3),
    });
    const model = sdk.script([
      call("call_1", "read_file", '{"path":"notes.txt"}'),
      call("call_2", "read_file", '{"path":"../etc"}'),
      call("call_3", "read_file", '{"path":"../var"}'),
    ]);
    const { messages } = await sdk.run(mode, { model, settings });
    expect(rule.mock.calls.filter(([{ path }]) => path === "/notes.txt")).toHaveLength(1);
    expect(parseRejection(textOf(messages, "call_2"))).toMatchObject({
      guidance: "Paths are relative.",
      errors: [{ errorCode: "VAL-016", fieldPath: "/path", message: "Stay inside of the folder" }],
    });
    expect(events).toEqual(["read_file"]);
  });

  test("an existing contract counts every call once", async () => {
    const contract = createContract(quiet);
    const seen: string[] = [];
    for (const name of ["call-admitted", "call-rejected", "call-escalated"] as const)
      contract.on(name, ({ toolCallId }) => seen.push(`${name} ${toolCallId}`));
    const { tools } = files(sdk);
    const ask = sdk.ai.tool({ inputSchema: z.object({}) }) as ToolSet[string];
    const model = sdk.script([
      call("call_1", "read_file", "{}"),
      call("call_2", "read_file", '{"path":"notes.txt"}'),
      call("call_3", "ask", "{}"),
    ]);
    const settings = withContract({ contract, tools: { ...tools, ask }, stopWhen: steps(8) });
    await sdk.run(mode, { model, settings });
    expect(seen).toEqual(["call-rejected call_1", "call-admitted call_2", "call-admitted call_3"]);
    expect(contract.metrics()).toMatchObject({ calls: 3 });
  });
});

describeVersions((sdk) => {
  test("for any arguments, the answer is short and readable, and nothing is thrown", async () => {
    const { tools } = files(sdk);
    const { repairToolCall } = sdk.adapter.withContract({ ...quiet, repairNames: true, tools });
    const json = fc.json({ maxDepth: 3 });
    const input = fc.oneof(
      fc.string({ unit: "binary" }),
      json,
      json.map((text) => text.slice(1)),
    );
    const name = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("read_file", "__proto__", "constructor", "raed_file"),
    );
    await fc.assert(
      fc.asyncProperty(name, input, async (toolName, text) => {
        const error = new Error("default text");
        const toolCall = {
          type: "tool-call",
          toolCallId: "call_1",
          toolName,
          input: text,
        } as const;
        const options = { toolCall, tools, messages: [], error, inputSchema: async () => ({}) };
        const repaired = await repairToolCall(options as never);
        if (repaired) expect(() => JSON.parse(repaired.input)).not.toThrow();
        else expect(parseRejection(error.message)).toMatchObject({ attempt: 1 });
        expect(error.message.length).toBeLessThan(2_000);
      }),
    );
  });

  test.each<[string, number, (size: number) => string]>([
    ["megabytes", 500_000, (size) => JSON.stringify({ path: 7, more: "x".repeat(size) })],
    ["open brackets", 5_000, (size) => "[".repeat(size)],
    ["objects in each other", 5_000, (size) => `${'{"a":'.repeat(size)}1${"}".repeat(size)}`],
    ["lone surrogates", 20_000, (size) => `{"path":7,"a":"${"\\ud800".repeat(size)}"}`],
    ["items", 5_000, (size) => JSON.stringify({ path: Array.from({ length: size }, () => 7) })],
  ])("four times as many %s are answered in about four times the time", async (_, size, make) => {
    const { tools } = files(sdk);
    const { repairToolCall } = sdk.adapter.withContract({ ...quiet, tools });
    const answer = async (input: string): Promise<string> => {
      const error = new Error("default text");
      const toolCall = { type: "tool-call", toolCallId: "call_1", toolName: "read_file", input };
      // Not through the SDK: copying a value nested this deep overflows its own stack.
      await repairToolCall({ toolCall, tools, messages: [], error } as never);
      return error.message;
    };
    await expectLinearCost((length) => {
      const input = make(length);
      return async () => answer(input);
    }, size);
    const message = await answer(make(4 * size));
    expect(message.length).toBeLessThan(2_000);
    expect(parseRejection(message)).toMatchObject({ attempt: 1 });
  });
});
