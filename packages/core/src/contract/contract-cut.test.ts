import { inTurn } from "@toolcontract/case-table/whole";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Contract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";
import type { Handled } from "../call/index.ts";
import type { ToolDefinition } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

const PAY: ToolDefinition = {
  name: "pay",
  inputSchema: {
    type: "object",
    properties: {
      to: { type: "string" },
      amount: { type: "number" },
      note: { type: "string" },
      tags: { type: "array", items: { type: "string" } },
      confirmed: { type: ["boolean", "null"] },
      options: { type: "object" },
    },
  },
};

/** What a real model sent to tools like this one, whole. */
const CALLS: readonly string[] = [
  '{"to":"bob","amount":1000}',
  '{"to": "bob", "amount": -12.5e3, "confirmed": true}',
  '{"to":"Zoë \\u00e9 \\"Z\\" 😀","note":"line 1\\nline 2 \\\\ {not json} [","amount":10}',
  '{"tags":["rent","may",""],"options":{"urgent":null,"retry":{"max":3}},"confirmed":false}',
  '\n  {\n    "to": "bob",\n    "tags": [ "a", "b" ],\n    "amount": 0\n  }\n',
  '```json\n{"to": "bob", "amount": 1000}\n```',
  "{'to': 'bob', 'amount': 1000, 'confirmed': True, }",
  '{to: "bob", /* all of it */ amount: 1000, "tags": ["x",]}',
];

const CUT = /\((VAL-011)\): Arguments were cut off/;
/** Providers' words for an output that ended before the model did. */
const REASONS = ["length", "max_tokens", "MAX_TOKENS", "max_output_tokens", "content_filter"];

interface Sent {
  readonly arguments: unknown;
  readonly rawText?: string;
  readonly finishReason?: string;
}

const recorder = (options: ContractOptions = {}) => {
  const contract = createContract({ logger: () => undefined, ...options });
  const ran: unknown[] = [];
  let turn = 0;
  const send = async ({ finishReason, ...call }: Sent) => {
    turn += 1;
    return contract.handle(
      { id: `call_${turn}`, name: "pay", ...call },
      {
        conversationId: `thread-${turn}`,
        tools: [PAY],
        ...(finishReason !== undefined && { finishReason }),
        execute: (args: unknown) => {
          ran.push(args);
          return "paid";
        },
      },
    );
  };
  return { contract, ran, send };
};

/** The text goes along, so that a failure shows it. */
function expectCut({ result }: Handled, text: string): void {
  expect({ text, content: result.content }).toEqual({ text, content: expect.stringMatching(CUT) });
}

/** The positions at which something of the arguments is missing. */
function cuts(text: string): readonly number[] {
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return Array.from({ length: end - start }, (_, index) => start + index + 1);
}

function wholeValue(contract: Contract, text: string): unknown {
  const result = contract.check(PAY, text);
  return result.status === "valid" ? result.output : undefined;
}

describe("truncated arguments", () => {
  test.for(CALLS)("runs when it is whole: %j", async (text) => {
    const { ran, send } = recorder();
    expect(await send({ arguments: text })).toMatchObject({ status: "executed" });
    expect(ran).toHaveLength(1);
  });

  test.for(CALLS)("is VAL-011 and never runs, wherever it is cut: %j", async (text) => {
    for (const options of [
      {},
      { unwrapStrings: true, unknownFields: "warn" as const, interpreter: true },
    ]) {
      const { ran, send } = recorder(options);
      for (const position of cuts(text)) {
        const part = text.slice(0, position);
        const answer = await send({ arguments: part });
        expectCut(answer, part);
        expect(parseRejection(answer.result.content)?.errors[0]?.errorCode).toBe("VAL-011");
      }
      expect(ran).toEqual([]);
    }
  });

  test("are VAL-011 even if only the last brace is missing, because 10 may have been 1000", () => {
    const { contract } = recorder();
    expect(contract.check(PAY, '{"to":"bob","amount":10')).toMatchObject({
      status: "invalid",
      errors: [
        {
          errorCode: "VAL-011",
          fieldPath: "",
          message: "Arguments were cut off after 23 characters",
          expectedValue: "complete JSON",
        },
      ],
    });
  });

  test("are reported as one fault, in both styles, without the schema", async () => {
    for (const style of ["standard", "compact"] as const) {
      const { send } = recorder({ format: { style } });
      const { result } = await send({ arguments: '{"to":5,"note":"' });
      expect(parseRejection(result.content)?.errors).toMatchObject([
        { errorCode: "VAL-011", fieldPath: "", message: expect.stringContaining("cut off") },
      ]);
    }
  });

  test.for(CALLS)("with any provider's word for it is never repaired: %j", async (text) => {
    const { ran, send } = recorder();
    for (const [place, position] of [0, ...cuts(text)].entries()) {
      const part = text.slice(0, position);
      for (const finishReason of inTurn(REASONS, place)) {
        expectCut(await send({ arguments: part, finishReason }), part);
      }
    }
    expect(ran).toEqual([]);
  });

  test.for(CALLS)("is told from what a host made of it: %j", async (text) => {
    const { ran, send, contract } = recorder();
    const completed = wholeValue(contract, text);
    // As clients do that parse partial JSON: every open bracket is closed for the model.
    const values = [completed, {}, { to: "bob", amount: 10 }, '{"to":"bob","amount":10}'];
    for (const [place, position] of cuts(text).entries()) {
      const rawText = text.slice(0, position);
      for (const made of inTurn(values, place)) {
        expectCut(await send({ arguments: made, rawText }), rawText);
      }
    }
    expect(ran).toEqual([]);
  });

  test("a value without its text does not run after a finish reason that means cut off", async () => {
    const { ran, send } = recorder();
    for (const finishReason of REASONS) {
      const answer = await send({ arguments: { to: "bob", amount: 10 }, finishReason });
      expect(answer.result.content).toMatch(CUT);
    }
    expect(ran).toEqual([]);
    for (const finishReason of ["stop", "tool_calls", "tool_use", "end_turn", ""]) {
      await send({ arguments: { to: "bob", amount: 10 }, finishReason });
    }
    expect(ran).toHaveLength(5);
  });

  test("a call truncated anywhere never runs", async () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    const { ran, send } = recorder();
    await fc.assert(
      fc.asyncProperty(args, fc.double({ min: 0, max: 1, noNaN: true }), async (value, share) => {
        const text = JSON.stringify(value);
        const position = 1 + Math.floor(share * (text.length - 2));
        const answer = await send({ arguments: text.slice(0, position) });
        expect(answer.status).toBe("rejected");
        expect(answer.result.errors).toMatchObject([{ errorCode: "VAL-011" }]);
      }),
      { numRuns: 500 },
    );
    expect(ran).toEqual([]);
  });

  test.for(CALLS)(
    "with closeDangling runs only where the last token is complete: %j",
    async (text) => {
      const { ran, send } = recorder({ closeDangling: true });
      for (const position of cuts(text)) {
        const part = text.slice(0, position);
        const before = ran.length;
        const answer = await send({ arguments: part });
        if (ran.length === before) {
          expect(answer.result.errors?.[0]?.errorCode).toMatch(/^VAL-011$/);
        } else {
          expect(part).toMatch(/(?:["'}\]{[]|true|false|null|True|,|\*\/)\s*$/);
        }
      }
    },
  );

  test("with closeDangling, a number at the end never counts as complete", async () => {
    const { ran, send } = recorder({ closeDangling: true });
    for (const part of [
      '{"to":"bob","amount":10',
      '{"amount":1',
      '{"amount":-',
      '{"amount":1.',
      '{"amount":1e',
    ]) {
      expect((await send({ arguments: part })).result.content).toMatch(CUT);
    }
    expect(ran).toEqual([]);
    expect((await send({ arguments: '{"to":"bob","amount":10 ' })).result.content).toMatch(CUT);
  });

  test("valid siblings of a truncated call run", async () => {
    const { contract } = recorder();
    const ran: unknown[] = [];
    const answers = await contract.handleTurn(
      ['{"to":"ann","amount":1}', '{"to":"bob","amount":10', '{"to":"cyd","amount":3}'].map(
        (text, index) => ({
          id: `call_${index}`,
          name: "pay",
          arguments: text,
        }),
      ),
      {
        conversationId: "thread-7",
        tools: [{ ...PAY, execute: ({ to }: { readonly to: string }) => ran.push(to) }],
      },
    );
    expect(answers.map(({ status }) => status)).toEqual(["executed", "rejected", "executed"]);
    expect(ran).toEqual(["ann", "cyd"]);
  });

  test("a call without arguments waits for a reason that says that nothing is missing, which is said once", async () => {
    const logged: unknown[] = [];
    const contract = createContract({
      logger: (fields, message) => {
        if ("finish_reason" in fields) logged.push([fields, message]);
      },
    });
    const statuses: unknown[] = [];
    const reasons = ["error", "tool_calls", "error", "length", undefined, null, null, "stop"];
    for (const [index, finishReason] of reasons.entries()) {
      const call = { id: `call_${index}`, name: "pay", arguments: "" };
      const context = { conversationId: `thread-${index}`, tools: [PAY], execute: () => "paid" };
      const { status, result } = await contract.handle(call, { ...context, finishReason });
      statuses.push([finishReason, status]);
      if (status === "rejected") expect(result.content).toMatch(CUT);
    }
    expect(statuses).toEqual([
      ["error", "rejected"],
      ["tool_calls", "executed"],
      ["error", "rejected"],
      ["length", "rejected"],
      [undefined, "executed"],
      [null, "rejected"],
      [null, "rejected"],
      ["stop", "executed"],
    ]);
    const message =
      "Finish reason is not known to mean that the output is whole: a call without arguments did not run";
    expect(logged).toEqual([
      [{ level: "warn", package: "core", finish_reason: "error" }, message],
      [{ level: "warn", package: "core", finish_reason: null }, message],
    ]);
  });

  test("only the last call of a message is in doubt", async () => {
    const calls = ["a", "b"].map((id) => ({ id, name: "pay", arguments: "" }));
    const context = { conversationId: "thread-7", tools: [PAY], execute: () => "paid" };
    const contract = createContract({ logger: false });
    const handled = await contract.handleTurn(calls, { ...context, finishReason: "cancelled" });
    expect(handled.map(({ status }) => status)).toEqual(["executed", "rejected"]);
  });

  test("count as attempts and escalate like any other fault", async () => {
    const contract = createContract({ logger: () => undefined });
    const statuses: string[] = [];
    for (const turnId of ["1", "2", "3"]) {
      const answer = await contract.admit(
        { id: `call_${turnId}`, name: "pay", arguments: '{"to":"bob","amount":10' },
        { conversationId: "thread-7", turnId, tools: [PAY] },
      );
      statuses.push(answer.status);
    }
    expect(statuses).toEqual(["rejected", "rejected", "blocked"]);
    expect(contract.metrics().byCode).toEqual({ "VAL-011": 3 });
  });
});
