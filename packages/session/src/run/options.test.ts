import { describe, expect, test } from "vitest";
import type { SessionLimits, Target } from "../shared/index.ts";
import { type Model, type Run, runs } from "../testing/index.ts";
import { xml } from "../xml/index.ts";
import { createSession, SESSION_OPTIONS, splitLimits } from "./index.ts";

type Case = readonly [name: string, target: object, fault: string];

const cases: readonly Case[] = [
  [
    "a buffer that takes the whole window",
    { model: "m", contextWindow: 1_000, contextWindowBufferTokens: 1_000 },
    "test: targets[0]: a contextWindow of 1000 tokens is not larger than contextWindowBufferTokens + maxOutputTokens, which are 1000. Lower these.",
  ],
  [
    "an answer that takes what the default buffer of 10 % leaves",
    { model: "m", contextWindow: 1_000, maxOutputTokens: 900 },
    "test: targets[0]: a contextWindow of 1000 tokens is not larger than contextWindowBufferTokens + maxOutputTokens, which are 1000. Lower these.",
  ],
  ...[null, undefined].map((model): Case => [
    `a model that is ${String(model)}`,
    { model },
    `test: targets[0]: \`model\` is ${String(model)}. Pass a model of the framework.`,
  ]),
  [
    "a target without a model",
    {},
    "test: targets[0] must be an object with a model, such as { model }.",
  ],
  [
    "a misspelt member",
    { model: "m", maxOutputToken: 5 },
    "test: targets[0] has an unknown member 'maxOutputToken'. Did you mean 'maxOutputTokens'?",
  ],
  [
    "an unknown member",
    { model: "m", color: "red" },
    "test: targets[0] has an unknown member 'color'. It takes model, settings, contextWindow, contextWindowBufferTokens, maxOutputTokens, requestTimeout, price.",
  ],
  [
    "settings that are not an object",
    { model: "m", settings: 5 },
    "test: targets[0]: `settings` must be an object, such as { temperature: 0.2 }.",
  ],
  [
    "a context window of 0",
    { model: "m", contextWindow: 0 },
    "test: targets[0]: `contextWindow` must be a whole number of at least 1, in tokens.",
  ],
  [
    "half a token of an answer",
    { model: "m", maxOutputTokens: 0.5 },
    "test: targets[0]: `maxOutputTokens` must be a whole number of at least 0, in tokens.",
  ],
  [
    "a price of which a part is missing",
    { model: "m", price: { input: 1 } },
    "test: targets[0]: `price` must be an object of US dollars for a million tokens, such as { input: 2.5, output: 10 }.",
  ],
  [
    "a time of none of its requests",
    { model: "m", requestTimeout: { total: 0 } },
    "test: targets[0]: `requestTimeout` must be an object of milliseconds from 1 to 2147483647, such as { firstToken: 300_000, silence: 300_000, total: 600_000 }.",
  ],
  [
    "a long unknown member",
    { model: "m", ["x".repeat(65)]: 1 },
    `test: targets[0] has an unknown member '${"x".repeat(64)}'. It takes`,
  ],
  [
    "a negative buffer",
    { model: "m", contextWindow: 10, contextWindowBufferTokens: -1 },
    "test: targets[0]: `contextWindowBufferTokens` must be a whole number of at least 0, in tokens.",
  ],
];

test.each(cases)("%s is an error when the session is created", (_, target, fault) => {
  expect(() => createdWith({ targets: [target as Target<string>] })).toThrow(fault);
});

const fine: readonly (readonly [string, object])[] = [
  ["a window of which one token is left", { contextWindow: 10, contextWindowBufferTokens: 9 }],
  ["a window with its default buffer", { contextWindow: 10, maxOutputTokens: 8 }],
  ["an answer of no tokens", { maxOutputTokens: 0 }],
  ["times that are left out", { requestTimeout: { total: undefined, silence: 1 } }],
  ["settings", { settings: {} }],
];

test.each(fine)("%s is not a fault", (_, members) => {
  expect(() => createdWith({ targets: [{ model: "m", ...members }] })).not.toThrow();
});

test.each([[undefined], [[]], ["m"]])("targets that are %j are an error", (targets) => {
  expect(() => createdWith({ targets: targets as never })).toThrow(
    "test: option 'targets' must name at least one model, such as [{ model }].",
  );
});

/** A session with these options, and one target unless they say otherwise. */
function createdWith(options: object): ReturnType<typeof createSession<Model>> {
  return createSession<Model>(
    { targets: [{ model: "m" }], ...options },
    {
      where: "test",
      nameOf: () => ({ provider: "p", model: "m" }),
    },
  );
}

const COUNT = "a whole number of at least 1";
const TIME = "a number of milliseconds from 1 to 2147483647";
const NAMES = "an array of tool names";
const TIMES =
  "an object of milliseconds from 1 to 2147483647, such as { firstToken: 300_000, silence: 300_000, total: 600_000 }";

const wrong: readonly (readonly [keyof SessionLimits, readonly unknown[], string])[] = [
  ["maxTurns", [0, 1.5, "3"], COUNT],
  ["maxRetries", [0], COUNT],
  ["maxTokens", [0], COUNT],
  ["maxCost", [0, Number.POSITIVE_INFINITY, Number.NaN, "1"], "a number of US dollars above 0"],
  ["requestTimeout", [{ totl: 1 }, { total: 0.5 }, { total: 2 ** 31 }, 5, [1]], TIMES],
  ["repeatableTools", ["poll", [1]], NAMES],
  ["maxToolCallsPerTurn", [0], COUNT],
  ["toolTimeout", [0, 0.5, 2 ** 31, "1"], `${TIME}, or a function (tool) => milliseconds`],
  ["toolResponseMaxBytes", [0, "1"], `${COUNT}, or a function (tool) => bytes`],
  [
    "toolResponse",
    [{ keep: "tail" }, { kept: "head" }, "head", []],
    'an object such as { keep: "head-and-tail" }, or { keep: "head" }',
  ],
  ["truncateExempt", ["batch", ["batch", 1]], NAMES],
  [
    "queues",
    [5],
    "an object such as { browser: { concurrent: 2 } }, or what createQueues returned",
  ],
  [
    "queueOf",
    [5, { open_page: 1 }],
    'an object of queue names by tool, such as { open_page: "browser" }',
  ],
  [
    "expectedOutputFormat",
    ["xml"],
    '"markdown" or "text" or "json" or "slack-block-kit" or "sub-agent"',
  ],
  ["outputSchema", ["{}"], "a JSON Schema object"],
  ["plainText", ["no"], '"accept" or "retry" or "nudge"'],
  ["reportAs", ["tool"], '"call" or "text"'],
  ["unverified", ["no", true], '"ask" or "mark" or "ignore"'],
  [
    "transport",
    ["xml", {}, { start: 1 }],
    '"native", or xml or xmlFinal of @toolcontract/session/xml',
  ],
  ["rateLimitWait", ["never"], '"always" or "same-target"'],
  ["maxRateLimitWait", [0, 2 ** 31], TIME],
  ["estimateTokens", [1], "a function"],
  ["classifyError", [1], "a function"],
  ["price", [1], "a function"],
  ["serverOf", ["x"], "a function"],
  ["trace", ["x"], "an object"],
  ["onEvent", [1], "a function"],
  ["clock", [1], "a function"],
  ["sleep", [1], "a function"],
];

test.each(wrong)("%s must be what it says", (name, values, wants) => {
  for (const value of values) {
    expect(() => createdWith({ [name]: value })).toThrow(
      `test: option '${name}' must be ${wants}.`,
    );
  }
});

test("every option has a row of what it must be", () => {
  expect(wrong.map(([name]) => name)).toEqual(Object.keys(SESSION_OPTIONS));
});

test.each<SessionLimits>([
  { maxTurns: 1, maxRetries: 1, maxTokens: 1, maxCost: 0.001, maxToolCallsPerTurn: 1 },
  { toolTimeout: 1, toolResponseMaxBytes: 1, maxRateLimitWait: 2 ** 31 - 1 },
  { requestTimeout: { firstToken: 1, silence: 1.5, total: 2 ** 31 - 1 } },
  { repeatableTools: [], truncateExempt: ["batch"], queueOf: {} },
  { expectedOutputFormat: "sub-agent", plainText: "nudge", transport: xml },
  { expectedOutputFormat: "slack-block-kit", plainText: "accept", transport: "native" },
  { expectedOutputFormat: "markdown", plainText: "retry", rateLimitWait: "always" },
  { expectedOutputFormat: "text", rateLimitWait: "same-target" },
  { expectedOutputFormat: "json", outputSchema: {} },
])("%j fits", (options) => {
  expect(() => createdWith(options)).not.toThrow();
});

test("a schema of a format that has none is an error", () => {
  expect(() => createdWith({ outputSchema: {} })).toThrow(
    `test: option 'outputSchema' needs expectedOutputFormat: "json"; no other format has a schema.`,
  );
});

test("a tool of an unknown queue is an error", () => {
  expect(() => createdWith({ queueOf: { open_page: "browser" } })).toThrow(
    'queue "browser" is not defined; known queues: default',
  );
});

test("what is left out has its default", () => {
  const { maxTurns, maxRetries, format } = createdWith({});
  expect({ maxTurns, maxRetries, format }).toEqual({
    maxTurns: 20,
    maxRetries: 3,
    format: "markdown",
  });
  expect(SESSION_OPTIONS).toMatchObject({
    plainText: { fallback: "accept" },
    reportAs: { fallback: "call" },
    unverified: { fallback: "ask" },
    transport: { fallback: "native" },
    rateLimitWait: { fallback: "same-target" },
    maxRateLimitWait: { fallback: 60_000 },
  });
});

test("an option that a file can set has a name there, a schema, and a sentence about it", () => {
  const rows = Object.entries(SESSION_OPTIONS).flatMap(([name, option]) =>
    option.key === undefined ? [] : [[name, option] as const],
  );
  expect(Object.fromEntries(rows.map(([name, { key, schema }]) => [name, [key, schema]])))
    .toMatchInlineSnapshot(`
      {
        "expectedOutputFormat": [
          "expected_output_format",
          {
            "enum": [
              "markdown",
              "text",
              "json",
              "slack-block-kit",
              "sub-agent",
            ],
            "type": "string",
          },
        ],
        "maxCost": [
          "max_cost",
          {
            "exclusiveMinimum": 0,
            "type": "number",
          },
        ],
        "maxRateLimitWait": [
          "max_rate_limit_wait",
          {
            "maximum": 2147483647,
            "minimum": 1,
            "type": "integer",
          },
        ],
        "maxRetries": [
          "max_retries",
          {
            "minimum": 1,
            "type": "integer",
          },
        ],
        "maxTokens": [
          "max_tokens",
          {
            "minimum": 1,
            "type": "integer",
          },
        ],
        "maxToolCallsPerTurn": [
          "max_tool_calls_per_turn",
          {
            "minimum": 1,
            "type": "integer",
          },
        ],
        "maxTurns": [
          "max_turns",
          {
            "minimum": 1,
            "type": "integer",
          },
        ],
        "outputSchema": [
          "output_schema",
          {
            "additionalProperties": {},
            "type": "object",
          },
        ],
        "plainText": [
          "plain_text",
          {
            "enum": [
              "accept",
              "retry",
              "nudge",
            ],
            "type": "string",
          },
        ],
        "rateLimitWait": [
          "rate_limit_wait",
          {
            "enum": [
              "always",
              "same-target",
            ],
            "type": "string",
          },
        ],
        "repeatableTools": [
          "repeatable_tools",
          {
            "items": {
              "minLength": 1,
              "type": "string",
            },
            "type": "array",
          },
        ],
        "reportAs": [
          "report_as",
          {
            "enum": [
              "call",
              "text",
            ],
            "type": "string",
          },
        ],
        "requestTimeout": [
          "request_timeout",
          {
            "additionalProperties": false,
            "properties": {
              "first_token": {
                "maximum": 2147483647,
                "minimum": 1,
                "type": "integer",
              },
              "silence": {
                "maximum": 2147483647,
                "minimum": 1,
                "type": "integer",
              },
              "total": {
                "maximum": 2147483647,
                "minimum": 1,
                "type": "integer",
              },
            },
            "type": "object",
          },
        ],
        "toolResponse": [
          "tool_response",
          {
            "additionalProperties": false,
            "properties": {
              "keep": {
                "enum": [
                  "head",
                  "head-and-tail",
                ],
                "type": "string",
              },
            },
            "type": "object",
          },
        ],
        "toolResponseMaxBytes": [
          "tool_response_max_bytes",
          {
            "minimum": 1,
            "type": "integer",
          },
        ],
        "toolTimeout": [
          "tool_timeout",
          {
            "maximum": 2147483647,
            "minimum": 1,
            "type": "integer",
          },
        ],
        "transport": [
          "transport",
          {
            "enum": [
              "native",
              "xml-final",
              "xml",
            ],
            "type": "string",
          },
        ],
        "truncateExempt": [
          "truncate_exempt",
          {
            "items": {
              "minLength": 1,
              "type": "string",
            },
            "type": "array",
          },
        ],
        "unverified": [
          "unverified",
          {
            "enum": [
              "ask",
              "mark",
              "ignore",
            ],
            "type": "string",
          },
        ],
      }
    `);
  for (const [, { about }] of rows) expect(about).toMatch(/^[A-Z].{10,}[a-z)]\.$/u);
});

describe("options of a contract and a session together", () => {
  const clock = (): number => 7;
  const estimateTokens = (): number => 1;

  test.each<readonly [string, object, object, object]>([
    [
      "are split by their names",
      { maxTurns: 3, onEvent: undefined, tools: {}, logger: false },
      { maxTurns: 3, onEvent: undefined },
      { tools: {}, logger: false },
    ],
    ["share the clock", { clock }, { clock }, { clock }],
    ["share the estimator", { estimateTokens }, { estimateTokens }, { format: { estimateTokens } }],
    [
      "keep the rest of a format",
      { estimateTokens, format: { style: "compact" } },
      { estimateTokens },
      { format: { estimateTokens, style: "compact" } },
    ],
    [
      "keep an estimator of the format's own",
      { estimateTokens, format: { estimateTokens: clock } },
      { estimateTokens },
      { format: { estimateTokens: clock } },
    ],
    [
      "keep an invalid format",
      { estimateTokens, format: "compact" },
      { estimateTokens },
      { format: "compact" },
    ],
    ["leave a format alone", { format: {} }, {}, { format: {} }],
    [
      "leave a contract alone",
      { clock, estimateTokens, contract: {} },
      { clock, estimateTokens },
      { contract: {} },
    ],
  ])("%s", (_, options, own, others) => {
    expect(splitLimits(options)).toMatchObject({ own, others });
    expect(splitLimits(options).own).toEqual(own);
    expect(splitLimits(options).others).toEqual(others);
  });

  test("know each other's names, but for the clock, which both have", () => {
    const { known } = splitLimits({});
    expect(Object.keys(known)).toEqual([
      ...Object.keys(SESSION_OPTIONS).filter((name) => name !== "clock"),
      "targets",
    ]);
    const { targets } = known;
    expect(targets?.wants).toBe("an array that names at least one model, such as [{ model }]");
    expect([targets?.fits([{}]), targets?.fits({})]).toEqual([true, false]);
  });
});

describe("an estimator of your own", () => {
  /** The tokens that a request of four letters is taken for. */
  async function estimated(estimateTokens: (text: string) => number): Promise<number | undefined> {
    const ask = async (run: Run): Promise<unknown> =>
      run.turn({ tools: [], messages: () => [{ role: "user", text: "word" }] }, async () => "x");
    const { events } = await runs(ask, {
      targets: [{ model: "a", contextWindow: 1_000 }],
      estimateTokens,
    });
    return events.flatMap((event) => (event.type === "llm-request" ? [event.newTokens] : []))[0];
  }

  test.each<readonly [string, () => number, number]>([
    ["counts", () => 40, 40],
    ["may count nothing", () => 0, 0],
    ["that gives less than nothing is not used", () => -1, 2],
    ["that gives no number is not used", () => Number.NaN, 2],
    ["that gives no end is not used", () => Number.POSITIVE_INFINITY, 2],
    [
      "that fails is not used",
      () => {
        throw new Error("no");
      },
      2,
    ],
  ])("%s", async (_, estimateTokens, tokens) => {
    expect(await estimated(estimateTokens)).toBe(tokens);
  });
});

test.each([
  { reportAs: "text", expectedOutputFormat: "json" },
  { reportAs: "text", expectedOutputFormat: "slack-block-kit" },
  { reportAs: "text", transport: xml },
] as const)("a report that has no text needs its tool: %j", (options) => {
  expect(() => createdWith(options)).toThrow("option 'reportAs' can be \"text\" for the formats");
});
