import { createContract, ToolContractError } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { type GuardrailsConfig, guardrailsFrom } from "./config.ts";
import { type Guardrail, type GuardrailsOptions, slotStore } from "./index.ts";

const TOOL = { name: "add_item", inputSchema: { properties: { qty: { type: "integer" } } } };
const CALL = { id: "call_1", name: "add_item", arguments: { qty: 9 } };

const IN_STOCK = {
  name: "in_stock",
  allow: "args.qty <= 5",
  message: "the order exceeds the stock",
  hint: "lower qty",
  fieldPath: "/qty",
} as const;
const SOLD_OUT = { name: "sold_out", deny: "true", message: "sold out" } as const;
const inCode = (name: string): Guardrail => ({ name, check: () => "not on Sundays" });

async function answer(config: GuardrailsConfig, options?: Partial<GuardrailsOptions<unknown>>) {
  const guardrails = guardrailsFrom(config, options);
  const contract = createContract({ guardrails, logger: false });
  const context = { tool: TOOL, conversationId: "thread-7", execute: () => "added" };
  const { result, status } = await contract.handle(CALL, context);
  return { status, text: result.content, type: result.outcome?.error_type };
}

describe("the guardrails of a file", () => {
  test("a rule refuses a call in its words, and the model can correct it", async () => {
    expect((await answer({ rules: [IN_STOCK] })).text).toBe(
      `Guardrail failed for tool 'add_item' (attempt 1/3):

Errors:
• /qty (GRD-001): the order exceeds the stock
  Hint: lower qty

Correct these and call 'add_item' again with all arguments.`,
    );
  });

  test("a rule with a reason closes the tool", async () => {
    const rules = [{ ...SOLD_OUT, reason: "unsupported_capability" } as const];
    expect(await answer({ rules })).toMatchObject({
      status: "blocked",
      type: "unsupported_capability",
    });
  });

  test("no policy permits the call", async () => {
    const cedar = [{ name: "cedar", policies: "forbid(principal, action, resource);" }];
    expect(await answer({ cedar })).toMatchObject({
      status: "blocked",
      type: "unsupported_capability",
    });
  });

  test("those of code come after those of the file", async () => {
    const { text } = await answer(
      { rules: [SOLD_OUT, { ...SOLD_OUT, name: "closed", message: "closed" }] },
      { guardrails: [inCode("sunday")] },
    );
    expect(text.match(/GRD-001\): .*/g)).toEqual([
      "GRD-001): sold out",
      "GRD-001): closed",
      "GRD-001): not on Sundays",
    ]);
  });

  test.each<readonly [string, GuardrailsConfig, Partial<GuardrailsOptions<unknown>>, string]>([
    ["the file's", { budgets: { guardrail: 0 } }, {}, "attempt 1/1"],
    ["the code's", { budgets: { guardrail: 0 } }, { budgets: { guardrail: 4 } }, "attempt 1/5"],
    [
      "both, for different lanes",
      { budgets: { guardrail: 3 } },
      { budgets: { outcome: 0 } },
      "attempt 1/4",
    ],
    ["none", {}, {}, "attempt 1/3"],
  ])("budgets: %s", async (_, config, options, shown) => {
    const rules = [SOLD_OUT];
    expect((await answer({ ...config, rules }, options)).text).toContain(shown);
  });

  test("effects and locks of code override those of the file, tool by tool", () => {
    const commit = { ...SOLD_OUT, stage: "commit", tools: ["pay"] } as const;
    const effects = { pay: "irreversible", read: "none" } as const;
    expect(() => guardrailsFrom({ rules: [commit], effects })).toThrow(/'pay' is irreversible/);
    const options = { effects: { pay: "compensable" }, store: slotStore({ cart: 1 }) } as const;
    const locks = { read: ["stock"] };
    expect(() => guardrailsFrom({ effects, locks }, options)).toThrow(
      /'stock', which is not a slot/,
    );
    expect(
      guardrailsFrom({ rules: [commit], effects, locks }, { ...options, locks: { read: [] } }).name,
    ).toBe("guardrails");
  });

  test("a policy at commit is judged by the effects of the file and of code", () => {
    const rules = [{ ...SOLD_OUT, stage: "commit" } as const];
    expect(() => guardrailsFrom({ rules })).toThrow(/for every tool, and no effect is declared/);
    expect(guardrailsFrom({ rules }, { effects: { pay: "state" } }).name).toBe("guardrails");
    const options = { effects: { pay: "compensable" } } as const;
    expect(guardrailsFrom({ rules, effects: { pay: "irreversible" } }, options).name).toBe(
      "guardrails",
    );
  });

  test.each<readonly [string, GuardrailsConfig, Partial<GuardrailsOptions<unknown>>, RegExp]>([
    [
      "a name that code has too",
      { rules: [SOLD_OUT] },
      { guardrails: [inCode("sold_out")] },
      /two guardrails are called 'sold_out'/,
    ],
    ["locks without a store", { locks: { pay: [] } }, {}, /`locks` needs a `store`/],
    [
      "an expression that is not CEL",
      { rules: [{ ...SOLD_OUT, deny: "1 >" }] },
      {},
      /celGuardrail 'sold_out': the expression is not valid: line 1, column 4/,
    ],
  ])("a mistake of the program: %s", (_, config, options, message) => {
    const create = () => guardrailsFrom(config, options);
    expect(create).toThrow(message);
    try {
      create();
    } catch (thrown) {
      expect(ToolContractError.isInstance(thrown)).toBe(true);
    }
  });
});
