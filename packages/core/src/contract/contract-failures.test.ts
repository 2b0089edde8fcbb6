import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  type AttemptStore,
  type ContractEventMap,
  type ContractOptions,
  type Execute,
  ToolContractError,
  type ToolDefinition,
  createContract,
  createMemoryStore,
  defineTool,
  parseRejection,
} from "../index.ts";

const QUOTE = "quotes the arguments";
const BOOK: ToolDefinition = {
  name: "book",
  inputSchema: {
    type: "object",
    properties: { seats: { type: "integer" }, name: { type: "string", pattern: "^[A-Z]" } },
    required: ["seats"],
  },
};
const PAY: ToolDefinition = { name: "pay", inputSchema: { type: "object" } };
const GOOD = { seats: 2 };
const BAD = { seats: "two" };
const FINE = ["executed", "executed", "executed", "executed"];
const REFUSED = ["rejected", "rejected", "blocked", "blocked"];

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
process.on("unhandledRejection", onUnhandled);
afterAll(() => void process.off("unhandledRejection", onUnhandled));

function throws(): never {
  throw new RangeError(QUOTE);
}

const rejects = async (): Promise<never> => throws();

/** Throws a proxy that throws. */
function throwsProxy(): never {
  throw new Proxy(new Error(QUOTE), { get: throws, getPrototypeOf: throws, has: throws });
}

/** A thenable that is not a native promise, as in jQuery, knex and vm contexts. */
function rejectsThenable(): Promise<never> {
  const then = (_: unknown, no: (thrown: unknown) => void): void => no(new RangeError(QUOTE));
  return { then } as unknown as Promise<never>;
}

interface Warning {
  readonly stage: string;
  readonly error_class: string;
  readonly tool_name?: string;
  readonly places?: readonly string[];
}

const inTool = (stage: string, error_class = "RangeError"): Warning => ({
  stage,
  error_class,
  tool_name: "book",
});

interface Given {
  readonly options?: ContractOptions;
  readonly tool?: ToolDefinition;
  readonly args?: unknown;
}

/** Calls one tool in four turns and returns the outcomes and the reported faults. */
async function drive({ options = {}, tool = BOOK, args = GOOD }: Given) {
  const logged: { readonly fields: object; readonly message: string }[] = [];
  const degraded: ContractEventMap["contract-degraded"][] = [];
  const contract = createContract({
    logger: (fields, message) => logged.push({ fields, message }),
    ...options,
  });
  contract.on("contract-degraded", (event) => degraded.push(event));
  const statuses: string[] = [];
  const contents: string[] = [];
  for (const turnId of ["1", "2", "3", "4"]) {
    const { status, result } = await contract.handle(
      { id: `call_${turnId}`, name: "book", arguments: args },
      { conversationId: "thread-7", turnId, tools: [tool], execute: () => "booked" },
    );
    statuses.push(status);
    contents.push(result.content);
  }
  await sleep(0);
  expect(unhandled).toEqual([]);
  const told = JSON.stringify([logged, degraded, contents, contract.metrics()]);
  expect(told).not.toContain(QUOTE);
  const warnings = logged.filter(({ message }) => message === "Tool contract degraded");
  return { statuses, contents, degraded, warnings: warnings.map(({ fields }) => fields) };
}

interface Row extends Given {
  readonly name: string;
  /** Undefined if the fault cannot be reported. */
  readonly warning: Warning | undefined;
  readonly statuses?: readonly string[];
}

function broken(what: keyof AttemptStore, how: () => never | Promise<never>): AttemptStore {
  return { ...createMemoryStore(), [what]: how };
}

function schema(inputSchema: object): ToolDefinition {
  return { name: "book", inputSchema: inputSchema as NonNullable<ToolDefinition["inputSchema"]> };
}

const cyclic: Record<string, unknown> = { type: "array" };
cyclic["items"] = cyclic;

const OPEN: readonly Row[] = [
  {
    name: "a schema that does not compile",
    tool: schema({ type: "strng" }),
    warning: inTool("schema: schema-not-compiled", "Error"),
  },
  {
    name: "a schema of an unknown dialect",
    tool: schema({ $schema: "https://example.com/my-dialect", type: "array" }),
    warning: inTool("schema: unknown-dialect", "Error"),
  },
  {
    name: "a schema that lives elsewhere",
    tool: schema({ $ref: "https://example.com/booking.json" }),
    warning: inTool("schema: schema-not-compiled", "Error"),
  },
  {
    name: "a schema that lives elsewhere, interpreted",
    options: { interpreter: true },
    tool: schema({ properties: { seats: { $ref: "https://example.com/seats.json" } } }),
    warning: inTool("schema: schema-not-compiled", "Error"),
  },
  {
    name: "a schema that holds itself",
    tool: schema(cyclic),
    warning: inTool("schema: schema-not-compiled", "Error"),
  },
  {
    name: "a schema that cannot be read",
    tool: schema({
      get type(): never {
        return throws();
      },
    }),
    warning: inTool("schema: schema-not-compiled", "Error"),
  },
  {
    name: "a pattern of another language",
    tool: schema({ properties: { name: { pattern: "(?P<first>a)(?(first)b|c)" } } }),
    args: { name: "q" },
    warning: {
      ...inTool("schema: pattern-not-compiled", "Error"),
      places: ["/properties/name/pattern"],
    },
  },
  {
    name: "a pattern of another language under not",
    tool: schema({ properties: { name: { not: { pattern: "(?>a)b" } } } }),
    args: { name: "q" },
    warning: {
      ...inTool("schema: pattern-not-compiled", "Error"),
      places: ["/properties/name/not/pattern"],
    },
  },
  {
    name: "a pattern of another language for names",
    tool: schema({ patternProperties: { "(?>a)b": { type: "boolean" } } }),
    warning: {
      ...inTool("schema: pattern-not-compiled", "Error"),
      places: ["/patternProperties/(?>a)b"],
    },
  },
  {
    name: "a value that throws when it is looked at",
    args: {
      get seats(): never {
        throw new TypeError(QUOTE);
      },
    },
    warning: inTool("validate", "TypeError"),
  },
  {
    name: "a value that throws when its fields are listed",
    options: { unknownFields: "reject" },
    tool: schema({ type: "object" }),
    args: new Proxy({}, { ownKeys: throws, getOwnPropertyDescriptor: throws }),
    warning: inTool("unknown fields"),
  },
  ...([throws, rejects, rejectsThenable] as const).map((formatter) => ({
    name: `a formatter that ${formatter.name}`,
    options: { formatters: { book: formatter } },
    args: BAD,
    warning: inTool("formatter"),
    statuses: REFUSED,
  })),
  ...([throws, rejects, rejectsThenable] as const).map((onEscalation) => ({
    name: `an onEscalation that ${onEscalation.name}`,
    options: { onEscalation },
    args: BAD,
    warning: inTool("onEscalation"),
    statuses: REFUSED,
  })),
  ...([throws, rejects, rejectsThenable] as const).flatMap((how) => [
    {
      name: `a store whose update ${how.name}`,
      options: { store: broken("update", how) },
      warning: inTool("store"),
    },
    {
      name: `a store whose get ${how.name}`,
      options: { store: broken("get", how), onBlocked: "refuse" as const },
      warning: inTool("store"),
    },
    {
      name: `a store whose update ${how.name}, at a bad call`,
      options: { store: broken("update", how) },
      args: BAD,
      warning: inTool("store"),
      // Nothing is counted, so every attempt is the first.
      statuses: ["rejected", "rejected", "rejected", "rejected"],
    },
    {
      name: `a store whose update ${how.name}, at a bad call that may be refused`,
      options: { store: broken("update", how), onBlocked: "refuse" as const },
      args: BAD,
      warning: inTool("store"),
      statuses: ["rejected", "rejected", "rejected", "rejected"],
    },
  ]),
  {
    name: "a store that answers something else",
    options: { store: broken("update", () => "3 failures" as never) },
    args: BAD,
    warning: inTool("store", "TypeError"),
    statuses: ["rejected", "rejected", "rejected", "rejected"],
  },
  {
    name: "a clock that throws",
    options: { clock: throws },
    args: BAD,
    warning: inTool("store"),
    statuses: ["rejected", "rejected", "rejected", "rejected"],
  },
  {
    name: "a meter that throws",
    options: { telemetry: { metrics: { getMeter: throws } } },
    warning: { stage: "telemetry", error_class: "RangeError" },
  },
  {
    name: "a tracer that throws",
    options: { telemetry: { trace: { getTracer: () => ({ startSpan: throws }) } } },
    args: BAD,
    warning: { stage: "telemetry", error_class: "RangeError" },
    statuses: REFUSED,
  },
  {
    name: "a formatter that throws what cannot be looked at",
    options: { formatters: { book: throwsProxy } },
    args: BAD,
    warning: inTool("formatter", "Error"),
    statuses: REFUSED,
  },
  {
    name: "a logger that throws",
    options: { logger: throws },
    args: BAD,
    warning: undefined,
    statuses: REFUSED,
  },
  {
    name: "a logger that rejects",
    options: { logger: (): unknown => rejects() },
    args: BAD,
    warning: undefined,
    statuses: REFUSED,
  },
];

describe("faults of this library and of callbacks", () => {
  test.for(OPEN)("fail open, with one warning that quotes nothing: $name", async (row) => {
    const { warning, statuses = FINE } = row;
    const driven = await drive(row);
    expect(driven.statuses).toEqual(statuses);
    const warned = warning ? [{ level: "warn", ...warning }] : [];
    expect(driven.warnings).toEqual(warned);
    if (warning === undefined) return;
    const { stage, error_class: errorClass, tool_name: toolName, places } = warning;
    expect(driven.degraded).toEqual([
      { stage, errorClass, ...(toolName && { toolName }), ...(places && { places }) },
    ]);
  });

  test("a broken keyword is left out alone, which is reported once, with its place", async () => {
    const inputSchema = {
      type: "dict",
      properties: {
        seats: { type: "int", required: true },
        price: { type: "float", minimum: "0" },
      },
    };
    const good = await drive({ tool: schema(inputSchema), args: { seats: 2, price: -1.5 } });
    const at = { level: "warn", error_class: "Error", tool_name: "book" };
    const misspelt = [
      "/type",
      "/properties/seats/required",
      "/properties/seats/type",
      "/properties/price/type",
    ];
    expect(good.statuses).toEqual(FINE);
    expect(good.warnings).toEqual([
      { ...at, stage: "schema: keyword-left-out", places: ["/properties/price/minimum"] },
      { ...at, stage: "schema: keyword-misspelt", places: misspelt },
    ]);
    expect(good.degraded.map(({ stage, places }) => [stage, places?.length])).toEqual([
      ["schema: keyword-left-out", 1],
      ["schema: keyword-misspelt", 4],
    ]);
    const bad = await drive({ tool: schema(inputSchema), args: { price: "much" } });
    expect(bad.statuses).toEqual(REFUSED);
    expect(parseRejection(bad.contents[0])?.errors).toMatchObject([
      { errorCode: "VAL-002", fieldPath: "/price", expectedValue: "number" },
      { errorCode: "VAL-001", fieldPath: "/seats", expectedValue: "integer" },
    ]);
    expect(bad.warnings).toEqual(good.warnings);
  });

  test.for([throws, rejects, throwsProxy])(
    "a failing listener changes nothing: %o",
    async (listener) => {
      const warnings: unknown[] = [];
      const contract = createContract({
        logger: (fields) => "stage" in fields && warnings.push(fields),
      });
      contract.on("call-rejected", listener);
      contract.on("call-admitted", listener);
      contract.on("contract-degraded", listener);
      const heard: number[] = [];
      contract.on("call-rejected", ({ attempt }) => heard.push(attempt));
      for (const [turnId, args] of [
        ["1", BAD],
        ["2", BAD],
        ["3", GOOD],
      ] as const) {
        const call = { id: `call_${turnId}`, name: "book", arguments: args };
        await contract.admit(call, { conversationId: "thread-7", turnId, tools: [BOOK] });
      }
      await sleep(0);
      expect(heard).toEqual([1, 2]);
      expect(warnings).toMatchObject([{ stage: "listener" }]);
    },
  );

  test("a reference that leads back to itself enforces nothing and is reported", () => {
    const log = vi.fn();
    const inputSchema = {
      $ref: "#/$defs/a",
      $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
    };
    const contract = createContract({ logger: log });
    expect(contract.check({ name: "loop", inputSchema }, { seats: 2 }).status).toBe("valid");
    expect(log).toHaveBeenCalledOnce();
    expect(log.mock.calls[0]?.[0]).toMatchObject({
      stage: "schema: keyword-left-out",
      tool_name: "loop",
      places: ["/$defs/a/$ref"],
    });
  });

  test("are reported once per tool and stage", async () => {
    const warnings: unknown[] = [];
    const contract = createContract({
      logger: (fields) => "stage" in fields && warnings.push([fields.stage, fields.tool_name]),
      formatters: { book: throws, cancel: rejects },
      rules: { cancel: [throws] },
      store: broken("update", throws),
    });
    const tools = [BOOK, { ...BOOK, name: "cancel" }];
    for (const name of ["book", "cancel", "book", "cancel", "book", "cancel"]) {
      for (const args of [BAD, GOOD]) {
        await contract.admit(
          { id: "call_1", name, arguments: args },
          { conversationId: "t", tools },
        );
      }
    }
    expect(warnings).toEqual([
      ["store", "book"],
      ["formatter", "book"],
      ["store", "cancel"],
      ["formatter", "cancel"],
      ["rule", "cancel"],
    ]);
  });

  test.for([Number.NaN, Number.NEGATIVE_INFINITY, "noon", undefined])(
    "attempts are counted if the clock returns %s",
    async (now) => {
      const driven = await drive({ options: { clock: () => now as number }, args: BAD });
      expect(driven.statuses).toEqual(REFUSED);
      expect(driven.warnings).toEqual([]);
    },
  );

  test("a store may return null for a missing key, and hold more failures than the limit", async () => {
    const memory = createMemoryStore();
    const store: AttemptStore = {
      get: async (key) => memory.get(key) ?? null,
      update: async (key, change) => memory.update(key, change),
      delete: async (key) => memory.delete(key),
    };
    const generous = await drive({ options: { store, maxAttempts: 5 }, args: BAD });
    expect(generous.statuses).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    const strict = await drive({ options: { store, maxAttempts: 2 }, args: BAD });
    expect(strict.statuses).toEqual(["blocked", "blocked", "blocked", "blocked"]);
    expect(parseRejection(strict.contents[0])).toMatchObject({
      attempt: 2,
      maxAttempts: 2,
      settled: true,
    });
    expect(strict.warnings).toEqual([]);
  });

  test.for([5, null, {}, [], Symbol("a"), true, "", "  \n "])(
    "a formatter that returns %o adds nothing",
    async (guidance) => {
      const driven = await drive({
        options: { formatters: { book: () => guidance as string } },
        args: BAD,
      });
      expect(driven.contents[0]).not.toContain("Guidance");
      expect(parseRejection(driven.contents[0])).toBeDefined();
    },
  );

  test("a formatter that returns 10 MB adds at most 1,000 characters", async () => {
    const guidance = "Seats are counted from one.\n".repeat(400_000);
    const driven = await drive({ options: { formatters: { book: () => guidance } }, args: BAD });
    for (const content of driven.contents) expect(content.length).toBeLessThanOrEqual(2000);
    expect(parseRejection(driven.contents[0])?.guidance?.length).toBeLessThanOrEqual(1000);
  });

  test.for([throws, () => Number.NaN, () => Number.POSITIVE_INFINITY, () => "many" as never])(
    "an unusable token estimate never loses the message: %o",
    async (estimateTokens) => {
      const driven = await drive({
        options: { format: { maxTokens: 200, estimateTokens } },
        args: BAD,
      });
      expect(driven.statuses).toEqual(REFUSED);
      expect(parseRejection(driven.contents[0])?.errors).toMatchObject([{ fieldPath: "/seats" }]);
    },
  );

  test.for([throws, () => undefined as never, () => ({ test: throws })])(
    "a failing pattern engine never rejects a call: %o",
    async (patternEngine) => {
      const driven = await drive({ options: { patternEngine }, args: { seats: 2, name: "Ada" } });
      expect(driven.statuses).toEqual(FINE);
    },
  );
});

function validator(validate: (value: unknown) => unknown): ToolDefinition {
  const standard = { version: 1 as const, vendor: "house", validate: validate as never };
  return { name: "book", validator: { "~standard": standard } };
}

const CLOSED: readonly Row[] = [
  ...([throws, rejects, rejectsThenable, throwsProxy] as const).map((rule) => ({
    name: `a rule that ${rule.name}`,
    options: { rules: { book: [rule] } },
    warning: inTool("rule", rule === throwsProxy ? "Error" : "RangeError"),
  })),
  ...[true, false, "no", 0, {}, new Map()].map((answer) => ({
    name: `a rule that answers ${JSON.stringify(answer)}`,
    options: { rules: { book: [() => answer as never] } },
    warning: inTool("rule", "TypeError"),
  })),
  ...[[null], ["no"], [undefined], [[]]].map((answer) => ({
    name: `a rule that answers ${JSON.stringify(answer)}`,
    options: { rules: { book: [() => answer as never] } },
    warning: undefined,
  })),
  {
    name: "a rule whose answer cannot be read",
    options: { rules: { book: [() => [new Proxy({}, { get: throws })] as never] } },
    warning: undefined,
  },
  {
    name: "a rule whose later answer cannot be read",
    options: { rules: { book: [async () => [new Proxy({}, { get: throws })] as never] } },
    warning: undefined,
  },
  ...([throws, rejects, rejectsThenable] as const).map((validate) => ({
    name: `a validator that ${validate.name}`,
    tool: validator(validate),
    warning: inTool("validator"),
  })),
  ...[undefined, null, true, "ok"].map((answer) => ({
    name: `a validator that answers ${String(answer)}`,
    tool: validator(() => answer),
    warning: undefined,
  })),
  ...["no", [], [null], {}].map((issues) => ({
    name: `a validator with the issues ${JSON.stringify(issues)}`,
    tool: validator(() => ({ issues })),
    warning: undefined,
  })),
];

describe("the user's rules and validators", () => {
  test.for(CLOSED)("fail closed: $name", async (row) => {
    const { statuses, contents, warnings } = await drive(row);
    expect(statuses).toEqual(REFUSED);
    expect(parseRejection(contents[0])?.errors).toMatchObject([
      { errorCode: "VAL-016", fieldPath: "" },
    ]);
    expect(warnings).toEqual(row.warning ? [{ level: "warn", ...row.warning }] : []);
  });

  test("a rule that could not run is reported, and the others still count", async () => {
    const { contents } = await drive({
      options: {
        rules: { book: [throws, async () => [{ message: "Too late", fieldPath: "/seats" }]] },
      },
    });
    expect(contents[0]).toBe(
      `Validation failed for tool 'book' (attempt 1/3):

Errors:
• (arguments) (VAL-016): A rule of this tool could not run
• /seats (VAL-016): Too late

Correct these and call 'book' again with all arguments.`,
    );
  });

  test("a rule's error keeps its usable members", async () => {
    const odd = {
      message: 5,
      fieldPath: 7,
      errorCode: "VAL-999",
      severity: "fatal",
      expectedValue: {},
      hint: [],
      actualValue: 5n,
    };
    const { contents } = await drive({ options: { rules: { book: [() => [odd as never]] } } });
    expect(parseRejection(contents[0])?.errors).toEqual([
      {
        errorCode: "VAL-016",
        fieldPath: "",
        message: "A rule of this tool was not met",
        severity: "error",
        actualValue: "(bigint)",
      },
    ]);
  });

  test("rules see only arguments that the schema accepts", async () => {
    const rule = vi.fn(() => []);
    await drive({ options: { rules: { book: [rule] } }, args: BAD });
    expect(rule).not.toHaveBeenCalled();
    await drive({ options: { rules: { book: [rule] } } });
    expect(rule).toHaveBeenCalledWith(
      GOOD,
      expect.objectContaining({ tool: "book", lane: "validation" }),
    );
  });
});

describe("asynchronous parts", () => {
  const later = async (): Promise<readonly never[]> => sleep(1, []);
  const TOOLS: readonly (readonly [string, ContractOptions, ToolDefinition, unknown])[] = [
    ["rule", { rules: { book: [later] } }, BOOK, GOOD],
    ["rule that rejects", { rules: { book: [rejects] } }, BOOK, GOOD],
    ["rule among others", { rules: { book: [() => [], rejects, later, throws] } }, BOOK, GOOD],
    ["redactor", { redact: [async (value) => sleep(1, value)] }, BOOK, BAD],
    ["redactor that rejects", { redact: [rejects] }, BOOK, BAD],
    ["validator", {}, validator(async (value) => sleep(1, { value })), GOOD],
    ["validator that rejects", {}, validator(rejects), GOOD],
    [
      "zod refinement",
      {},
      defineTool({
        name: "book",
        validator: z.object({ seats: z.number().refine(async () => sleep(1, true)) }),
      }),
      GOOD,
    ],
  ];

  test.for(TOOLS)(
    "check() names checkAsync() where it meets a %s, and leaves nothing unhandled",
    async (row) => {
      const [, options, tool, args] = row;
      const contract = createContract({ logger: () => undefined, ...options });
      for (let again = 0; again < 2; again += 1) {
        expect(() => contract.check(tool, args)).toThrow(
          new ToolContractError(
            "contract.check: the validator, a rule or a redactor of 'book' is asynchronous; use contract.checkAsync().",
          ),
        );
      }
      await sleep(5);
      expect(unhandled).toEqual([]);
    },
  );

  test.for(TOOLS)("checkAsync() and admit() wait for a %s", async (row) => {
    const [name, options, tool, args] = row;
    const contract = createContract({ logger: () => undefined, ...options });
    const isFine = args === GOOD && !/rejects|others/.test(name);
    const checked = await contract.checkAsync(tool, args);
    expect(checked.status).toBe(isFine ? "valid" : "invalid");
    const call = { id: "call_1", name: "book", arguments: args };
    const admission = await contract.admit(call, { conversationId: "thread-7", tool });
    expect(admission.status).toBe(isFine ? "admitted" : "rejected");
  });

  test("check() returns at once if nothing is asynchronous", () => {
    const contract = createContract({
      rules: { book: [later] },
      redact: [rejects],
      logger: () => undefined,
    });
    expect(contract.check({ ...BOOK, name: "cancel" }, GOOD).status).toBe("valid");
    expect(contract.check(BOOK, '{"seats":').status).toBe("invalid");
  });
});

describe("cancelled calls", () => {
  const call = { id: "call_1", name: "book", arguments: BAD };
  const reason = new Error("the user closed the tab");
  const none = { calls: 0, admitted: 0, rejected: 0, blocked: 0, repaired: 0 };

  test("a call cancelled before throws the reason and counts nothing", async () => {
    const log = vi.fn();
    const contract = createContract({ logger: log });
    const context = {
      conversationId: "thread-7",
      tools: [BOOK],
      signal: AbortSignal.abort(reason),
    };
    const execute = vi.fn();
    await expect(contract.admit(call, context)).rejects.toBe(reason);
    await expect(contract.handle(call, { ...context, execute })).rejects.toBe(reason);
    await expect(contract.handleTurn([call, call], { ...context, execute })).rejects.toBe(reason);
    expect(execute).not.toHaveBeenCalled();
    expect(log).not.toHaveBeenCalled();
    expect(contract.metrics()).toMatchObject(none);
    const answer = await contract.admit(call, { conversationId: "thread-7", tools: [BOOK] });
    expect(answer).toMatchObject({ status: "rejected", attempt: 1 });
  });

  test.for([
    ["answers", async () => []],
    ["refuses", async () => [{ message: "Too many seats" }]],
    [
      "stops",
      async (_: never, { signal }: { signal?: AbortSignal }) =>
        sleep(1000, [], signal && { signal }),
    ],
    ["throws", rejects],
  ] as const)(
    "one that is cancelled while a rule runs that %s counts nothing",
    async ([, rule]) => {
      const log = vi.fn();
      const contract = createContract({
        logger: log,
        rules: { book: [async () => sleep(5, []), rule] },
      });
      const controller = new AbortController();
      const good = { ...call, arguments: GOOD };
      const context = { conversationId: "thread-7", tools: [BOOK], signal: controller.signal };
      const admission = contract.admit(good, context);
      controller.abort(reason);
      await expect(admission).rejects.toBe(reason);
      expect(contract.metrics()).toMatchObject(none);
      expect(log).not.toHaveBeenCalled();
    },
  );

  test("a call cancelled between admission and run does not run", async () => {
    const contract = createContract();
    const controller = new AbortController();
    const admission = await contract.admit(
      { ...call, arguments: GOOD },
      { conversationId: "thread-7", tools: [BOOK], signal: controller.signal },
    );
    if (admission.status !== "admitted") throw new Error("It was not admitted");
    controller.abort(reason);
    const execute = vi.fn();
    expect(() => admission.run(execute)).toThrow(reason);
    expect(execute).not.toHaveBeenCalled();
  });

  test("the signal reaches rules and the tool", async () => {
    const { signal } = new AbortController();
    const rule = vi.fn(() => []);
    const contract = createContract({ rules: { book: [rule] } });
    const execute = vi.fn(() => "booked");
    const good = { ...call, arguments: GOOD };
    await contract.handle(good, { conversationId: "thread-7", tools: [BOOK], signal, execute });
    expect(rule).toHaveBeenCalledWith(GOOD, expect.objectContaining({ tool: "book", signal }));
    expect(execute).toHaveBeenCalledWith(GOOD, { call: good, signal });
  });
});

describe("errors that a host passes to reject()", () => {
  const call = { id: "call_1", name: "book", arguments: { seats: "two", name: "q", extra: 1 } };

  const ODD: readonly (readonly [string, unknown, object])[] = [
    [
      "an unknown code",
      { errorCode: "VAL-099", fieldPath: "/seats", message: "no", severity: "error" },
      { message: "no" },
    ],
    ["no code", { fieldPath: "/seats", message: "no", severity: "error" }, { message: "no" }],
    [
      "no severity",
      { errorCode: "VAL-016", fieldPath: "/seats", message: "no" },
      { message: "no" },
    ],
    [
      "an unknown severity",
      { errorCode: "VAL-016", fieldPath: "/seats", message: "no", severity: "fatal" },
      {},
    ],
    ["nothing at all", {}, { fieldPath: "", message: "A rule of this tool was not met" }],
    [
      "members of other kinds",
      { errorCode: 5, fieldPath: {}, message: [], severity: null, hint: 1, variant: {} },
      {},
    ],
    [
      "members that throw",
      new Proxy({}, { get: throws }),
      { message: "An error could not be read" },
    ],
    [
      "a value that is not text",
      { errorCode: "VAL-016", message: "no", actualValue: { a: 5n } },
      { actualValue: '{"a": (bigint)}' },
    ],
    [
      "a value that is text of another maker",
      { errorCode: "VAL-016", message: "no", actualValue: "two seats" },
      { actualValue: '"two seats"' },
    ],
  ];

  test.for(ODD)("are VAL-016 of severity error where they have %s", async ([, error, expected]) => {
    for (const attempt of [1, 3]) {
      for (const tool of [BOOK, undefined]) {
        const contract = createContract({ logger: () => undefined });
        const answer = await contract.reject(call, [error as never], {
          attempt,
          ...(tool && { tool }),
        });
        expect(answer.errors).toMatchObject([
          { errorCode: "VAL-016", severity: "error", ...expected },
        ]);
        expect(parseRejection(answer.result.content)).toMatchObject({ attempt });
      }
    }
  });

  test.each([
    [undefined, "... and 11 more errors"],
    [false, "... and 11 more errors"],
    [true, "... and at least 11 more errors"],
  ])("are counted as the host says, with atLeast %s", async (atLeast, said) => {
    const error = { errorCode: "VAL-002", fieldPath: "/seats", message: "no" } as never;
    const { result } = await createContract({ logger: () => undefined }).reject(call, [error], {
      attempt: 1,
      tool: BOOK,
      totalErrors: 12,
      ...(atLeast !== undefined && { atLeast }),
    });
    expect(result.content.split("\n")).toContain(said);
  });

  test("need no message if the code has one", async () => {
    const codes = ["VAL-001", "VAL-004", "VAL-011", "VAL-012", "VAL-014"] as const;
    const errors = codes.map((errorCode) => ({ errorCode, fieldPath: "/seats" }) as never);
    const { result } = await createContract({ logger: () => undefined }).reject(call, errors, {
      attempt: 3,
    });
    expect(parseRejection(result.content)?.errors).toHaveLength(codes.length);
  });

  const SENT: readonly unknown[] = [
    call.arguments,
    {},
    { seats: 2, name: "q".repeat(5_000) },
    { seats: { password: "hunter2", note: "a" }, name: ["A", "b", "c", "d", 5] },
    { seats: 2, name: "/home/ada/notes/a.txt" },
    { seats: "12", name: `key ghp_${"Zp7Qe2Vt9Lx4Rb6Nk1Wd8Hs3Mf5Jc0Ya2Gu7".slice(0, 36)}` },
    { seats: "\u202eline\n\u2028break", name: throws },
    '{"seats":',
    [1],
  ];
  const STRICT: ToolDefinition = {
    name: "book",
    inputSchema: {
      type: "object",
      properties: {
        seats: { type: "integer" },
        name: { type: "string", minLength: 2, maxLength: 20 },
        "odd name": { type: "string" },
      },
      required: ["seats", "odd name"],
      additionalProperties: false,
    },
    rules: [() => [{ message: "Too late", fieldPath: "/seats", actualValue: [1, 2, 3, 4, 5] }]],
  };

  test.for(SENT)("give the same message after they were serialised: %j", async (sent) => {
    const contract = createContract({ logger: () => undefined });
    const checked = contract.check(STRICT, sent);
    if (checked.status !== "invalid") throw new Error(checked.status);
    const copies = JSON.parse(JSON.stringify(checked.errors)) as typeof checked.errors;
    const context = { attempt: 1, tool: STRICT };
    const [own, copied] = await Promise.all(
      [checked.errors, copies].map(async (errors) =>
        contract.reject({ ...call, arguments: sent }, errors, context),
      ),
    );
    expect(copied?.errors).toEqual(checked.errors);
    expect(copied?.result.content).toBe(own?.result.content);
  });

  test("count under one name if the tool is not given, and log no empty id", async () => {
    const logged: object[] = [];
    const contract = createContract({ logger: (fields) => logged.push(fields) });
    const events: object[] = [];
    contract.on("call-rejected", (event) => events.push(event));
    contract.on("call-escalated", (event) => events.push(event));
    const error = {
      errorCode: "VAL-016",
      fieldPath: "",
      message: "no",
      severity: "error",
    } as const;
    for (let number = 0; number < 1_100; number += 1) {
      await contract.reject({ ...call, name: `invented_${number}` }, [error], {
        attempt: number === 0 ? 3 : 1,
      });
    }
    await contract.reject(call, [error], { attempt: 1, tool: BOOK, conversationId: "thread-7" });
    expect(Object.keys(contract.metrics().byTool).toSorted()).toEqual(["(unknown)", "book"]);
    expect(logged.slice(0, 2)).toMatchObject([
      { tool_name: "(unknown)" },
      { tool_name: "(unknown)" },
    ]);
    expect(logged.filter((fields) => "correlation_id" in fields)).toMatchObject([
      { tool_name: "book", correlation_id: "thread-7" },
    ]);
    expect(events.filter((event) => "correlationId" in event)).toHaveLength(1);
    expect(JSON.stringify([logged, contract.metrics()])).not.toContain("invented");
  });
});

describe("what a tool returns and throws", () => {
  const context = { conversationId: "thread-7", tools: [BOOK] };
  const call = { id: "call_1", name: "book", arguments: GOOD };

  async function admitted() {
    const admission = await createContract().admit(call, context);
    if (admission.status !== "admitted") throw new Error("It was not admitted");
    return admission;
  }

  const THROWN: readonly unknown[] = [
    new TypeError("no connection"),
    new ToolContractError("of another contract"),
    Object.assign(new Error("interrupt"), { name: "GraphInterrupt" }),
    "a text",
    undefined,
    null,
    Object.freeze({ code: 7 }),
  ];

  test.for(THROWN)("%o comes through as the same object, from handle and run", async (thrown) => {
    const fails: Execute<never> = () => {
      throw thrown;
    };
    const failsLater: Execute<Promise<never>> = async () => fails({}, { call });
    const admission = await admitted();
    expect(
      await Promise.resolve()
        .then(() => admission.run(fails))
        .catch((error: unknown) => [error]),
    ).toEqual([thrown]);
    for (const execute of [fails, failsLater]) {
      const contract = createContract();
      const handled = contract.handle(call, { ...context, execute });
      const [error] = await handled.then(
        () => [],
        (reason: unknown) => [reason],
      );
      expect(error).toBe(thrown);
      expect(contract.metrics()).toMatchObject({ admitted: 1, rejected: 0 });
    }
  });

  test("run() returns promises, streams, iterables and thenables untouched", async () => {
    const touched = vi.fn();
    async function* pages() {
      touched();
      yield 1;
    }
    const lazy = { then: touched };
    const values: readonly unknown[] = [
      Promise.resolve(1),
      pages(),
      new ReadableStream({ pull: touched }, { highWaterMark: 0 }),
      lazy,
      [1, 2].values(),
      undefined,
      Object.freeze({ content: [{ type: "text", text: "booked" }] }),
    ];
    for (const value of values) {
      const admission = await admitted();
      expect(admission.run(() => value)).toBe(value);
    }
    expect(touched).not.toHaveBeenCalled();
  });

  test("handle() returns an iterable unread", async () => {
    const touched = vi.fn();
    async function* pages() {
      touched();
      yield "page 1";
    }
    const handled = await createContract().handle(call, { ...context, execute: () => pages() });
    expect(touched).not.toHaveBeenCalled();
    if (handled.status !== "executed") throw new Error("It did not run");
    expect(handled.result.content).toBe("");
    expect(await handled.output.next()).toEqual({ done: false, value: "page 1" });
  });

  const fussy = new Proxy(
    {},
    { get: (_, name) => (name === "then" ? undefined : throws()), has: throws },
  );
  test.for([
    ["a big integer", 5n],
    ["a cycle", cyclic],
    ["a symbol", Symbol("a")],
    ["a function", throws],
    ["an object whose fields throw", fussy],
    [
      "content that throws",
      {
        content: [
          {
            get text(): never {
              return throws();
            },
          },
        ],
      },
    ],
    ["a toJSON that throws", { toJSON: throws }],
  ] as const)("handle hands back %s, whatever its text is", async ([, value]) => {
    const handled = await createContract().handle(call, { ...context, execute: () => value });
    if (handled.status !== "executed") throw new Error("It did not run");
    expect(handled.output).toBe(value);
    expect(typeof handled.result.content).toBe("string");
    expect(handled.result.isError).toBe(false);
  });

  test("a rejected call never runs, and its valid siblings do", async () => {
    const ran: unknown[] = [];
    const calls = [GOOD, BAD, { seats: 3 }, {}, { seats: 4 }];
    const answers = await createContract({ logger: () => undefined }).handleTurn(
      calls.map((args, index) => ({ id: `call_${index}`, name: "book", arguments: args })),
      { ...context, execute: async (args: unknown) => ran.push(args) },
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual(["executed", "rejected", "executed", "rejected", "executed"]);
    expect(answers.map(({ result }) => result.toolCallId)).toEqual(
      calls.map((_, index) => `call_${index}`),
    );
    expect(ran).toEqual([GOOD, { seats: 3 }, { seats: 4 }]);
  });
});

describe("misuse", () => {
  type Wrong = Readonly<Record<string, () => unknown>>;
  const call = { id: "call_1", name: "book", arguments: GOOD };
  const context = { conversationId: "thread-7", tools: [BOOK] };
  const error = { errorCode: "VAL-001", fieldPath: "/seats", message: "", severity: "error" };
  // As called from JavaScript, without a compiler.
  const contract = createContract({ logger: () => undefined }) as unknown as Readonly<
    Record<string, (...args: readonly unknown[]) => unknown>
  >;
  const { check, checkAsync, admit, handle, handleTurn, reject, on } = contract;

  function options(
    wrong: Readonly<Record<string, unknown>>,
    wrap = (option: object) => option,
  ): Wrong {
    return Object.fromEntries(
      Object.entries(wrong).map(([name, value]) => [
        `${name}: ${typeof value === "function" ? "function" : JSON.stringify(value)}`,
        () => createContract(wrap({ [name]: value })),
      ]),
    );
  }

  /** The error message for each misuse; anything but a ToolContractError stands out. */
  async function texts(wrong: Wrong): Promise<string> {
    const lines: string[] = [];
    for (const [name, use] of Object.entries(wrong)) {
      const thrown = await Promise.resolve()
        .then(use)
        .then(
          () => "nothing was thrown",
          (reason: unknown) => reason,
        );
      const text = ToolContractError.isInstance(thrown) ? thrown.message : `!!! ${String(thrown)}`;
      lines.push(`${name}\n    ${text}`);
    }
    return `\n${lines.join("\n")}\n`;
  }

  test("of options", async () => {
    expect(
      await texts({
        ...options({
          maxAttempts: 0,
          scope: "session",
          unknownFields: "forbid",
          repairJson: "yes",
          closeDangling: 1,
          unwrapStrings: null,
          rules: { book: () => [] },
          formatters: { book: "Be brief." },
          redact: String,
          workspaceRoot: "",
          onBlocked: "throw",
          logger: {},
          onEscalation: "log",
          reportAdvisories: "all",
          interpreter: "edge",
          patternEngine: {},
          clock: 0,
          store: { get: () => undefined, set: () => undefined, delete: () => undefined },
          telemetry: true,
          format: "compact",
          maxAttemps: 3,
          retries: 3,
        }),
        ...options(
          {
            style: "short",
            maxLength: 399,
            maxErrors: 0,
            maxValuePreview: 0.5,
            maxTokens: 0,
            estimateTokens: 4,
            maxLenght: 2000,
          },
          (format) => ({ format }),
        ),
        "no options": () => createContract(null as never),
        "a list of options": () => createContract([] as never),
      }),
    ).toMatchInlineSnapshot(`
      "
      maxAttempts: 0
          createContract: option 'maxAttempts' must be a whole number of at least 1.
      scope: "session"
          createContract: option 'scope' must be "run" or "thread".
      unknownFields: "forbid"
          createContract: option 'unknownFields' must be "schema" or "warn" or "reject".
      repairJson: "yes"
          createContract: option 'repairJson' must be true or false.
      closeDangling: 1
          createContract: option 'closeDangling' must be true or false.
      unwrapStrings: null
          createContract: option 'unwrapStrings' must be true, false or "scalars".
      rules: {}
          createContract: option 'rules' must be an object of arrays of rules, keyed by tool name.
      formatters: {"book":"Be brief."}
          createContract: option 'formatters' must be an object of functions, keyed by tool name.
      redact: function
          createContract: option 'redact' must be an array of functions.
      workspaceRoot: ""
          createContract: option 'workspaceRoot' must be a non-empty string.
      onBlocked: "throw"
          createContract: option 'onBlocked' must be "forgive" or "refuse".
      logger: {}
          createContract: option 'logger' must be a function (fields, message), or false for no log.
      onEscalation: "log"
          createContract: option 'onEscalation' must be a function.
      reportAdvisories: "all"
          createContract: option 'reportAdvisories' must be true or false.
      interpreter: "edge"
          createContract: option 'interpreter' must be true or false.
      patternEngine: {}
          createContract: option 'patternEngine' must be a function.
      clock: 0
          createContract: option 'clock' must be a function.
      store: {}
          createContract: option 'store' must be an AttemptStore with get, update and delete, such as createLocalStore({ get, set, delete }) returns.
      telemetry: true
          createContract: option 'telemetry' must be the @opentelemetry/api module.
      format: "compact"
          createContract: option 'format' must be an object.
      maxAttemps: 3
          createContract: unknown option 'maxAttemps'. Did you mean 'maxAttempts'?
      retries: 3
          createContract: unknown option 'retries'. The options are mode, maxAttempts, maxFailures, scope, format, unknownFields, repairJson, closeDangling, unwrapStrings, dropNulls, overBudget, rules, formatters, redact, maxCallsPerTurn, repeatedCalls, workspaceRoot, onBlocked, guardrails, logger, onEscalation, reportAdvisories, interpreter, patternEngine, clock, store, telemetry.
      style: "short"
          createContract: option 'format.style' must be "standard" or "compact".
      maxLength: 399
          createContract: option 'format.maxLength' must be a whole number of at least 400.
      maxErrors: 0
          createContract: option 'format.maxErrors' must be a whole number of at least 1.
      maxValuePreview: 0.5
          createContract: option 'format.maxValuePreview' must be a whole number of at least 1.
      maxTokens: 0
          createContract: option 'format.maxTokens' must be a whole number of at least 1.
      estimateTokens: 4
          createContract: option 'format.estimateTokens' must be a function.
      maxLenght: 2000
          createContract: unknown option 'format.maxLenght'. Did you mean 'format.maxLength'?
      no options
          createContract: the options must be an object, such as { maxAttempts: 3 }.
      a list of options
          createContract: the options must be an object, such as { maxAttempts: 3 }.
      "
    `);
  });

  test("of tool definitions", async () => {
    const define = (definition: unknown) => () => {
      expect(() => defineTool(definition as never)).toThrow(ToolContractError);
      return check?.(definition, GOOD);
    };
    expect(
      await texts({
        nothing: define(undefined),
        "a name": define("book"),
        "no name": define({ inputSchema: {} }),
        "an OpenAI tool": define({ type: "function", function: { name: "book", parameters: {} } }),
        "an Anthropic tool": define({ name: "book", input_schema: { type: "object" } }),
        "an older AI SDK tool": define({ name: "book", parameters: z.object({}) }),
        "a LangChain tool": define({ name: "book", schema: z.object({}) }),
        "a schema that is a string": define({ name: "book", inputSchema: "object" }),
        "a schema that is null": define({ name: "book", inputSchema: null }),
        "zod as inputSchema": define({ name: "book", inputSchema: z.object({}) }),
        "JSON Schema as validator": define({ name: "book", validator: { type: "object" } }),
        "one rule": define({ name: "book", rules: () => [] }),
        "a formatter that is a string": define({ name: "book", formatter: "Be brief." }),
      }),
    ).toMatchInlineSnapshot(`
      "
      nothing
          A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.
      a name
          A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.
      no name
          A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.
      an OpenAI tool
          A tool definition needs a name, and this one has none: 'function' without a schema is how a request to a provider names a tool, and nothing would check its arguments. Instead, pass { name, inputSchema: parameters } of its \`function\`.
      an Anthropic tool
          Tool 'book': unknown property 'input_schema'. Pass a JSON Schema as \`inputSchema\`, or a zod schema as \`validator\`.
      an older AI SDK tool
          Tool 'book': unknown property 'parameters'. Pass a JSON Schema as \`inputSchema\`, or a zod schema as \`validator\`.
      a LangChain tool
          Tool 'book': unknown property 'schema'. Pass a JSON Schema as \`inputSchema\`, or a zod schema as \`validator\`.
      a schema that is a string
          Tool 'book': inputSchema must be a JSON Schema object. Pass a zod schema as \`validator\`.
      a schema that is null
          Tool 'book': inputSchema must be a JSON Schema object. Pass a zod schema as \`validator\`.
      zod as inputSchema
          Tool 'book': inputSchema is a Standard Schema validator. Pass it as \`validator\`.
      JSON Schema as validator
          Tool 'book': validator must be a Standard Schema (zod 3.24+, valibot 1, arktype 2, …).
      one rule
          Tool 'book': rules must be an array of functions (args, { tool, signal }) => errors.
      a formatter that is a string
          Tool 'book': formatter must be a function (errors, context) => string | undefined.
      "
    `);
  });

  test("of calls", async () => {
    const execute = (): string => "booked";
    expect(
      await texts({
        "check with an asynchronous rule": () =>
          check?.({ ...BOOK, rules: [async () => []] }, GOOD),
        "checkAsync without a tool": () => checkAsync?.(),
        "admit nothing": () => admit?.(),
        "admit an OpenAI call": () =>
          admit?.({ id: "call_1", function: { name: "book" } }, context),
        "admit without a context": () => admit?.(call),
        "admit without a conversation": () => admit?.(call, { tools: [BOOK] }),
        "admit in an empty conversation": () => admit?.(call, { ...context, conversationId: "" }),
        "admit without tools": () => admit?.(call, { conversationId: "thread-7" }),
        "admit with a tool's name": () => admit?.(call, { ...context, tool: "book" }),
        "admit with tools that are a string": () => admit?.(call, { ...context, tools: "book" }),
        "admit with a Map of tools": () =>
          admit?.(call, { ...context, tools: new Map([["book", BOOK]]) }),
        "admit with a hole in the tools": () => admit?.(call, { ...context, tools: [undefined] }),
        "admit with the definition of another tool": () =>
          admit?.({ ...call, name: "pay" }, { ...context, tool: BOOK }),
        "admit with a tool under another key": () =>
          admit?.(call, { conversationId: "thread-7", tools: { pay: BOOK } }),
        "admit with two tools of one name": () =>
          admit?.(call, { conversationId: "thread-7", tools: [BOOK, PAY, { ...PAY }] }),
        "handle with the definition of another tool": () =>
          handle?.({ ...call, name: "pay" }, { ...context, tool: BOOK, execute }),
        "handleTurn with the definition of one of two tools": () =>
          handleTurn?.([call, { ...call, name: "pay" }], { ...context, tool: BOOK, execute }),
        "admit with a turn that is a number": () => admit?.(call, { ...context, turnId: 1 }),
        "admit with a run that is a number": () => admit?.(call, { ...context, runId: 1 }),
        "admit with a correlation that is a number": () =>
          admit?.(call, { ...context, correlationId: 1 }),
        "admit with a finish reason that is an object": () =>
          admit?.(call, { ...context, finishReason: {} }),
        "admit with a controller for a signal": () =>
          admit?.(call, { ...context, signal: new AbortController() }),
        "run without a function": async () => {
          const admission = (await admit?.(call, context)) as { run(execute?: unknown): unknown };
          return admission.run();
        },
        "handle without a function": () => handle?.(call, context),
        "handleTurn without anything": () => handleTurn?.(),
        "handleTurn with one call": () => handleTurn?.(call, { ...context, execute }),
        "handleTurn without a context": () => handleTurn?.([]),
        "handleTurn with a hole in the calls": () => handleTurn?.([null], { ...context, execute }),
      }),
    ).toMatchInlineSnapshot(`
      "
      check with an asynchronous rule
          contract.check: the validator, a rule or a redactor of 'book' is asynchronous; use contract.checkAsync().
      checkAsync without a tool
          A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.
      admit nothing
          contract.admit: a call must be { id: string, name: string, arguments }, or { id, name, text } for free text.
      admit an OpenAI call
          contract.admit: a call must be { id: string, name: string, arguments }, or { id, name, text } for free text.
      admit without a context
          contract.admit: \`conversationId\` is missing. Attempts are counted per conversation, so pass its id, such as { conversationId: thread.id }.
      admit without a conversation
          contract.admit: \`conversationId\` is missing. Attempts are counted per conversation, so pass its id, such as { conversationId: thread.id }.
      admit in an empty conversation
          contract.admit: \`conversationId\` is missing. Attempts are counted per conversation, so pass its id, such as { conversationId: thread.id }.
      admit without tools
          contract.admit: pass the called tool as \`tool\`, or all of them as \`tools\`.
      admit with a tool's name
          contract.admit: \`tool\` must be a tool definition, such as { name: "read_file", inputSchema: { … } }.
      admit with tools that are a string
          contract.admit: \`tools\` must be an array of tool definitions, or an object of them keyed by name.
      admit with a Map of tools
          contract.admit: \`tools\` must be an array of tool definitions, or an object of them keyed by name.
      admit with a hole in the tools
          contract.admit: \`tools\` must be an array of tool definitions, or an object of them keyed by name.
      admit with the definition of another tool
          contract.admit: \`tool\` is 'book', but the call is of another tool. Pass the definition of the tool that was called.
      admit with a tool under another key
          contract.admit: \`tools\` has the tool 'book' under another key. Key each tool by its name, or pass an array.
      admit with two tools of one name
          contract.admit: \`tools\` has two tools named 'pay'. Give each tool a name of its own.
      handle with the definition of another tool
          contract.handle: \`tool\` is 'book', but the call is of another tool. Pass the definition of the tool that was called.
      handleTurn with the definition of one of two tools
          contract.handleTurn: \`tool\` is 'book', but the call is of another tool. Pass the definition of the tool that was called.
      admit with a turn that is a number
          contract.admit: \`turnId\` must be a string.
      admit with a run that is a number
          contract.admit: \`runId\` must be a string.
      admit with a correlation that is a number
          contract.admit: \`correlationId\` must be a string.
      admit with a finish reason that is an object
          contract.admit: \`finishReason\` must be a string or null.
      admit with a controller for a signal
          contract.admit: \`signal\` must be an AbortSignal, such as controller.signal.
      run without a function
          admission.run: pass the function that runs the tool, such as run((args) => tool(args)).
      handle without a function
          contract.handle: nothing runs the tool 'book'. Pass \`execute\`, or give each tool its own: defineTool({ name, validator, execute }).
      handleTurn without anything
          contract.handleTurn: the first argument must be an array of calls.
      handleTurn with one call
          contract.handleTurn: the first argument must be an array of calls.
      handleTurn without a context
          contract.handleTurn: the second argument must be { conversationId, tools, execute }.
      handleTurn with a hole in the calls
          contract.handleTurn: a call must be { id: string, name: string, arguments }, or { id, name, text } for free text.
      "
    `);
  });

  test("of reject and on", async () => {
    expect(
      await texts({
        "reject nothing": () => reject?.(),
        "reject without an attempt": () => reject?.(call, [error], {}),
        "reject attempt 0": () => reject?.(call, [error], { attempt: 0 }),
        "reject without errors": () => reject?.(call, [], { attempt: 1 }),
        "reject with a string for errors": () => reject?.(call, "bad", { attempt: 1 }),
        "reject with a hole in the errors": () => reject?.(call, [null], { attempt: 1 }),
        "reject with a history that is a number": () =>
          reject?.(call, [error], { attempt: 2, history: 1 }),
        "reject with a tool's name": () => reject?.(call, [error], { attempt: 1, tool: "book" }),
        "reject with the definition of another tool": () =>
          reject?.({ ...call, name: "pay" }, [error], { attempt: 1, tool: BOOK }),
        "on an unknown event": () => on?.("callRejected", () => undefined),
        "on without a listener": () => on?.("call-rejected"),
      }),
    ).toMatchInlineSnapshot(`
      "
      reject nothing
          contract.reject: a call must be { id: string, name: string, arguments }, or { id, name, text } for free text.
      reject without an attempt
          contract.reject: \`attempt\` must be the number of this attempt, starting at 1, such as countAttempts(…).failed + 1.
      reject attempt 0
          contract.reject: \`attempt\` must be the number of this attempt, starting at 1, such as countAttempts(…).failed + 1.
      reject without errors
          contract.reject: \`errors\` must be a non-empty array of errors, such as those of contract.check().
      reject with a string for errors
          contract.reject: \`errors\` must be a non-empty array of errors, such as those of contract.check().
      reject with a hole in the errors
          contract.reject: \`errors\` must be a non-empty array of errors, such as those of contract.check().
      reject with a history that is a number
          contract.reject: \`history\` must be an array of attempts, such as countAttempts(…).history.
      reject with a tool's name
          A tool definition needs a name: pass { name: "read_file", inputSchema: { … } }.
      reject with the definition of another tool
          contract.reject: \`tool\` is 'book', but the call is of another tool. Pass the definition of the tool that was called.
      on an unknown event
          contract.on: unknown event. The events are call-admitted, call-repaired, call-executed, call-recovered, call-rejected, call-escalated, contract-degraded.
      on without a listener
          contract.on: the second argument must be a function (event) => void.
      "
    `);
  });

  test("is not a tool that is listed twice by the same definition", async () => {
    const tools = [BOOK, PAY, BOOK];
    expect(await admit?.(call, { conversationId: "thread-7", tools })).toMatchObject({
      status: "admitted",
    });
  });

  test("is reported before anything is counted", async () => {
    const fresh = createContract({ logger: () => undefined });
    const wrong = { ...context, correlationId: 5 as never };
    for (let again = 0; again < 3; again += 1) {
      await expect(fresh.admit({ ...call, arguments: BAD }, wrong)).rejects.toThrow(
        ToolContractError,
      );
    }
    const answer = await fresh.admit({ ...call, arguments: BAD }, context);
    expect(answer).toMatchObject({ status: "rejected", attempt: 1 });
  });
});
