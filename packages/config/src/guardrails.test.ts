import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createContract } from "@toolcontract/core";
import { slotStore } from "@toolcontract/guardrails";
import { guardrailsFrom } from "@toolcontract/guardrails/config";
import { describe, expect, test } from "vitest";
import { createProject, FILE } from "./testing/project.ts";

const FULL = `tools:
  guardrails:
    budgets: { guardrail: 1, outcome: 0 }
    effects:
      add_item: state
      refund: idempotent
    locks:
      add_item: [stock]
    rules:
      - name: in_stock
        tools: [add_item]
        allow: args.qty <= state.stock
        message: the order exceeds the stock
        hint: lower qty
        field_path: /qty
      - name: no_gifts
        stage: commit
        deny: result == 'gift'
        message: gifts are not sold
        reason: unsupported_capability
        tools: [add_item]
    cedar:
      - policies: policies/refunds.cedar
        tools: [refund]
`;
const CEDAR = `@message("the refund is too large") @correction("refund at most 500") @fieldPath("/amount")
forbid (principal, action == Action::"refund", resource) when { context.args.amount > 500 };
permit (principal, action, resource);
`;
const CEDAR_FILE = "repo/.agent/policies/refunds.cedar";
const guardrails = (value: unknown): string => JSON.stringify({ tools: { guardrails: value } });

describe("a file", () => {
  test("may name a tool by what is not a string", () => {
    const effects = "{ 5: none, null: state, 1e1: none, true: none }";
    const { load } = createProject({ [FILE]: `tools: { guardrails: { effects: ${effects} } }` });
    expect(load().guardrails).toEqual({
      effects: { "5": "none", null: "state", "1e1": "none", true: "none" },
    });
  });

  test("is handed through as data, with where each entry is set", () => {
    const { load, folder } = createProject({ [FILE]: FULL, [CEDAR_FILE]: CEDAR });
    const config = load();
    expect(config.options).toEqual({});
    expect(config.guardrails).toEqual({
      budgets: { guardrail: 1, outcome: 0 },
      effects: { add_item: "state", refund: "idempotent" },
      locks: { add_item: ["stock"] },
      rules: [
        {
          name: "in_stock",
          tools: ["add_item"],
          allow: "args.qty <= state.stock",
          message: "the order exceeds the stock",
          hint: "lower qty",
          fieldPath: "/qty",
        },
        {
          name: "no_gifts",
          tools: ["add_item"],
          stage: "commit",
          deny: "result == 'gift'",
          message: "gifts are not sold",
          reason: "unsupported_capability",
        },
      ],
      cedar: [
        { name: "cedar", tools: ["refund"], path: join(folder, CEDAR_FILE), policies: CEDAR },
      ],
    });
    const at = (line: number, column: number) => {
      return { layer: "cwd", file: join(folder, FILE), line, column };
    };
    expect(config.origins).toEqual({
      "/tools/guardrails/budgets/guardrail": at(3, 27),
      "/tools/guardrails/budgets/outcome": at(3, 39),
      "/tools/guardrails/effects/add_item": at(5, 17),
      "/tools/guardrails/effects/refund": at(6, 15),
      "/tools/guardrails/locks/add_item": at(8, 17),
      "/tools/guardrails/rules/in_stock": at(10, 9),
      "/tools/guardrails/rules/no_gifts": at(16, 9),
      "/tools/guardrails/cedar/cedar": at(23, 9),
    });
  });

  test("becomes the guardrails of a contract, which refuse a call", async () => {
    const { load } = createProject({ [FILE]: FULL, [CEDAR_FILE]: CEDAR });
    const { options, guardrails: fromFile } = load();
    const contract = createContract({
      ...options,
      guardrails: guardrailsFrom(fromFile, { store: slotStore({ stock: 5 }) }),
      logger: false,
    });
    const call = async (name: string, args: object) => {
      const made = { id: JSON.stringify(args), name, arguments: args };
      const number = { type: "integer" };
      const tool = { name, inputSchema: { properties: { qty: number, amount: number } } };
      const context = { tool, conversationId: "thread-7", turnId: made.id };
      const { result } = await contract.handle(made, { ...context, execute: () => "done" });
      return result.content;
    };
    expect(await call("add_item", { qty: 9 }))
      .toBe(`Guardrail failed for tool 'add_item' (attempt 1/2):

Errors:
• /qty (GRD-001): the order exceeds the stock
  Hint: lower qty

Correct these and call 'add_item' again with all arguments.`);
    expect(await call("add_item", { qty: 5 })).toBe("done");
    expect(await call("refund", { amount: 501 }))
      .toBe(`Guardrail failed for tool 'refund' (attempt 1/2):

Errors:
• /amount (GRD-001): the refund is too large
  Hint: refund at most 500

Correct these and call 'refund' again with all arguments.`);
    expect(await call("refund", { amount: 500 })).toBe("done");
  });

  test.each([
    ["no file", undefined],
    ["a section without members", "tools: { guardrails: }"],
    [
      "lists and mappings whose members are commented out",
      "tools: { guardrails: { rules: , effects: } }",
    ],
  ])("%s sets nothing", (_, text) => {
    const { load } = createProject(text === undefined ? {} : { [FILE]: text });
    expect(load().guardrails).toEqual({});
  });

  test("strings are not expanded: a model reads some, and others are code", () => {
    const rule = { name: "r", allow: "args.a == '${HOME}'", message: "use ${HOME}" };
    const { load } = createProject({ [FILE]: guardrails({ rules: [rule] }) });
    expect(load({ env: { HOME: "/root" } }).guardrails.rules).toEqual([rule]);
  });
});

test("layers: the higher one wins for each budget, tool and name, and its policies come first", () => {
  const rule = (name: string, allow: string) => ({ name, allow, message: "m" });
  const { load, folder } = createProject({
    "etc/agent/config.yml": guardrails({
      budgets: { guardrail: 5, outcome: 5 },
      effects: { pay: "irreversible", read: "none" },
      locks: { read: [] },
      rules: [rule("a", "1 == 1"), rule("b", "2 == 2")],
      cedar: [{ name: "c", policies: "all.cedar" }, { policies: "all.cedar" }],
    }),
    "etc/agent/all.cedar": "permit(principal, action, resource);",
    "home/.agent/config.yml": guardrails({ budgets: { outcome: 4 }, effects: { read: "state" } }),
    [FILE]: guardrails({
      effects: { pay: "idempotent" },
      locks: { pay: ["cart"] },
      rules: [rule("d", "4 == 4"), rule("b", "3 == 3"), rule("c", "5 == 5")],
    }),
  });
  const { guardrails: merged, origins } = load();
  expect(merged).toEqual({
    budgets: { guardrail: 5, outcome: 4 },
    effects: { pay: "idempotent", read: "state" },
    locks: { read: [], pay: ["cart"] },
    rules: [rule("d", "4 == 4"), rule("b", "3 == 3"), rule("c", "5 == 5"), rule("a", "1 == 1")],
    cedar: [
      {
        name: "cedar",
        path: join(folder, "etc/agent/all.cedar"),
        policies: "permit(principal, action, resource);",
      },
    ],
  });
  const layerOf = (key: string): unknown => origins[`/tools/guardrails/${key}`]?.layer;
  expect(["budgets/guardrail", "budgets/outcome", "effects/pay", "rules/b"].map(layerOf)).toEqual([
    "system",
    "home",
    "cwd",
    "cwd",
  ]);
  expect(origins).not.toHaveProperty("/tools/guardrails/cedar/c");
});

interface Row {
  readonly name: string;
  readonly text: string;
  readonly faults: readonly object[];
}

const below = (text: string): string => `tools:\n  guardrails:\n    ${text}\n`;
const rules = (...lines: readonly string[]): string =>
  below(["rules:", "  - name: a", "    message: m", ...lines].join("\n    "));

const ROWS: readonly Row[] = [
  {
    name: "an unknown section",
    text: below("effect: { pay: none }"),
    faults: [
      {
        line: 3,
        column: 5,
        path: "/tools/guardrails/effect",
        code: "VAL-005",
        hint: 'rename it to "effects"',
      },
    ],
  },
  {
    name: "a setting of the contract",
    text: below("max_attempts: 3"),
    faults: [{ line: 3, column: 5, code: "VAL-005" }],
  },
  {
    name: "what only code can set",
    text: below("state_changes: {}"),
    faults: [{ line: 3, code: "VAL-005", hint: "pass `stateChanges` to guardrailsFrom in code" }],
  },
  {
    name: "guardrails below validation",
    text: "tools: { validation: { guardrails: {} } }",
    faults: [{ line: 1, column: 24, code: "VAL-005", hint: "the key is tools.guardrails" }],
  },
  {
    name: "an unknown effect",
    text: below("effects: { pay: once, read: none }"),
    faults: [
      {
        line: 3,
        column: 21,
        path: "/tools/guardrails/effects/pay",
        code: "VAL-008",
        expected: 'one of "none", "state", "idempotent", "compensable", "irreversible"',
        actual: '"once"',
      },
    ],
  },
  {
    name: "a budget that is not a whole number, and an unknown lane",
    text: below("budgets: { guardrail: -1, outcom: 1 }"),
    faults: [
      { line: 3, column: 27, code: "VAL-003", actual: "-1" },
      { line: 3, column: 31, code: "VAL-005", hint: 'rename it to "outcome"' },
    ],
  },
  {
    name: "tools whose names are not shown",
    text: below(
      'effects: { "a b": once, "x.y": none, "mcp.z/1": 3 }\n    locks: { "a b": [], "x.y": [cart, 2] }',
    ),
    faults: [
      { line: 3, column: 23, code: "VAL-008", actual: '"once"' },
      { line: 3, column: 53, code: "VAL-002", actual: "3" },
      { line: 4, column: 39, code: "VAL-002", actual: "2" },
    ],
  },
  {
    name: "a slot in place of a list of slots",
    text: below("locks: { pay: cart }"),
    faults: [{ line: 3, column: 19, path: "/tools/guardrails/locks/pay", code: "VAL-002" }],
  },
  {
    name: "rules by name in place of a list",
    text: below("rules: { a: { allow: 'true', message: m } }"),
    faults: [{ line: 3, column: 12, path: "/tools/guardrails/rules", code: "VAL-002" }],
  },
  {
    name: "a rule without an expression",
    text: rules(),
    faults: [
      {
        line: 4,
        column: 9,
        path: "/tools/guardrails/rules/0",
        code: "VAL-013",
        expected: "object with allow, or with deny",
      },
    ],
  },
  {
    name: "a rule with two",
    text: rules("    allow: 'true'", "    deny: 'true'"),
    faults: [{ line: 4, column: 9, code: "VAL-014", expected: "only one of allow, deny" }],
  },
  {
    name: "a rule that lacks its words, and one with a key as in code",
    text: below(
      "rules:\n      - allow: 'true'\n      - { name: b, message: m, deny: 'true', fieldPath: /a }",
    ),
    faults: [
      { line: 4, column: 9, path: "/tools/guardrails/rules/0/message", code: "VAL-001" },
      { line: 4, column: 9, path: "/tools/guardrails/rules/0/name", code: "VAL-001" },
      { line: 5, column: 46, code: "VAL-005", hint: 'rename it to "field_path"' },
    ],
  },
  {
    name: "a reason that closes no tool",
    text: rules("    deny: 'true'", "    reason: too_late"),
    faults: [{ line: 7, column: 17, path: "/tools/guardrails/rules/0/reason", code: "VAL-008" }],
  },
  {
    name: "an expression that is not CEL, in a list with one that is",
    text: rules(
      "    allow: args.qty <= ]",
      "  - { name: b, message: m, allow: args.a }",
      "  - { name: c, message: m, deny: arg.qty > 1 }",
    ),
    faults: [
      {
        line: 6,
        column: 16,
        path: "/tools/guardrails/rules/0/allow",
        code: "invalid-policy",
        message: "Invalid CEL expression, line 1, column 13: Unexpected token: RBRACKET",
      },
      {
        line: 8,
        column: 38,
        path: "/tools/guardrails/rules/2/deny",
        code: "invalid-policy",
        message: "Invalid CEL expression, line 1, column 1: Unknown variable: arg",
      },
    ],
  },
  {
    name: "two guardrails with the same name",
    text: rules(
      "    allow: 'true'",
      "  - { name: a, message: m, allow: 'true' }",
      "cedar: [{ name: a, policies: ok.cedar }]",
    ),
    faults: [
      {
        line: 7,
        column: 17,
        path: "/tools/guardrails/rules/1/name",
        code: "duplicate-name",
        message: "Another guardrail of this file has this name",
        hint: "rename one of them; the other one is on line 4",
      },
      { line: 8, column: 21, path: "/tools/guardrails/cedar/0/name", code: "duplicate-name" },
    ],
  },
  {
    name: "two Cedar files without a name",
    text: below("cedar: [{ policies: ok.cedar }, { policies: ok.cedar }]"),
    faults: [{ line: 3, column: 37, path: "/tools/guardrails/cedar/1", code: "duplicate-name" }],
  },
  {
    name: "a Cedar file that is not there",
    text: below("cedar: [{ policies: no.cedar, schema: dir }]"),
    faults: [
      {
        line: 3,
        column: 25,
        path: "/tools/guardrails/cedar/0/policies",
        code: "unreadable-file",
        message: "The file of Cedar's policies can't be read: there is no such file",
      },
      {
        line: 3,
        column: 43,
        code: "unreadable-file",
        message: "The file of Cedar's schema can't be read: it is not a file",
      },
    ],
  },
  {
    name: "a Cedar file whose schema alone is not there",
    text: below("cedar: [{ policies: ok.cedar, schema: none }]"),
    faults: [{ path: "/tools/guardrails/cedar/0/schema", code: "unreadable-file" }],
  },
];

describe("faults", () => {
  test.each(ROWS)("$name", ({ text, faults }) => {
    const { error, folder } = createProject({
      [FILE]: text,
      "repo/.agent/ok.cedar": "permit(principal, action, resource);",
    });
    mkdirSync(join(folder, "repo/.agent/dir"));
    expect(error().faults).toMatchObject(faults);
    expect(error().faults).toHaveLength(faults.length);
  });

  test.each([
    [
      "policies",
      "permit(principal, action, resource);\nforbid(principal, action resource);",
      "entity User; action x appliesTo { principal: User, resource: User };",
      {
        line: 2,
        column: 26,
        message: expect.stringMatching(/^Invalid Cedar policies: unexpected token `resource`/),
      },
    ],
    [
      "schema",
      "permit(principal, action, resource);",
      "entity User;\nentity;",
      { line: 2, column: 7 },
    ],
    [
      "policies",
      "",
      "entity User;",
      {
        line: 1,
        column: 1,
        message: expect.stringMatching(/^Invalid Cedar policies: there is no policy/),
      },
    ],
  ])("a fault in Cedar's %s is one of that file: %j", (part, policies, schema, fault) => {
    const { error, folder } = createProject({
      [FILE]: below("cedar: [{ policies: a.policies, schema: a.schema }]"),
      "repo/.agent/a.policies": policies,
      "repo/.agent/a.schema": schema,
    });
    expect(error().faults).toMatchObject([
      { file: join(folder, `repo/.agent/a.${part}`), path: "", code: "invalid-policy", ...fault },
    ]);
  });

  describe("a policy that runs at commit", () => {
    const EFFECTS =
      "say in tools.guardrails.effects what its tools do; before irreversible ones, check with stage: validate";
    const CEDAR_AT_COMMIT = "cedar: [{ policies: ok.cedar, stage: commit, tools: [pay] }]";

    test.each([
      [
        "without effects",
        rules("    stage: commit", "    allow: 'true'"),
        { line: 6, column: 16, path: "/tools/guardrails/rules/0/stage" },
        "The policy runs at commit for every tool, and no effect is declared, so nothing could be undone",
      ],
      [
        "without the effect of one of its tools",
        rules(
          "    stage: commit",
          "    tools: [pay, add]",
          "    allow: 'true'",
          "effects: { add: state }",
        ),
        { line: 6, column: 16 },
        "The policy runs at commit, and 'pay' has no declared effect, so it could not be undone",
      ],
      [
        "before an irreversible tool",
        rules("    stage: commit", "    allow: 'true'", "effects: { pay: irreversible }"),
        { line: 6, column: 16 },
        "The policy runs at commit for every tool, and 'pay' is irreversible, so it could not be undone",
      ],
      [
        "in Cedar",
        below(CEDAR_AT_COMMIT),
        { line: 3, column: 42, path: "/tools/guardrails/cedar/0/stage" },
        "The policy runs at commit, and 'pay' has no declared effect, so it could not be undone",
      ],
    ])("%s is a fault", (_, text, place, message) => {
      const { error, folder } = createProject({
        [FILE]: text,
        "repo/.agent/ok.cedar": "permit(principal, action, resource);",
      });
      expect(error().faults).toEqual([
        {
          layer: "cwd",
          file: join(folder, FILE),
          path: "/tools/guardrails/rules/0/stage",
          ...place,
          code: "invalid-policy",
          message,
          hint: EFFECTS,
        },
      ]);
    });

    test("of one layer is judged by the effects of all", () => {
      const files = {
        "etc/agent/config.yml": rules("    stage: commit", "    allow: 'true'"),
        "home/.agent/config.yml": below("effects: { pay: state }"),
      };
      expect(createProject(files).load().guardrails.effects).toEqual({ pay: "state" });
      const { error, folder } = createProject({
        ...files,
        [FILE]: below("effects: { pay: irreversible }"),
      });
      expect(error().faults).toMatchObject([
        { layer: "system", file: join(folder, "etc/agent/config.yml"), line: 6 },
      ]);
    });

    test.each([
      ["another one of its name", rules("    allow: 'true'")],
      ["a fault in the effects", below("effects: { pay: once }")],
      ["a file that cannot be read", "tools: ["],
    ])("is not reported beside %s", (_, text) => {
      const { load, folder } = createProject({
        "etc/agent/config.yml": rules("    stage: commit", "    allow: 'true'"),
        [FILE]: text,
      });
      try {
        load();
      } catch (thrown) {
        const { faults } = thrown as { readonly faults: readonly { readonly file: string }[] };
        expect(faults.map(({ file }) => file)).toEqual([join(folder, FILE)]);
      }
    });

    test("becomes a guardrail if the effects are there", () => {
      const text = rules(
        "    stage: commit",
        "    allow: 'true'",
        "effects: { pay: compensable }",
        CEDAR_AT_COMMIT,
      );
      const { load } = createProject({
        [FILE]: text,
        "repo/.agent/ok.cedar": "permit(principal, action, resource);",
      });
      expect(guardrailsFrom(load().guardrails).name).toBe("guardrails");
    });
  });

  test("all of them are in one error, also those of values", () => {
    const { error } = createProject({
      [FILE]: `tools:
  validation: { retry: { max_attempts: 0 } }
  guardrails:
    effects: { pay: once }
    rules:
      - { name: a, message: m, allow: 1 > }
`,
    });
    expect(error().message).toBe(`Invalid configuration (3 errors):

• .agent/config.yml:2:40 /tools/validation/retry/max_attempts (VAL-003): Value out of range
  Expected: integer at least 1
  Actual: 0
• .agent/config.yml:4:21 /tools/guardrails/effects/pay (VAL-008): Invalid enum value
  Expected: one of "none", "state", "idempotent", "compensable", "irreversible"
  Actual: "once"
• .agent/config.yml:6:39 /tools/guardrails/rules/0/allow (invalid-policy): Invalid CEL expression, line 1, column 4: Unexpected token: EOF`);
  });
});

test.each([
  ["tools: { guardrail: {} }", "/tools/guardrail", 'rename it to "guardrails"'],
  ["tools: { validation: {}, guardrials: {} }", "/tools/guardrials", 'rename it to "guardrails"'],
  ["tools: { guardrails: {}, validations: {} }", "/tools/validations", 'rename it to "validation"'],
  ["guardrails: {}", "/guardrails", "move it below tools"],
])("a key that looks as if it was meant: %s", (text, path, hint) => {
  const { error } = createProject({ [FILE]: text });
  expect(error().faults).toMatchObject([{ code: "VAL-005", path, hint }]);
});
