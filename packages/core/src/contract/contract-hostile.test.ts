import { toBullets } from "@toolcontract/explain/adapter";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import { countCost, expectLinearCost } from "@toolcontract/case-table/cost";
import { isWhole, oneInThree } from "@toolcontract/case-table/whole";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CheckResult, Handled } from "../call/index.ts";
import type { Contract } from "./contract.ts";
import type { ContractOptions } from "./options.ts";
import type { SchemaObject, ValidationError } from "@toolcontract/explain";
import type { ToolDefinition } from "../shared/index.ts";
import { createContract } from "./create-contract.ts";
import { parseRejection } from "../message/index.ts";

const SCHEMA: SchemaObject = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, maxLength: 4096, pattern: "^[^\\0]+$" },
    content: { type: "string", maxLength: 1_048_576 },
    encoding: { enum: ["utf-8", "ascii", "utf-16"] },
    mode: { type: "integer", minimum: 0, maximum: 511 },
    tags: {
      type: "array",
      items: { type: "string", pattern: "^(a+)+$" },
      uniqueItems: true,
      maxItems: 50,
    },
    edits: {
      type: "array",
      items: {
        type: "object",
        properties: { line: { type: "integer" }, author: { type: "string", format: "email" } },
        required: ["line"],
        additionalProperties: false,
      },
    },
    headers: { type: "object", additionalProperties: { type: "string", maxLength: 100 } },
    tree: { $ref: "#/$defs/node" },
    target: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "page" }, id: { type: "string" } },
          required: ["kind", "id"],
        },
        {
          type: "object",
          properties: { kind: { const: "line" }, at: { type: "integer" } },
          required: ["kind", "at"],
        },
      ],
    },
    since: { type: ["string", "null"], format: "date-time" },
  },
  required: ["path", "content"],
  dependentRequired: { mode: ["encoding"] },
  additionalProperties: false,
  $defs: {
    node: {
      type: "object",
      properties: {
        value: { type: "integer" },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
      required: ["value"],
    },
  },
};

const TOOL: ToolDefinition = { name: "write_file", inputSchema: SCHEMA };
const MEGABYTE = 1_000_000;
const LARGE = 250_000;

const MODES: readonly ContractOptions[] = [
  { interpreter: false, format: { style: "standard" } },
  {
    interpreter: true,
    format: { style: "compact" },
    unknownFields: "reject",
    unwrapStrings: true,
    reportAdvisories: true,
  },
  {
    interpreter: false,
    format: { style: "compact" },
    unknownFields: "warn",
    closeDangling: true,
    reportAdvisories: true,
  },
  {
    interpreter: true,
    format: { style: "standard" },
    repairJson: false,
  },
];

/** The first two differ in everything and suffice for slow rows; modes take turns, unless everything is run. */
function modesOf(row: number, isSlow: boolean): readonly ContractOptions[] {
  const isTurn = (mode: number): boolean => isWhole || row % 2 === mode % 2;
  return MODES.filter((_, mode) => (isSlow ? mode < 2 && isTurn(mode) : mode < 2 || isTurn(mode)));
}

function create(options: ContractOptions): Contract {
  return createContract({ logger: () => undefined, ...options });
}

function nested(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

function expectReadable(text: string, errors: readonly ValidationError[], total: number): void {
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text).not.toMatch(/\p{Surrogate}/u);
  const parsed = parseRejection(text);
  const shown = parsed?.errors.map(({ errorCode, fieldPath }) => ({ errorCode, fieldPath })) ?? [];
  // Errors that read alike share a bullet.
  const meant = toBullets(errors).flatMap(({ error: { errorCode }, places }) =>
    places.map((fieldPath) => ({ errorCode, fieldPath })),
  );
  // Includes the text, so that a failure shows it.
  expect({ text, shown }).toEqual({ text, shown: meant.slice(0, Math.max(1, shown.length)) });
  expect(shown.length + (parsed?.hiddenErrors ?? 0)).toBe(total);
}

interface Survival {
  readonly checked: CheckResult;
  readonly handled: Handled;
}

/** Sends arguments through every mode and expects no throw, a short message and a low cost. */
async function survive(args: unknown, mode: ContractOptions, limit: number): Promise<Survival> {
  const contract = create(mode);
  const cost = countCost();
  const checked = contract.check(TOOL, args);
  const [handled] = await contract.handleTurn(
    [{ id: "call_1", name: "write_file", arguments: args }],
    { conversationId: "thread-7", tools: [TOOL], execute: () => "written" },
  );
  expect(cost()).toBeLessThan(limit);
  if (handled === undefined || handled.status === "failed") throw new Error("There is no answer");
  expect(handled.status === "executed").toBe(checked.status === "valid");
  if (checked.status === "invalid" && handled.status !== "executed") {
    const { errors, totalErrors, atLeast } = checked;
    // In ten bullets.
    expect(errors.length).toBeLessThanOrEqual(50);
    expect(totalErrors).toBeGreaterThanOrEqual(errors.length);
    expect(totalErrors).toBeLessThanOrEqual(200);
    expect(handled.errors).toEqual(errors);
    expectReadable(handled.result.content, errors, totalErrors);
    const hidden = parseRejection(handled.result.content);
    expect(hidden?.atLeast).toBe(atLeast && (hidden?.hiddenErrors ?? 0) > 0);
    expect(JSON.stringify(handled).length).toBeLessThan(60_000);
  }
  return { checked, handled };
}

interface Hostile {
  readonly name: string;
  readonly args: () => unknown;
  /** The codes of the first errors in the first mode; empty if the call is valid. */
  readonly codes: readonly string[];
  readonly huge?: true;
}

const fine = { path: "notes.md", content: "Hello" };

const HOSTILE: readonly Hostile[] = [
  {
    name: "4 MB of content",
    args: () => ({ ...fine, content: "x".repeat(4 * MEGABYTE) }),
    codes: ["VAL-009"],
    huge: true,
  },
  {
    name: "4 MB of content as JSON text",
    args: () => JSON.stringify({ ...fine, content: "x".repeat(4 * MEGABYTE) }),
    codes: ["VAL-009"],
    huge: true,
  },
  {
    name: "4 MB of prose",
    args: () => "no JSON ".repeat(MEGABYTE / 2),
    codes: ["VAL-004"],
    huge: true,
  },
  {
    name: "4 MB of quotes",
    args: () => '"'.repeat(4 * MEGABYTE),
    codes: ["VAL-004"],
    huge: true,
  },
  {
    name: "1 MB of open brackets",
    args: () => "[".repeat(MEGABYTE),
    codes: ["VAL-011"],
    huge: true,
  },
  {
    name: "4 MB of backslashes",
    args: () => `{"path":"${"\\".repeat(4 * MEGABYTE)}`,
    codes: ["VAL-011"],
    huge: true,
  },
  {
    name: "4 MB of blank lines",
    args: () => "\n".repeat(4 * MEGABYTE),
    codes: ["VAL-001", "VAL-001"],
    huge: true,
  },
  {
    name: "100,000 bad items",
    args: () => ({
      ...fine,
      edits: Array.from({ length: 100_000 }, () => ({ line: "x", who: 1 })),
    }),
    codes: ["VAL-002", "VAL-005", "VAL-002", "VAL-005"],
    huge: true,
  },
  {
    name: "100,000 bad items as JSON text",
    args: () =>
      JSON.stringify({ ...fine, edits: Array.from({ length: 100_000 }, () => ({ line: "x" })) }),
    codes: ["VAL-002", "VAL-002"],
    huge: true,
  },
  {
    name: "100,000 items where 50 are allowed",
    args: () => ({ ...fine, tags: Array.from({ length: 100_000 }, (_, index) => index) }),
    codes: ["VAL-006", "VAL-002"],
    huge: true,
  },
  {
    name: "100,000 equal objects where items are unique",
    args: () => ({ ...fine, tags: Array.from({ length: 100_000 }, () => ({ a: [1] })) }),
    codes: ["VAL-006", "VAL-002"],
    huge: true,
  },
  {
    name: "100,000 unknown fields",
    args: () => Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1])),
    codes: ["VAL-001", "VAL-005"],
    huge: true,
  },
  {
    name: "1,000 unknown fields that are nearly declared",
    args: () =>
      Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`content${index}`, 1])),
    codes: ["VAL-001", "VAL-005"],
  },
  {
    name: "10,000 nested brackets",
    args: () => `{"path":"a","content":${nested(10_000)}}`,
    codes: ["VAL-002"],
  },
  {
    name: "100,000 nested brackets",
    args: () => `{"path":"a","content":${nested(100_000)}}`,
    codes: ["VAL-002"],
    huge: true,
  },
  {
    name: "10,000 nested brackets as a value",
    args: (): unknown => JSON.parse(`{"path":"a","content":${nested(10_000)}}`),
    codes: ["VAL-002"],
  },
  {
    name: "10,000 levels of a recursive schema",
    args: () =>
      `{"path":"a","content":"b","tree":${'{"value":1,"children":['.repeat(10_000)}${"]}".repeat(10_000)}}`,
    codes: ["VAL-003"],
  },
  {
    name: "10,000 nested brackets that need repair",
    args: () => `{path:'a','content':${nested(10_000)},}`,
    codes: ["VAL-004"],
  },
  {
    name: "10,000 nested brackets in a text",
    args: () => ({ ...fine, edits: nested(10_000) }),
    codes: ["VAL-002"],
  },
  {
    name: "10,000 unclosed objects",
    args: () => '{"a":'.repeat(10_000),
    codes: ["VAL-011"],
  },
  {
    name: "keys of every object's prototype",
    args: () => '{"__proto__":{"path":"a"},"constructor":{"prototype":{"path":1}},"toString":1}',
    codes: ["VAL-005", "VAL-005", "VAL-001", "VAL-001", "VAL-005"],
  },
  {
    name: "keys of every object's prototype below a map",
    args: () => '{"path":"a","content":"b","headers":{"__proto__":1,"constructor":2,"valueOf":3}}',
    codes: ["VAL-002", "VAL-002", "VAL-002"],
  },
  {
    name: "lone surrogates",
    args: () => ({ path: "\ud800", content: 5, "\udfff": 1, encoding: "\udc00\ud800" }),
    codes: ["VAL-002", "VAL-008", "VAL-005"],
  },
  {
    name: "lone surrogates as JSON text",
    args: () => '{"path":"\\ud800","content":5,"\\udfff":1,"encoding":"\\udc00\\ud800"}',
    codes: ["VAL-002", "VAL-008", "VAL-005"],
  },
  {
    name: "a key of 250 KB",
    args: () => ({ ...fine, ["k".repeat(LARGE)]: 1 }),
    codes: ["VAL-005"],
  },
  {
    name: "a key of 375 KB as JSON text",
    args: () => JSON.stringify({ ...fine, headers: { ["k/~".repeat(LARGE / 2)]: 1 } }),
    codes: ["VAL-002"],
  },
  {
    name: "a choice of 250 KB",
    args: () => ({ ...fine, encoding: "utf-8".repeat(LARGE / 5) }),
    codes: ["VAL-008"],
  },
  {
    name: "one letter with 250,000 marks",
    args: () => ({ ...fine, encoding: `e${"\u0301".repeat(LARGE)}` }),
    codes: ["VAL-008"],
  },
  {
    name: "125,000 joined emoji",
    args: () => ({ ...fine, encoding: "\u{1f468}\u200d".repeat(LARGE / 2) }),
    codes: ["VAL-008"],
  },
  {
    name: "letters that write from right to left, and invisible ones",
    args: () => ({ ...fine, encoding: "\u202e8-ftu\u2066\u200b\u2028\u2029\u0000\u001b[2J" }),
    codes: ["VAL-008"],
  },
  {
    name: "an address that formats backtrack on",
    args: () => ({ ...fine, edits: [{ line: 1, author: `a@${"a.".repeat(LARGE / 2)}` }] }),
    codes: ["VAL-010"],
  },
  {
    name: "a time that formats backtrack on",
    args: () => ({ ...fine, since: `2024-02-30T${"1".repeat(LARGE)}` }),
    codes: ["VAL-010"],
  },
  {
    name: "a short text that a pattern backtracks on",
    args: () => ({ ...fine, tags: [`${"a".repeat(18)}!`] }),
    codes: ["VAL-007"],
  },
  {
    name: "numbers beyond all measure",
    args: () => '{"path":"a","content":"b","mode":1e999,"encoding":-1e999}',
    codes: ["VAL-008", "VAL-002"],
  },
  { name: "a number of 250,000 digits", args: () => "9".repeat(LARGE), codes: ["VAL-002"] },
  { name: "nothing", args: () => undefined, codes: ["VAL-001", "VAL-001"] },
  { name: "null", args: () => null, codes: ["VAL-002"] },
  { name: "a text of a null character", args: () => "\u0000", codes: ["VAL-004"] },
];

describe("hostile arguments", () => {
  const large = HOSTILE.filter((row) => row.huge === true);
  const others = HOSTILE.filter((row) => row.huge !== true);
  test.for([...oneInThree(large), ...others])("survives $name", async (hostile) => {
    const { args, codes, huge } = hostile;
    const modes = modesOf(HOSTILE.indexOf(hostile), huge === true);
    for (const mode of modes) {
      const { checked } = await survive(args(), mode, 8000);
      if (mode !== MODES[0]) continue;
      const found = checked.status === "invalid" ? checked.errors.map((one) => one.errorCode) : [];
      expect(found.slice(0, codes.length)).toEqual(codes);
    }
  });

  test("says how many errors there are at least if it stopped counting", async () => {
    for (const [row, mode] of MODES.entries()) {
      const edits = Array.from({ length: row === 0 ? 10_000 : 1000 }, () => ({ line: "x" }));
      const { checked, handled } = await survive({ ...fine, edits }, mode, 8000);
      expect(checked).toMatchObject({ totalErrors: 100, atLeast: true });
      expect(handled.result.content).toContain("\n... and at least 50 more errors\n");
    }
  });

  test.each<["refuse" | "accept", object]>([
    ["accept", { status: "valid" }],
    ["refuse", { status: "invalid", errors: [{ errorCode: "VAL-016", fieldPath: "" }] }],
  ])(
    "a string on which a pattern would backtrack for years costs little: %s",
    (overBudget, verdict) => {
      const warnings: unknown[] = [];
      const contract = createContract({ overBudget, logger: (fields) => warnings.push(fields) });
      for (let call = 0; call < 3; call += 1) {
        const cost = countCost();
        expect(contract.check(TOOL, { ...fine, tags: [`${"a".repeat(50_000)}!`] })).toMatchObject(
          verdict,
        );
        expect(cost()).toBeLessThan(2000);
      }
      // What is refused is not a fault of the contract.
      expect(warnings.length).toBe(overBudget === "accept" ? 1 : 0);
      if (overBudget === "accept")
        expect(warnings).toEqual([
          {
            level: "warn",
            stage: "schema: pattern-too-slow",
            error_class: "Error",
            tool_name: "write_file",
            places: ["/properties/tags/items/pattern"],
          },
        ]);
    },
  );

  test("a contract reports the strings of its own calls, not those of others with the same tool", () => {
    const logOf = (tag: string): readonly unknown[] => {
      const logged: unknown[] = [];
      const logger = (fields: object): unknown => logged.push(fields);
      const contract = createContract({ overBudget: "accept", logger });
      contract.check(TOOL, { ...fine, tags: [tag] });
      return logged;
    };
    expect(logOf(`${"a".repeat(50_000)}!`)).toMatchObject([{ stage: "schema: pattern-too-slow" }]);
    expect(logOf("aaa")).toEqual([]);
  });

  test("60 required fields and 500 misspelt ones cost little", () => {
    const names = Array.from(
      { length: 60 },
      (_, index) => `${"customer_address_".repeat(2)}${index}`,
    );
    const inputSchema = {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      required: names,
      additionalProperties: false,
    };
    const strays = Array.from({ length: 500 }, (_, index) => [
      `${"consumer_adress_".repeat(2)}${index}`,
      1,
    ]);
    // Both look for near names in the same way.
    for (const interpreter of isWhole ? [false, true] : [false]) {
      const contract = createContract({ interpreter });
      const cost = countCost();
      contract.check({ name: "move_in", inputSchema }, Object.fromEntries(strays));
      expect(cost()).toBeLessThan(2000);
    }
  });

  test("keeps nothing of 100,000 bad items", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const contract = createContract({ logger: () => undefined });
    const results: CheckResult[] = [];
    const check = (): void => {
      const edits = Array.from({ length: 100_000 }, (_, line) => ({ line: `line ${line}` }));
      results.push(contract.check(TOOL, { ...fine, edits }));
    };
    check();
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 3; round += 1) check();
    collect();
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5 * MEGABYTE);
    expect(JSON.stringify(results).length).toBeLessThan(results.length * 15_000);
  });

  test("invented tool names neither escape the limit nor grow anything", async () => {
    const contract = createContract({ logger: () => undefined });
    const statuses = new Set<string>();
    for (let call = 0; call < (isWhole ? 2000 : 100); call += 1) {
      const { status } = await contract.admit(
        { id: `call_${call}`, name: `tool_${call}`.repeat(100), arguments: {} },
        { conversationId: "thread-7", turnId: `turn ${call}`, tools: [TOOL] },
      );
      statuses.add(`${Math.min(call, 2)} ${status}`);
    }
    expect([...statuses]).toEqual(["0 rejected", "1 rejected", "2 blocked"]);
    expect(Object.keys(contract.metrics().byTool)).toEqual(["(unknown)"]);
  });
});

describe("values from hosts", () => {
  const secret = "only the host knows this";
  const boom = (): never => {
    throw new Error(secret);
  };
  const traps = { get: boom, has: boom, ownKeys: boom, getOwnPropertyDescriptor: boom };
  const revoked = (): object => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const cyclic: Record<string, unknown> = { ...fine };
  cyclic["self"] = cyclic;
  cyclic["tree"] = cyclic;
  cyclic["edits"] = [cyclic, [cyclic]];

  const VALUES: Readonly<Record<string, unknown>> = {
    "a cycle": cyclic,
    "a proxy that throws": new Proxy({}, traps),
    "a proxy that throws, inside": {
      ...fine,
      tree: new Proxy({}, traps),
      tags: [new Proxy([], traps)],
    },
    "a revoked proxy": revoked(),
    "a revoked proxy inside": {
      ...fine,
      path: revoked(),
      edits: revoked(),
      headers: { a: revoked() },
    },
    "a getter that throws": {
      ...fine,
      get content(): never {
        return boom();
      },
    },
    "a getter that throws, in a map": {
      ...fine,
      headers: {
        get a(): never {
          return boom();
        },
      },
    },
    "a toJSON that throws": { ...fine, path: { toJSON: boom, toString: boom, valueOf: boom } },
    "big integers": {
      path: 1n,
      content: 2n,
      mode: 5n,
      edits: [1n],
      target: 1n,
      headers: { a: 1n },
    },
    "a big integer": 5n,
    "a list of one big integer": { ...fine, mode: [5n] },
    dates: { path: new Date(0), content: new Date(Number.NaN), since: new Date(0) },
    symbols: { path: Symbol("a"), [Symbol("b")]: 1, mode: Symbol.iterator },
    "a symbol": Symbol("a"),
    functions: { path: () => "a", content: boom, mode: Date },
    "a function": boom,
    "a sparse list": { ...fine, edits: Array(MEGABYTE), tags: Object.assign([], { 2: "a" }) },
    "an object without a prototype": Object.assign(Object.create(null), { path: 1 }),
    "numbers that are none": { ...fine, mode: Number.NaN, encoding: Number.POSITIVE_INFINITY },
    "a Map": new Map([["path", 1]]),
    "boxed values": { path: Object("a"), content: Object(1), mode: Object(1n) },
    "binary data": { ...fine, content: new Uint8Array(isWhole ? MEGABYTE : MEGABYTE / 16) },
    "a thenable": { then: boom, path: 1 },
    "undefined fields": { path: undefined, content: undefined, mode: undefined },
  };

  test.for(Object.entries(VALUES))(
    "survives %s, and repeats nothing that is thrown",
    async ([name, args]) => {
      const row = Object.keys(VALUES).indexOf(name);
      for (const mode of modesOf(row, args === cyclic)) {
        const { checked, handled } = await survive(args, mode, 8000);
        expect(
          JSON.stringify([checked.status === "invalid" && checked, handled.result]),
        ).not.toContain(secret);
      }
    },
  );
});

describe("names that every object inherits", () => {
  const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "then"];

  test.for(NAMES)(
    "a tool may be called %s, and be counted and blocked like any other",
    async (name) => {
      const tool: ToolDefinition = { name, inputSchema: { type: "object", required: ["path"] } };
      for (const tools of [[tool], Object.fromEntries([[name, tool]])]) {
        const contract = createContract({ logger: () => undefined });
        const statuses: string[] = [];
        for (const turnId of ["1", "2", "3", "4"]) {
          const call = { id: `call_${turnId}`, name, arguments: {} };
          const context = { conversationId: name, turnId, tools, execute: () => "ran" };
          const { status, result } = await contract.handle(call, context);
          statuses.push(status);
          expect(parseRejection(result.content)).toMatchObject({ toolName: name });
        }
        expect(statuses).toEqual(["rejected", "rejected", "blocked", "blocked"]);
        expect(contract.metrics().byTool[name]).toMatchObject({ calls: 4, blocked: 2 });
      }
    },
  );

  test.for(NAMES)("a call of %s is one of an unknown tool where there is none", async (name) => {
    const contract = createContract({ logger: () => undefined });
    for (const tools of [[TOOL], { write_file: TOOL }]) {
      const context = { conversationId: "thread-7", tools, execute: () => "ran" };
      const { result } = await contract.handle({ id: "call_1", name, arguments: {} }, context);
      expect(result.errors).toMatchObject([{ errorCode: "VAL-012" }]);
    }
  });

  test.for(NAMES)("an argument may be called %s, and no prototype changes", (name) => {
    const properties = Object.fromEntries([[name, { type: "integer" }]]);
    const inputSchema = {
      type: "object",
      properties,
      required: [name],
      additionalProperties: false,
    };
    const at = `/${name}`;
    for (const interpreter of [false, true]) {
      const contract = createContract({ interpreter });
      const check = (text: string): unknown => contract.check({ name: "set", inputSchema }, text);
      expect(check("{}")).toMatchObject({ errors: [{ errorCode: "VAL-001", fieldPath: at }] });
      expect(check(`{"${name}":"x"}`)).toMatchObject({
        errors: [{ errorCode: "VAL-002", fieldPath: at }],
      });
      expect(check(`{${JSON.stringify(name)}:1}`)).toMatchObject({ status: "valid", repairs: [] });
      expect(check(`{'${name}':1,}`)).toMatchObject({ status: "valid" });
      const result = contract.check({ name: "set", inputSchema }, `{"${name}":1}`);
      const { output = {} } = result.status === "valid" ? (result as { output: object }) : {};
      expect(Object.entries(output)).toEqual([[name, 1]]);
      expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe("any arguments", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("a", "utf-8", "page", "__proto__"),
  );
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  const node = fc.letrec((tie) => ({
    node: fc.record(
      {
        value: fc.integer(),
        children: fc.array(tie("node"), { maxLength: 3, depthIdentifier: "node" }),
      },
      { requiredKeys: ["value"] },
    ),
  })).node;
  const good = {
    path: fc.string({ minLength: 1, maxLength: 20 }).map((path) => path.replaceAll("\0", "0")),
    content: fc.string({ unit: "grapheme" }),
    encoding: fc.constantFrom("utf-8", "ascii", "utf-16"),
    mode: fc.integer({ min: 0, max: 511 }),
    tags: fc.uniqueArray(fc.stringMatching(/^a{1,10}$/), { maxLength: 5 }),
    edits: fc.array(
      fc.record(
        { line: fc.integer(), author: fc.constant("ada@example.com") },
        { requiredKeys: ["line"] },
      ),
      { maxLength: 4 },
    ),
    headers: fc.dictionary(text, fc.string({ maxLength: 50 }), { maxKeys: 3 }),
    tree: node,
    target: fc.oneof(
      fc.record({ kind: fc.constant("page"), id: fc.string() }),
      fc.record({ kind: fc.constant("line"), at: fc.integer() }),
    ),
    since: fc.constantFrom(null, "2024-02-29T12:00:00Z"),
  };
  const acceptable = fc.record(good, { requiredKeys: ["path", "content", "encoding"] });
  const spoilt = fc
    .tuple(
      acceptable,
      fc.dictionary(fc.oneof(fc.constantFrom(...Object.keys(good)), text), json, { maxKeys: 4 }),
    )
    .map(([args, changes]): unknown => ({ ...args, ...changes }));
  const anything = fc.oneof(json, spoilt, acceptable);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  const accepts = ajv.compile(SCHEMA);
  const contracts = MODES.map(create);
  // Only these admit all that the schema accepts: `unknownFields` asks for more.
  const lenient = MODES.filter((mode) => mode.unknownFields === undefined).map(create);

  function freeze<T>(value: T): T {
    if (typeof value === "object" && value !== null) {
      Object.values(value).forEach(freeze);
      Object.freeze(value);
    }
    return value;
  }

  test("what the schema accepts is admitted unchanged", () => {
    fc.assert(
      fc.property(anything, (args) => {
        fc.pre(accepts(args));
        const asSent = JSON.stringify(args);
        freeze(args);
        for (const contract of lenient) {
          for (const sent of [args, asSent]) {
            const result = contract.check(TOOL, sent);
            expect(result.status).toBe("valid");
            if (result.status !== "valid") return;
            expect(result.output).toEqual(JSON.parse(asSent));
            expect(result.input).toEqual(result.output);
            expect(result.repairs).toEqual([]);
          }
        }
        expect(JSON.stringify(args)).toBe(asSent);
      }),
      { numRuns: 200 },
    );
  });

  test("what the schema rejects is never admitted, and the result says why", () => {
    fc.assert(
      fc.property(anything, (args) => {
        fc.pre(!accepts(args));
        freeze(args);
        for (const contract of lenient) {
          const result = contract.check(TOOL, args);
          expect(result.status).toBe("invalid");
          if (result.status === "invalid") expect(result.errors.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("every message parses back to the same codes and pointers", async () => {
    const anyText = fc.oneof(
      anything.map((args) => JSON.stringify(args)),
      fc.string({ unit: "binary" }),
      fc.tuple(anything, fc.nat()).map(([args, end]) => JSON.stringify(args).slice(0, end)),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, anyText), text, async (args, name) => {
        for (const contract of contracts) {
          const checked = contract.check(TOOL, args);
          if (checked.status === "valid") continue;
          const { errors, totalErrors } = checked;
          const call = { id: "call_1", name: "write_file", arguments: args };
          const context = { conversationId: JSON.stringify([args, name]), tools: [TOOL] };
          const admission = await contract.admit(call, context);
          if (admission.status === "admitted") throw new Error("check and admit disagree");
          expectReadable(admission.result.content, errors, totalErrors);
          const rejected = await contract.reject({ ...call, name }, errors, { attempt: 1 });
          expectReadable(rejected.result.content, errors, errors.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("the same arguments give the same result", () => {
    fc.assert(
      fc.property(anything, (args) => {
        for (const [index, mode] of MODES.entries()) {
          const result = create(mode).check(TOOL, structuredClone(args));
          expect(contracts[index]?.check(TOOL, args)).toEqual(result);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("parseRejection takes any string and reads only whole messages", () => {
    const lines = fc.constantFrom(
      "Validation failed for tool 'write_file' (attempt 1/3):",
      "",
      "Errors:",
      "• /path (VAL-001): Required field 'path' is missing",
      "- /path (VAL-001): missing; expected string",
      "  Expected: string",
      "... and 4 more errors",
      "Guidance:",
      "Correct these and call 'write_file' again with all arguments.",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.string({ unit: "binary" }),
          fc.array(lines).map((chosen) => chosen.join("\n")),
        ),
        (input) => {
          const parsed = parseRejection(input);
          if (parsed !== undefined) expect(parsed.errors.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

test.each([
  ["valid", '{"x":1}'],
  ["wrong", '{"y":1}'],
])("the time for a turn grows with its calls, if they are %s", async (_, args) => {
  const inputSchema = { type: "object", required: ["x"] };
  const tools = [{ name: "t", inputSchema, execute: () => 1 }];
  await expectLinearCost((count) => {
    const calls = Array.from({ length: count }, (_call, index) => ({
      id: `c${index}`,
      name: "t",
      arguments: args,
    }));
    return async () => {
      const contract = createContract({ logger: false });
      await contract.handleTurn(calls, { tools, conversationId: "k", turnId: "1", runId: "r" });
    };
  }, 1_000);
});
