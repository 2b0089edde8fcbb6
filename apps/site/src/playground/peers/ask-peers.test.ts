import { readFileSync } from "node:fs";
import type { JsonSchema } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { askPeers } from "./ask-peers.ts";
import type { PeerAnswer, PeerName } from "./peer-answer.ts";

const readFile = {
  type: "object",
  properties: { path: { type: "string" }, mode: { enum: ["r", "w"] } },
  required: ["path"],
  additionalProperties: false,
};

const shape = (kind: string, size: string): JsonSchema => ({
  type: "object",
  properties: { kind: { const: kind }, [size]: { type: "number" } },
  required: ["kind", size],
});

const draw = {
  type: "object",
  properties: { shape: { oneOf: [shape("circle", "radius"), shape("square", "side")] } },
  required: ["shape"],
};

type Key = `${PeerName}, ${PeerAnswer["declared"]}`;
type Expected = Pick<PeerAnswer, "outcome" | "text" | "note">;

interface Row {
  readonly name: string;
  readonly schema: JsonSchema | z.ZodType;
  readonly text: string;
  readonly expected: Partial<Record<Key, Expected>>;
}

const UNCHECKED = "jsonSchema() validates nothing by itself.";
const CONVERTED = "Its schema is converted with z.fromJSONSchema.";
const STACK = "The message holds the stack of the error; here it names files of this page.";
const SET_ASIDE =
  "LangChain sets a call aside if its arguments are not JSON: the agent ends, and the model reads nothing.";
const UNSEEN = "A server gets parsed arguments: what happens to any others is up to its host.";
const VALIDATOR =
  "In a browser the SDK validates with @cfworker/json-schema; in Node with ajv, which words faults differently.";

const answered = (text: string, note?: string): Expected => said("answered", text, note);
const ran = (text: string, note?: string): Expected => said("ran", text, note);
const ended = (note: string): Expected => said("ended the run", "", note);
const notAsked = (note: string): Expected => said("not asked", "", note);
const said = (outcome: PeerAnswer["outcome"], text: string, note?: string): Expected => ({
  outcome,
  text,
  ...(note !== undefined && { note }),
});

const langchainMessage = (kwargs: string, faults = ""): string =>
  `Error invoking tool 'do_it' with kwargs ${kwargs} with error: Error: Received tool input did not match expected schema${faults}
    at …
 Please fix the error and try again.`;

const rows: readonly Row[] = [
  {
    name: "a misspelt key",
    schema: readFile,
    text: '{"pth":"a.md"}',
    expected: {
      "AI SDK, JSON Schema": ran('{\n  "pth": "a.md"\n}', UNCHECKED),
      "AI SDK, zod":
        answered(`AI_InvalidToolInputError: Invalid input for tool do_it: AI_TypeValidationError: Type validation failed: Value: {"pth":"a.md"}.
Error message: [
  {
    "expected": "string",
    "code": "invalid_type",
    "path": [
      "path"
    ],
    "message": "Invalid input: expected string, received undefined"
  },
  {
    "code": "unrecognized_keys",
    "keys": [
      "pth"
    ],
    "path": [],
    "message": "Unrecognized key: \\"pth\\""
  }
]`),
      "LangChain, JSON Schema": answered(langchainMessage('{"pth":"a.md"}'), STACK),
      "LangChain, zod": answered(
        langchainMessage(
          '{"pth":"a.md"}',
          '\n\n✖ Unrecognized key: "pth"\n✖ Invalid input: expected string, received undefined\n  → at path',
        ),
        STACK,
      ),
      "MCP SDK, JSON Schema": answered(
        "Input validation error: Invalid arguments for tool do_it: data must have required property 'path', data must NOT have additional properties",
        VALIDATOR,
      ),
      "MCP SDK, zod": answered(
        'Input validation error: Invalid arguments for tool do_it: path: Invalid input: expected string, received undefined, Unrecognized key: "pth"',
      ),
    },
  },
  {
    name: "a valid call",
    schema: readFile,
    text: '{"path":"a.md"}',
    expected: {
      "AI SDK, JSON Schema": ran('{\n  "path": "a.md"\n}', UNCHECKED),
      "AI SDK, zod": ran('{\n  "path": "a.md"\n}'),
      "LangChain, JSON Schema": ran('{\n  "path": "a.md"\n}'),
      "LangChain, zod": ran('{\n  "path": "a.md"\n}'),
      "MCP SDK, JSON Schema": ran('{\n  "path": "a.md"\n}'),
      "MCP SDK, zod": ran('{\n  "path": "a.md"\n}'),
    },
  },
  {
    name: "arguments that are cut",
    schema: readFile,
    text: '{"path":',
    expected: {
      "AI SDK, JSON Schema": answered(
        'AI_InvalidToolInputError: Invalid input for tool do_it: AI_JSONParseError: JSON parsing failed: Text: {"path":.\nError message: SyntaxError: Unexpected end of JSON input',
      ),
      "AI SDK, zod": answered(
        'AI_InvalidToolInputError: Invalid input for tool do_it: AI_JSONParseError: JSON parsing failed: Text: {"path":.\nError message: SyntaxError: Unexpected end of JSON input',
      ),
      "LangChain, JSON Schema": ended(SET_ASIDE),
      "LangChain, zod": ended(SET_ASIDE),
      "MCP SDK, JSON Schema": notAsked(UNSEEN),
      "MCP SDK, zod": notAsked(UNSEEN),
    },
  },
  {
    name: "a union with a wrong tag",
    schema: draw,
    text: '{"shape":{"kind":"sqare","side":2}}',
    expected: {
      "AI SDK, JSON Schema": ran(
        '{\n  "shape": {\n    "kind": "sqare",\n    "side": 2\n  }\n}',
        UNCHECKED,
      ),
      "LangChain, JSON Schema": answered(
        langchainMessage('{"shape":{"kind":"sqare","side":2}}'),
        STACK,
      ),
      "LangChain, zod": answered(
        langchainMessage(
          '{"shape":{"kind":"sqare","side":2}}',
          "\n\n✖ Invalid input\n  → at shape",
        ),
        STACK,
      ),
      "MCP SDK, zod": answered(
        "Input validation error: Invalid arguments for tool do_it: shape: Invalid input",
      ),
    },
  },
  {
    name: "a list instead of an object",
    schema: readFile,
    text: '["a.md"]',
    expected: {
      "AI SDK, JSON Schema": ran('[\n  "a.md"\n]', UNCHECKED),
      "LangChain, zod": answered(
        langchainMessage('["a.md"]', "\n\n✖ Invalid input: expected object, received array"),
        STACK,
      ),
      "MCP SDK, zod": answered(`Invalid tools/call request: [
  {
    "expected": "record",
    "code": "invalid_type",
    "path": [
      "params",
      "arguments"
    ],
    "message": "Invalid input: expected record, received array"
  }
]`),
    },
  },
  {
    name: "a schema that zod cannot read",
    schema: { type: "object", properties: { a: { not: { type: "string" } } } },
    text: '{"a":"b"}',
    expected: {
      "AI SDK, JSON Schema": ran('{\n  "a": "b"\n}', UNCHECKED),
      "AI SDK, zod": notAsked(
        "z.fromJSONSchema cannot read this schema: not is not supported in Zod (except { not: {} } for never)",
      ),
      "MCP SDK, JSON Schema": answered(
        "Input validation error: Invalid arguments for tool do_it: data/a must NOT be valid",
        VALIDATOR,
      ),
    },
  },
  {
    name: "a schema that nothing can read",
    schema: { type: "objekt" },
    text: "{}",
    expected: {
      "LangChain, JSON Schema": answered(langchainMessage("{}"), STACK),
      "LangChain, zod": notAsked(
        "z.fromJSONSchema cannot read this schema: Unsupported type: objekt",
      ),
      "MCP SDK, JSON Schema": notAsked(
        "It does not take this tool: type must be JSONType or JSONType[]: objekt",
      ),
    },
  },
  {
    name: "a zod tool, whose arguments become what JSON cannot hold",
    schema: z.object({ big: z.coerce.bigint(), name: z.string().transform((name) => name.length) }),
    text: '{"big":"9007199254740993","name":"four"}',
    expected: {
      "AI SDK, zod": ended("It threw: BigInt cannot be represented in JSON Schema"),
      "LangChain, zod": ran('{\n  "big": "9007199254740993",\n  "name": 4\n}'),
      "MCP SDK, zod": ran('{\n  "big": "9007199254740993",\n  "name": 4\n}'),
    },
  },
];

test.each(rows)("$name", async ({ schema, text, expected }) => {
  const answers = await askPeers({ tool: { name: "do_it", schema }, text });
  const given = Object.fromEntries(answers.map((answer) => [keyOf(answer), saidIn(answer)]));
  expect(given).toMatchObject(expected);
});

describe("the answers to a call", () => {
  test("are in the order of the peers, the tool first as it was given", async () => {
    const answers = await askPeers({ tool: { name: "do_it", schema: readFile }, text: "{}" });
    expect(answers.map(keyOf)).toEqual([
      "AI SDK, JSON Schema",
      "AI SDK, zod",
      "LangChain, JSON Schema",
      "LangChain, zod",
      "MCP SDK, JSON Schema",
      "MCP SDK, zod",
    ]);
  });

  test("of a zod tool are one for each peer", async () => {
    const schema = z.object({ path: z.string() });
    const answers = await askPeers({ tool: { name: "do_it", schema }, text: "{}" });
    expect(answers.map(keyOf)).toEqual(["AI SDK, zod", "LangChain, zod", "MCP SDK, zod"]);
  });

  test("say that a JSON Schema was converted to zod", async () => {
    const converted = await askPeers({ tool: { name: "do_it", schema: readFile }, text: "{}" });
    const zod = await askPeers({ tool: { name: "do_it", schema: z.object({}) }, text: "{}" });
    const saying = [...converted, ...zod].filter(({ note }) => note?.includes(CONVERTED));
    expect(saying).toEqual(converted.filter(({ declared }) => declared === "zod"));
  });

  test("say with which versions they were made", async () => {
    const answers = await askPeers({ tool: { name: "do_it", schema: readFile }, text: "{}" });
    const packages = ["ai", "langchain", "@modelcontextprotocol/server"];
    expect([...new Set(answers.map(({ how }) => how))]).toEqual(
      packages.map((name) => `run in this page with ${name} ${installedVersion(name)}`),
    );
  });
});

test("of what a model would read, the first 100,000 characters are returned", async () => {
  const text = JSON.stringify({ pth: "x".repeat(200_000) });
  const [answer] = await askPeers({ tool: { name: "do_it", schema: readFile }, text });
  expect(answer?.text).toHaveLength(100_000);
  expect(answer?.note).toBe(`${UNCHECKED} These are the first 100000 of 200015 characters.`);
});

test("of a reason that quotes the schema, the first 300 characters are returned", async () => {
  const schema = { type: "x".repeat(1_000_000) };
  const answers = await askPeers({ tool: { name: "do_it", schema }, text: "{}" });
  for (const { outcome, note = "" } of answers) {
    if (outcome === "not asked") expect(note.length).toBeLessThan(400);
  }
  expect(answers.map(({ outcome }) => outcome)).toContain("not asked");
});

function keyOf({ peer, declared }: PeerAnswer): string {
  return `${peer}, ${declared}`;
}

/** Without the lines of a stack, and without what is said of every conversion. */
function saidIn({ outcome, text, note }: PeerAnswer): Expected {
  const own = note?.replace(CONVERTED, "").trim();
  return said(outcome, text.replace(/(\n {4}at .+)+/, "\n    at …"), own === "" ? undefined : own);
}

function installedVersion(name: string): string {
  const file = new URL(`../../../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}
