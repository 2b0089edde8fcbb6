import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import { createGuardrails, slotStore } from "./index.ts";

const check = (): null => null;
const ok = { name: "g", check };
const store = slotStore({ cart: [], stock: {} });
const whole = { state: {}, slots: undefined, begin: () => ({}) };
const g = (guardrail: object, more: object = {}): object => ({ guardrails: [guardrail], ...more });

test("with the names of the tools, a typo in any option is an error at once", () => {
  const tools = ["pay", "look"] as const;
  const typos = [
    { effects: { pya: "none" } },
    {
      effects: { pay: "irreversible" },
      guardrails: [{ name: "g", tools: ["pya"], check: () => null }],
    },
    { guardrails: [{ name: "g", watches: ["pya"], check: () => null }] },
    { limits: { b: { max: 1 } }, spends: { pya: () => ({}) } },
  ];
  for (const typo of typos) {
    expect(() => createGuardrails({ guardrails: [], tools, ...(typo as object) })).toThrow(
      "the host has no tool 'pya'. Did you mean 'pay'?",
    );
  }
  for (const wrong of ["pay", [], [1]]) {
    expect(() => createGuardrails({ guardrails: [], tools: wrong as never })).toThrow(
      "option 'tools' must be an array of the names",
    );
  }
});

const REASONS = 'an array of names of lower-case letters, digits and _, such as ["account_frozen"]';
const TIME = "a whole number of milliseconds, from 1 to 2147483647";

/** An object in which a path leads to a value. */
const nested = (path: string, value: unknown): object =>
  path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;

const NONE: readonly (readonly [string, unknown, string])[] = [
  ["no options", undefined, "the options must be an object, such as { guardrails: [ … ] }"],
  ["a list", [], "the options must be an object, such as { guardrails: [ … ] }"],
  [
    "an unknown option",
    { guardrail: [] },
    "unknown option 'guardrail'. Did you mean 'guardrails'?",
  ],
  ...(
    [
      ["budgets", { guardrails: 1 }, "guardrail"],
      ["timeLimits", { tools: 1 }, "tool"],
      ["grants", { secrets: "s" }, "secret"],
    ] as const
  ).map(
    ([bag, members, near]) =>
      [
        `a misspelt member of ${bag}`,
        { guardrails: [], [bag]: members },
        `unknown option '${bag}.${Object.keys(members)[0]}'. Did you mean '${bag}.${near}'?`,
      ] as const,
  ),
  [
    "a misspelt member of a limit",
    { guardrails: [], limits: { budget: { maxx: 1 } } },
    "unknown option 'limits.budget.maxx'. Did you mean 'limits.budget.max'?",
  ],
  [
    "an option of no kin",
    { guardrails: [], zzz: 1 },
    "unknown option 'zzz'. The options are guardrails, tools, store, effects, budgets, locks, compensate, stateChanges, classify, clock, limits, spends, ledger, grants, onGuardrailError, timeLimits, records, keepResults, terminalReasons",
  ],
  [
    "one guardrail",
    { guardrails: ok },
    "option 'guardrails' must be an array, such as [{ name: \"known_sku\", check: ({ args }) => … }]",
  ],
  [
    "a guardrail that is a function",
    g(check),
    "option 'guardrails.0' must be an object, such as { name: \"known_sku\", check }",
  ],
  [
    "a guardrail without a name",
    g({ check }),
    "guardrails[0]: option 'name' must be a name, such as \"known_sku\"",
  ],
  [
    "a blank name",
    g({ name: " ", check }),
    "guardrails[0]: option 'name' must be a name, such as \"known_sku\"",
  ],
  [
    "two of one name",
    { guardrails: [ok, ok] },
    "two guardrails are called 'g'. Their names must differ",
  ],
  [
    "no check",
    g({ name: "g" }),
    "guardrail 'g': option 'check' must be a function check({ args, state })",
  ],
  [
    "tools as a string",
    g({ ...ok, tools: "add" }),
    "guardrail 'g': option 'tools' must be an array of tool names, such as [\"add_item\"]; leave it out for all tools",
  ],
  [
    "no tools at all",
    g({ ...ok, tools: [] }),
    "guardrail 'g': option 'tools' must be an array of tool names, such as [\"add_item\"]; leave it out for all tools",
  ],
  [
    "a misspelt member",
    g({ ...ok, tool: ["add"] }),
    "guardrail 'g': unknown option 'tool'. Did you mean 'tools'?",
  ],
  [
    "an unknown stage",
    g({ ...ok, stage: "after" }),
    'guardrail \'g\': option \'stage\' must be "validate" or "commit" or "output"',
  ],
  [
    "unknown needs",
    g({ ...ok, needs: "result" }),
    "guardrail 'g': option 'needs' must be \"args\" or \"state\"",
  ],
  [
    "needs without a store",
    g({ ...ok, needs: "state" }),
    "guardrail 'g' needs the state, and there is no `store`",
  ],
  [
    "needs at commit",
    g({ ...ok, needs: "args", stage: "commit" }),
    "guardrail 'g': `needs` is for guardrails of the stage \"validate\"; leave it out",
  ],
  [
    "a hint that is not a string",
    g({ ...ok, hint: 5 }),
    "guardrail 'g': option 'hint' must be a string",
  ],
  [
    "an unknown class",
    g({ ...ok, class: "terminal" }),
    "guardrail 'g': option 'class' must be \"recoverable_guardrail\" or \"terminal_guardrail\"",
  ],
  [
    "terminal without a reason",
    g({ ...ok, class: "terminal_guardrail" }),
    "guardrail 'g' is terminal and needs a reason: missing_credentials, dependency_unavailable, unsupported_capability, or one of your own in `terminalReasons`",
  ],
  [
    "terminal with a reason of its own",
    g({ ...ok, class: "terminal_guardrail", reason: "no" }),
    "guardrail 'g': option 'reason' must be missing_credentials, dependency_unavailable, unsupported_capability, or one of your own in `terminalReasons`",
  ],
  [
    "a reason alone",
    g({ ...ok, reason: "missing_credentials" }),
    "guardrail 'g': only a terminal guardrail has a reason; add class: \"terminal_guardrail\"",
  ],
  [
    "commit on an irreversible tool",
    g({ ...ok, stage: "commit", tools: ["pay"] }, { effects: { pay: "irreversible" } }),
    "guardrail 'g' runs at commit, and 'pay' is irreversible, so it could not be undone. Check before it runs",
  ],
  [
    "commit on an undeclared tool",
    g({ ...ok, stage: "commit", tools: ["pay"] }),
    "guardrail 'g' runs at commit, and 'pay' has no declared effect, so it could not be undone. Declare effects: { pay: \"compensable\" }, or check before it runs",
  ],
  [
    "commit on a member of Object",
    g({ ...ok, stage: "commit", tools: ["toString"] }),
    "guardrail 'g' runs at commit, and 'toString' has no declared effect, so it could not be undone. Declare effects: { toString: \"compensable\" }, or check before it runs",
  ],
  [
    "commit on several undeclared tools",
    g(
      { ...ok, stage: "commit", tools: ["pay", "send-mail", "read"] },
      { effects: { read: "none" } },
    ),
    "guardrail 'g' runs at commit, and 'pay' and 'send-mail' have no declared effect, so they could not be undone. Declare effects: { pay: \"compensable\", \"send-mail\": \"compensable\" }, or check before it runs",
  ],
  [
    "commit on as many undeclared tools as a sentence holds",
    g({ ...ok, stage: "commit", tools: ["a", "b", "c", "d", "e"] }),
    "guardrail 'g' runs at commit, and 'a', 'b', 'c', 'd' and 'e' have no declared effect, so they could not be undone. Declare effects: { a: \"compensable\", b: \"compensable\", c: \"compensable\", d: \"compensable\", e: \"compensable\" }, or check before it runs",
  ],
  [
    "commit on one undeclared tool more than a sentence holds",
    g({ ...ok, stage: "commit", tools: ["a", "b", "c", "d", "e", "f"] }),
    "guardrail 'g' runs at commit, and 'a', 'b', 'c', 'd', 'e' and 1 more have no declared effect, so they could not be undone. Declare effects: { a: \"compensable\", b: \"compensable\", c: \"compensable\", d: \"compensable\", e: \"compensable\", … }, or check before it runs",
  ],
  [
    "commit on more undeclared tools than a sentence holds",
    g({ ...ok, stage: "commit", tools: ["a", "b", "c", "d", "e", "f", "g"] }),
    "guardrail 'g' runs at commit, and 'a', 'b', 'c', 'd', 'e' and 2 more have no declared effect, so they could not be undone. Declare effects: { a: \"compensable\", b: \"compensable\", c: \"compensable\", d: \"compensable\", e: \"compensable\", … }, or check before it runs",
  ],
  ...(
    [
      ["no effects", {}],
      ["no effect among the effects", { effects: {} }],
    ] as const
  ).map(
    ([name, more]) =>
      [
        `commit for every tool with ${name}`,
        g({ ...ok, stage: "commit" }, more),
        "guardrail 'g' runs at commit for every tool, and no effect is declared, so nothing could be undone. Declare what each tool does, such as effects: { add_item: \"compensable\" }, name its `tools`, or check before it runs",
      ] as const,
  ),
  [
    "commit for every tool, of which one is irreversible",
    g({ ...ok, stage: "commit" }, { effects: { add: "state", pay: "irreversible" } }),
    "guardrail 'g' runs at commit for every tool, and 'pay' is irreversible, so it could not be undone. Name its `tools`, or check before it runs",
  ],
  [
    "commit on tools of which none can be undone",
    g(
      { ...ok, stage: "commit", tools: ["pay", "put"] },
      { effects: { pay: "irreversible", put: "idempotent" } },
    ),
    "guardrail 'g' runs at commit, and 'pay' and 'put' are idempotent or irreversible, so they could not be undone. Check before it runs",
  ],
  [
    "commit for every tool, of which another option names an undeclared one",
    {
      guardrails: [
        { ...ok, stage: "commit" },
        { ...ok, name: "h", tools: ["pay"] },
      ],
      effects: { add: "state" },
    },
    "guardrail 'g' runs at commit for every tool, and 'pay' has no declared effect, so it could not be undone. Declare effects: { pay: \"compensable\" }, name its `tools`, or check before it runs",
  ],
  [
    "a store that is state",
    { guardrails: [], store: { cart: [] } },
    "option 'store' must be a StateStore, such as slotStore({ cart: { items: [] } })",
  ],
  [
    "effects as a list",
    { guardrails: [], effects: ["add"] },
    "option 'effects' must be an object, such as { add_item: \"compensable\" }",
  ],
  [
    "an unknown effect",
    { guardrails: [], effects: { add: "safe" } },
    'option \'effects.add\' must be "none" or "state" or "idempotent" or "compensable" or "irreversible"',
  ],
  [
    "an effect that is undefined",
    { guardrails: [], effects: { add: undefined } },
    'option \'effects.add\' must be "none" or "state" or "idempotent" or "compensable" or "irreversible"',
  ],
  [
    "a budget of half",
    { guardrails: [], budgets: { guardrail: 0.5 } },
    "option 'budgets.guardrail' must be a whole number of at least 0",
  ],
  [
    "a budget below none",
    { guardrails: [], budgets: { outcome: -1 } },
    "option 'budgets.outcome' must be a whole number of at least 0",
  ],
  [
    "a budget of another lane",
    { guardrails: [], budgets: { validation: 2 } },
    "unknown option 'budgets.validation'. The options are generation, guardrail, outcome, run",
  ],
  [
    "a time limit of none",
    { guardrails: [], timeLimits: { tool: 0 } },
    "option 'timeLimits.tool' must be a whole number of milliseconds, from 1 to 2147483647",
  ],
  [
    "a time limit without end",
    { guardrails: [], timeLimits: { tool: 2 ** 31 } },
    "option 'timeLimits.tool' must be a whole number of milliseconds, from 1 to 2147483647",
  ],
  [
    "a limit without a maximum",
    { guardrails: [], limits: { budget: {} }, spends: { pay: () => ({}) } },
    "option 'limits.budget.max' must be a number of at least 0",
  ],
  [
    "a limit of NaN",
    { guardrails: [], limits: { budget: { max: Number.NaN } } },
    "option 'limits.budget.max' must be a number of at least 0",
  ],
  [
    "a limit with an unknown window",
    { guardrails: [], limits: { budget: { max: 1, per: "week" } } },
    "option 'limits.budget.per' must be one of minute, hour, day, run; leave it out for a limit for ever",
  ],
  [
    "a limit with an unknown scope",
    { guardrails: [], limits: { budget: { max: 1, scope: "team" } } },
    "option 'limits.budget.scope' must be one of conversation, user, tenant, global, or a function of the context",
  ],
  [
    "a time zone without a day",
    { guardrails: [], limits: { budget: { max: 1, timeZone: "UTC" } } },
    "limit 'budget': `timeZone` is for `per: \"day\"`; leave it out",
  ],
  [
    "an unknown time zone",
    { guardrails: [], limits: { budget: { max: 1, per: "day", timeZone: "Berlin" } } },
    "option 'limits.budget.timeZone' must be the name of a time zone, such as \"Europe/Berlin\"",
  ],
  [
    "a time zone that is not a name",
    { guardrails: [], limits: { budget: { max: 1, per: "day", timeZone: 1 } } },
    "option 'limits.budget.timeZone' must be the name of a time zone, such as \"Europe/Berlin\"",
  ],
  [
    "spending without limits",
    { guardrails: [], spends: { pay: () => ({ budget: 1 }) } },
    "`spends` needs `limits`, such as { budget: { max: 100 } }",
  ],
  [
    "spending that is not a function",
    { guardrails: [], limits: { budget: { max: 1 } }, spends: { pay: 1 } },
    "option 'spends.pay' must be a function, or { reserve, settle }",
  ],
  [
    "a ledger that is none",
    { guardrails: [], limits: { budget: { max: 1 } }, spends: { pay: () => ({}) }, ledger: {} },
    "option 'ledger' must be a ledger, such as memoryLedger() or sqliteLedger(database)",
  ],
  [
    "a secret that is empty",
    { guardrails: [], grants: { secret: "" } },
    "option 'grants.secret' must be a string or bytes, such as 32 random ones",
  ],
  [
    "a store of grants that is none",
    { guardrails: [], grants: { secret: "s", store: new Map() } },
    "option 'grants.store' must be a ledger or a store of attempts, such as sqliteLedger(database)",
  ],
  [
    "locks without a store",
    { guardrails: [], locks: { add: ["cart"] } },
    "`locks` needs a `store`, such as slotStore({ … })",
  ],
  [
    "locks of no slot",
    { guardrails: [], store, locks: { add: ["basket"] } },
    "the locks of 'add' name 'basket', which is not a slot of the store. Its slots are cart, stock",
  ],
  [
    "locks as a string",
    { guardrails: [], store, locks: { add: "cart" } },
    "option 'locks.add' must be an array of slots, such as [\"cart\"]",
  ],
  [
    "locks of a whole store",
    { guardrails: [], store: whole, locks: { add: ["cart"] } },
    "`locks`: this store has no slots of its own, so its attempts never overlap; leave `locks` out",
  ],
  [
    "a state change that is a tool's name",
    { guardrails: [], store, stateChanges: { add: "remove" } },
    "option 'stateChanges.add' must be a function",
  ],
  [
    "a compensation that is a tool's name",
    { guardrails: [], compensate: { add: "remove" } },
    "option 'compensate.add' must be a function",
  ],
  [
    "classify that is not a function",
    { guardrails: [], classify: {} },
    "option 'classify' must be a function",
  ],
  ["a clock that is a time", { guardrails: [], clock: 0 }, "option 'clock' must be a function"],
  ...(
    [
      ["tools", [], 'an array of the names of the host\'s tools, such as ["add_item"]'],
      ["budgets", 3, "an object"],
      ["timeLimits", 5_000, "an object"],
      ["grants", "s", "an object"],
      ["locks", ["cart"], 'an object, such as { add_item: ["cart", "stock"] }'],
      ["compensate", [], "an object, such as { add_item: ({ args, result }) => … }"],
      ["stateChanges", [], "an object, such as { add_item: ({ args, result }) => … }"],
      ["limits", 100, "an object, such as { budget: { max: 100 } }"],
      ["limits.budget", 100, 'an object, such as { max: 100, per: "day" }'],
      ["limits.budget.max", -1, "a number of at least 0"],
      ["limits.budget.max", Number.POSITIVE_INFINITY, "a number of at least 0"],
      ["spends", 100, "an object, such as { pay: ({ args }) => ({ budget: args.amount }) }"],
      ["spends.pay", { reserve: () => ({}) }, "a function, or { reserve, settle }"],
      [
        "ledger",
        { reserve: () => [], end: () => 1, totals: () => 1 },
        "a ledger, such as memoryLedger() or sqliteLedger(database)",
      ],
      ["onGuardrailError", true, "a function"],
      ["records", new Map(), "a store of attempts, such as sqliteAttempts(database)"],
      ["keepResults", "yes", "true or false"],
      ["terminalReasons", ["Frozen"], REASONS],
      ["terminalReasons", ["a".repeat(65)], REASONS],
      ["terminalReasons", "frozen", REASONS],
      ["grants.secret", new Uint8Array(), "a string or bytes, such as 32 random ones"],
      ["grants.secret", 32, "a string or bytes, such as 32 random ones"],
      ...["guardrail", "tool", "effect", "store"].map(
        (limit) => [`timeLimits.${limit}`, 1.5, TIME] as const,
      ),
      ...["generation", "guardrail", "outcome", "run"].map(
        (lane) => [`budgets.${lane}`, "2", "a whole number of at least 0"] as const,
      ),
    ] as const
  ).map(
    ([path, value, wants]) =>
      [
        `${path} of ${JSON.stringify(value)}`,
        { guardrails: [], ...nested(path, value) },
        `option '${path}' must be ${wants}`,
      ] as const,
  ),
];

test.each(NONE)("%s is an error at once that says what to do", (_, options, message) => {
  const make = (): unknown => createGuardrails(options as never);
  expect(make).toThrow(ToolContractError);
  expect(make).toThrow(
    new ToolContractError(`createGuardrails: ${message}${message.endsWith("?") ? "" : "."}`),
  );
});

test.each<[string, object]>([
  ["no guardrail", { guardrails: [] }],
  ["no retries", { guardrails: [], budgets: { generation: 0, guardrail: 0, outcome: 0 } }],
  ["no runs again", { guardrails: [], budgets: { run: 0 } }],
  ["the longest times", { guardrails: [], timeLimits: { tool: 2 ** 31 - 1, store: 1 } }],
  [
    "a limit of nothing",
    { guardrails: [], limits: { b: { max: 0 } }, spends: { pay: () => ({}) } },
  ],
  ["reasons of your own", { guardrails: [], terminalReasons: ["a", "b".repeat(64)] }],
  ["bytes as a secret", { guardrails: [], grants: { secret: new Uint8Array(1) } }],
  ["members of another package", g({ ...ok, policies: "…", description: "…" })],
  ["a whole store", { guardrails: [], store: whole }],
  [
    "commit for every tool, all of which can be undone",
    g({ ...ok, stage: "commit" }, { effects: { add: "state", read: "none" } }),
  ],
  [
    "commit on some tools, beside an irreversible one",
    g(
      { ...ok, stage: "commit", tools: ["add"] },
      { effects: { add: "state", pay: "irreversible" } },
    ),
  ],
])("%s is fine", (_, options) => {
  expect(createGuardrails(options as never).name).toBe("guardrails");
});

test("the lanes are the budgets and the first attempt", () => {
  const { lanes } = createGuardrails({ guardrails: [], budgets: { guardrail: 4 } });
  expect(lanes).toEqual({ guardrail: 5, outcome: 2 });
});

test("one object serves agents that each have some of its tools, if all are named", () => {
  const options = { guardrails: [], effects: { plan: "state", hire: "irreversible" } } as const;
  const guardrails = createGuardrails({ ...options, tools: ["plan", "hire"] });
  expect(() => guardrails.checkTools?.(["plan"])).not.toThrow();
  expect(() => guardrails.checkTools?.(["hire", "search"])).not.toThrow();
  expect(() => createGuardrails({ ...options, tools: ["plan", "fire"] as never })).toThrow("hire");
});

test("a tool that is named, but that the host does not have, is an error with the nearest name", () => {
  const guardrails = createGuardrails({
    guardrails: [{ ...ok, tools: ["add_item"] }],
    effects: { remove_item: "state" },
  });
  expect(() => guardrails.checkTools?.(["add_items", "remove_item"])).toThrow(
    "createGuardrails: the host has no tool 'add_item'. Did you mean 'add_items'?",
  );
  expect(() => guardrails.checkTools?.([])).toThrow("The host has no tools");
  expect(() => guardrails.checkTools?.(["plan"])).toThrow(
    `Its tools are plan. If it is the tool of another agent, such as a sub-agent, pass the names of all tools as \`tools\`, such as tools: ["remove_item", "plan"]`,
  );
  expect(() => guardrails.checkTools?.(["add_item", "remove_item", "others"])).not.toThrow();
});
