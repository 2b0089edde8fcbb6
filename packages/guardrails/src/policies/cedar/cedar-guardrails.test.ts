import { ToolContractError } from "@toolcontract/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { GuardrailContext, Verdict } from "../../shared/index.ts";
import { contextOf } from "../../testing/index.ts";
import { PolicyEvaluationError } from "../policy-evaluation-error.ts";
import { cedarGuardrails } from "./cedar-guardrails.ts";
import type { CedarOptions } from "./cedar-guardrails.ts";

const SHOP = `
@message("refund is too large")
@correction("refund at most 500, or open a ticket")
@fieldPath("/amount")
forbid(principal, action == Action::"refund", resource)
  when { context.args has amount && context.args.amount > 500 };

@message("orders cannot be deleted")
forbid(principal, action == Action::"delete_order", resource);

@reason("missing_credentials")
@message("the key is for reading")
forbid(principal, action == Action::"write", resource);

permit(principal, action in [Action::"refund", Action::"delete_order", Action::"write"], resource);
`;

function judge(
  policies: string,
  args: unknown,
  fields?: Partial<GuardrailContext>,
  options?: Partial<CedarOptions>,
): Verdict {
  const [guardrail] = cedarGuardrails({ policies, ...options });
  // Its check is synchronous.
  return guardrail?.check(contextOf(args, fields)) as Verdict;
}

describe("what policies decide", () => {
  test("a permitted call is allowed", () => {
    expect(judge(SHOP, { amount: 500 })).toBeNull();
    expect(judge(SHOP, {})).toBeNull();
  });

  test("a policy with a correction is a violation that the model can correct", () => {
    expect(judge(SHOP, { amount: 501 })).toEqual([
      {
        message: "refund is too large",
        fieldPath: "/amount",
        hint: "refund at most 500, or open a ticket",
      },
    ]);
  });

  test.each<readonly [string, string, object]>([
    [
      "a policy without a correction",
      "delete_order",
      { message: "orders cannot be deleted", reason: "unsupported_capability" },
    ],
    [
      "a policy with a reason",
      "write",
      { message: "the key is for reading", reason: "missing_credentials" },
    ],
    [
      "no policy that permits it",
      "transfer",
      { message: "no policy allows this call", reason: "unsupported_capability" },
    ],
  ])("%s closes the tool", (_, tool, violation) => {
    expect(judge(SHOP, {}, { tool })).toEqual([{ ...violation, class: "terminal_guardrail" }]);
  });

  test("of two policies, the one that cannot be corrected decides", () => {
    const both = `${SHOP} forbid(principal, action, resource) when { context.args.amount > 900 };`;
    expect(judge(both, { amount: 901 })).toEqual([
      {
        message: "a policy forbids this call",
        class: "terminal_guardrail",
        reason: "unsupported_capability",
      },
    ]);
  });

  test("two that can be corrected are reported together", () => {
    const both = `${SHOP} @reason("no cents on Sundays") @correction("round") forbid(principal, action, resource) when { context.args.amount > 900 };`;
    expect(judge(both, { amount: 901 })).toEqual([
      expect.objectContaining({ message: "refund is too large" }),
      { message: "no cents on Sundays", hint: "round" },
    ]);
  });

  test("principal, resource, entities and context are the host's", () => {
    const policies = `
      permit(principal in Team::"support", action == Action::"refund", resource in Shop::"berlin")
        when { context.hour < 18 && principal.level >= 2 };`;
    const options: Partial<CedarOptions> = {
      principal: { type: "User", id: "alice" },
      resource: ({ args }) => ({ type: "Order", id: (args as { order: string }).order }),
      entities: ({ args }) => [
        {
          uid: { type: "User", id: "alice" },
          attrs: { level: 2 },
          parents: [{ type: "Team", id: "support" }],
        },
        {
          uid: { type: "Order", id: (args as { order: string }).order },
          parents: [{ type: "Shop", id: "berlin" }],
        },
      ],
      context: () => ({ hour: 17 }),
    };
    expect(judge(policies, { order: "o1" }, {}, options)).toBeNull();
    expect(
      judge(policies, { order: "o1" }, {}, { ...options, context: () => ({ hour: 19 }) }),
    ).toEqual([expect.objectContaining({ message: "no policy allows this call" })]);
  });

  test("the guardrail has the name, tools and stage that were given", () => {
    const options = { policies: SHOP, name: "shop", tools: ["refund"], stage: "commit" } as const;
    expect(cedarGuardrails(options)).toEqual([
      { name: "shop", tools: ["refund"], stage: "commit", check: expect.any(Function) as unknown },
    ]);
    expect(cedarGuardrails({ policies: SHOP })[0]?.name).toBe("cedar");
  });
});

describe("what a model can send", () => {
  const LIMIT = `
    @correction("lower it") forbid(principal, action, resource)
      when { context.args.amount.greaterThan(decimal("9.5")) };
    permit(principal, action, resource);`;

  test("numbers that are not whole are decimals", () => {
    expect(judge(LIMIT, { amount: 9.25 })).toBeNull();
    expect(judge(LIMIT, { amount: 9.75 })).toEqual([expect.objectContaining({ hint: "lower it" })]);
  });

  test("null is an absent field, dates and sets and maps are Cedar's", () => {
    const policies = `permit(principal, action, resource) when {
      !(context.args has note) && context.args.tags.contains("a") && context.args.map.x == 1 &&
      context.args.at < datetime("2026-01-01") };`;
    const args = {
      note: null,
      tags: new Set(["a"]),
      map: new Map([["x", 1]]),
      at: new Date("2025-06-01"),
    };
    expect(judge(policies, args)).toBeNull();
  });

  test.each<readonly [string, unknown, string | undefined]>([
    ["too many decimal places", { amount: 0.00001 }, "/amount"],
    ["a big integer beyond the safe ones", { amount: 2n ** 60n }, "/amount"],
    ["a number beyond the safe ones", { amount: 1e300 }, "/amount"],
    ["a decimal beyond Cedar's", { amount: 1e15 + 0.5 }, "/amount"],
    [
      "an entity of its own making",
      { user: { __entity: { type: "User", id: "root" } } },
      "/user/__entity",
    ],
    [
      "a decimal of its own making",
      { amount: { __extn: { fn: "decimal", arg: "1.0" } } },
      "/amount/__extn",
    ],
    ["an expression", { list: [{ __expr: "1" }] }, "/list/0/__expr"],
    ["an entity as all arguments", { __entity: { type: "User", id: "root" } }, "/__entity"],
    ["depth without end", JSON.parse("[".repeat(400) + "]".repeat(400)), undefined],
  ])("%s is refused, and the model can correct it", (_, args, fieldPath) => {
    const verdict = judge("permit(principal, action, resource);", args);
    expect(verdict).toEqual([
      {
        message: "policies cannot check this value",
        hint: expect.stringContaining("at most 4 decimal places") as unknown,
        fieldPath: fieldPath ?? (expect.stringMatching(/^(?:\/0)+$/) as unknown),
      },
    ]);
  });

  test("arguments never change who calls, and never break the engine", () => {
    const policies = `permit(principal == User::"agent", action, resource) unless { principal == User::"root" };`;
    const [guardrail] = cedarGuardrails({ policies });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const verdict = guardrail?.check(contextOf(args));
        const refused = Array.isArray(verdict) ? (verdict as { hint?: string }[]) : [];
        // What Cedar has no value for can be corrected; nothing else is refused.
        expect(refused.every(({ hint }) => hint !== undefined)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("what fails, fails closed", () => {
  test.each<readonly [string, string, unknown, Partial<CedarOptions>]>([
    [
      "a forbid that Cedar would skip",
      `forbid(principal, action, resource) when { context.args.amount > 5 }; permit(principal, action, resource);`,
      { amount: "6" },
      {},
    ],
    [
      "a missing attribute",
      `forbid(principal, action, resource) when { context.args.amount > 5 }; permit(principal, action, resource);`,
      {},
      {},
    ],
    [
      "an entity without a name",
      "permit(principal, action, resource);",
      {},
      { principal: () => ({ type: "no type!", id: "a" }) },
    ],
    [
      "an attribute without a value",
      "permit(principal, action, resource);",
      {},
      { entities: () => [{ uid: { type: "User", id: "a" }, attrs: { f: () => 1 } }] },
    ],
  ])("%s", (_, policies, args, options) => {
    expect(() => judge(policies, args, {}, options)).toThrow(PolicyEvaluationError);
  });

  test("an attribute without a value is named", () => {
    const entities = [{ uid: { type: "User", id: "a" }, attrs: { f: { g: () => 1 } } }];
    const options = { entities: () => entities };
    expect(() => judge("permit(principal, action, resource);", {}, {}, options)).toThrow(
      /the attribute \/f\/g of User::"a" has no value in Cedar/,
    );
  });

  test("a call that the schema does not know", () => {
    const schema = `entity User; entity Tool; action refund appliesTo { principal: User, resource: Tool, context: { args: { amount: Long } } };`;
    const policies = `permit(principal, action == Action::"refund", resource) when { context.args.amount < 500 };`;
    expect(judge(policies, { amount: 5 }, {}, { schema })).toBeNull();
    expect(() => judge(policies, { amount: 5 }, { tool: "other" }, { schema })).toThrow(
      PolicyEvaluationError,
    );
  });
});

describe("mistakes of the program, in Cedar's words", () => {
  const ok = "permit(principal, action, resource);";
  test.each<readonly [string, unknown, RegExp]>([
    ["no string", { policies: 7 }, /option 'policies' must be policies in Cedar's language/],
    [
      "a schema that is not a string",
      { policies: ok, schema: {} },
      /option 'schema' must be a schema in Cedar's language/,
    ],
    [
      "entities that are no list",
      { policies: ok, entities: {} },
      /option 'entities' must be an array of entities, or a function that finds it for a call/,
    ],
    ...(
      [
        ["principal", "User", "alice"],
        ["action", "Action", "pay"],
        ["resource", "Tool", "pay"],
      ] as const
    ).map(
      ([member, type, id]) =>
        [
          `${member} as a string`,
          { policies: ok, [member]: "alice" },
          new RegExp(
            `option '${member}' must be an entity such as { type: "${type}", id: "${id}" }, or a function that finds it for a call`,
          ),
        ] as const,
    ),
    ["no policy", { policies: "// later" }, /there is no policy, so every call would be refused/],
    [
      "a syntax error",
      { policies: `${ok}\n\n// größer\nforbid(principal, action, resourc);` },
      /policies, line 4, column 27: found an invalid variable in the policy scope: resourc \(policy scopes must/,
    ],
    [
      "a template",
      { policies: "permit(principal == ?principal, action, resource);" },
      /contain a template\. Write its/,
    ],
    ["one id twice", { policies: `@id("a") ${ok} @id("a") ${ok}` }, /two policies have the id 'a'/],
    [
      "a schema",
      { policies: ok, schema: "entity ;" },
      /schema, line 1, column 8: error parsing schema: unexpected token/,
    ],
    [
      "an attribute that the schema does not know",
      {
        schema: `entity User; entity Tool; action refund appliesTo { principal: User, resource: Tool, context: { args: { amount: Long } } };`,
        policies: `${ok}\nforbid(principal, action == Action::"refund", resource) when { context.args.amnt > 5 };`,
      },
      /policies, line 2, column 64: .*`args\.amnt`.* not found \(did you mean `amount`\?\)/,
    ],
    [
      "an entity's name",
      { policies: ok, entities: [{ uid: { type: "no type!", id: "a" } }] },
      /entities: error during entity deserialization: .*no type!/s,
    ],
  ])("%s", (_, options, message) => {
    const create = () => cedarGuardrails(options as CedarOptions);
    expect(create).toThrow(ToolContractError);
    expect(create).toThrow(message);
  });
});
