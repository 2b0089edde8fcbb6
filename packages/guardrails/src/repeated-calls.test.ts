import { type ContractOptions, createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type GuardrailsOptions, Outcome, createGuardrails } from "./index.ts";

/** Nine equal payments of one message. */
async function payNine(
  options: Partial<GuardrailsOptions<unknown>>,
  contractOptions: ContractOptions = {},
  end: () => unknown = () => "paid",
) {
  const guardrails = createGuardrails({ guardrails: [], ...options });
  const contract = createContract({ guardrails, logger: false, ...contractOptions });
  let runs = 0;
  const calls = Array.from({ length: 9 }, (_, index) => ({
    id: `call_${index}`,
    name: "pay",
    arguments: { amount: 7 },
  }));
  const turn = async (context: object = {}) =>
    contract.handleTurn(calls, {
      tools: [{ name: "pay" }],
      conversationId: "t",
      runId: "r",
      turnId: "1",
      execute: () => ((runs += 1), end()),
      ...context,
    });
  return { guardrails, calls, answers: await turn(), turn, runs: () => runs };
}

const spending = {
  limits: { money: { max: 20 } },
  spends: { pay: ({ args }: { args: { amount: number } }) => ({ money: args.amount }) },
};

describe("nine equal calls of one message", () => {
  test.each<[string, Partial<GuardrailsOptions<unknown>>, number]>([
    ["irreversible", { effects: { pay: "irreversible" } }, 1],
    ["that spends", { effects: { pay: "none" }, ...spending }, 1],
    ["undeclared that spends", spending, 1],
    ["idempotent that spends", { effects: { pay: "idempotent" }, ...spending }, 1],
    ["idempotent", { effects: { pay: "idempotent" } }, 9],
    ["compensable", { effects: { pay: "compensable" } }, 9],
    ["none", { effects: { pay: "none" } }, 9],
    ["undeclared", {}, 9],
  ])("of a tool %s run %3$s times", async (_, options, times) => {
    const { answers, calls, runs } = await payNine(options);
    expect(runs()).toBe(times);
    expect(answers.map(({ result }) => [result.toolCallId, result.content])).toEqual(
      calls.map(({ id }) => [id, "paid"]),
    );
  });

  test("are nine payments, if they shall run", async () => {
    const limits = { money: { max: 100 } };
    const { runs, guardrails } = await payNine({ ...spending, limits }, { repeatedCalls: "run" });
    expect(runs()).toBe(9);
    expect(await guardrails.usage("money", { conversationId: "t" })).toMatchObject({ spent: 63 });
  });

  test("spend once", async () => {
    const { guardrails } = await payNine(spending);
    expect(await guardrails.usage("money", { conversationId: "t" })).toMatchObject({ spent: 7 });
  });

  test.each<[string, () => unknown, string]>([
    ["fails", () => Outcome.error("closed", "The bank is closed"), "closed"],
    [
      "throws",
      () => {
        throw new Error("reset");
      },
      "nobody knows what it has done",
    ],
  ])("read the one failure if it %s", async (_, end, says) => {
    const { answers, runs, calls } = await payNine({ effects: { pay: "irreversible" } }, {}, end);
    expect(runs()).toBe(1);
    expect(answers.map(({ result }) => result.content)).toEqual(
      calls.map(() => expect.stringContaining(says)),
    );
    expect(answers.map(({ result }) => result.toolCallId)).toEqual(calls.map(({ id }) => id));
  });

  test("need one grant", async () => {
    const { guardrails, answers, turn, runs } = await payNine({
      effects: { pay: "irreversible" },
      guardrails: [{ name: "sure", check: () => ({ ask: "sure?" }) }],
    });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => "ask"));
    const [first] = answers;
    if (first?.status !== "ask") throw new Error("nobody was asked");
    const grant = await guardrails.grant(first.request, { by: "op", expiresIn: 60_000 });
    const again = await turn({ context: { grants: [grant] } });
    expect(again.map(({ result }) => result.content)).toEqual(again.map(() => "paid"));
    expect(runs()).toBe(1);
  });

  test("that the tool makes itself are others", async () => {
    const guardrails = createGuardrails({ guardrails: [], effects: { pay: "irreversible" } });
    const contract = createContract({ guardrails, logger: false });
    const ran: string[] = [];
    const pay = async (id: string, more?: string): Promise<string> => {
      const call = { id, name: "pay", arguments: { amount: 7 } };
      const place = { tool: { name: "pay" }, conversationId: "t", turnId: "1" };
      const execute = async (): Promise<string> => {
        ran.push(id);
        return more === undefined ? "paid" : pay(more);
      };
      return (await contract.handle(call, { ...place, execute })).result.content;
    };
    expect(await pay("outer", "inner")).toBe("paid");
    expect(ran).toEqual(["outer", "inner"]);
  });
});
