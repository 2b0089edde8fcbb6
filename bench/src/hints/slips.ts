import { isDeepStrictEqual } from "node:util";
import type { SchemaObject } from "@toolcontract/core";
import { ajvAccepts } from "../bare-ajv.ts";
import type { CorpusCall, CorpusTool } from "../corpus.ts";

type Value = Readonly<Record<string, unknown>>;

/** A call with one slip of a model. */
export interface Slip {
  readonly tool: CorpusTool;
  readonly kind: string;
  readonly sent: unknown;
  /** What was meant; absent if no hint can know it. */
  readonly meant?: Value;
}

/** Makes every slip of every kind that makes the call invalid. */
export function slipsOf(call: CorpusCall): readonly Slip[] {
  const accepts = ajvAccepts(call.tool);
  const closed = closedTool(call.tool);
  const found = [
    ...keySlips(call),
    ...valueSlips(call),
    ...wrappers(call),
    ...inventedKeys({ ...call, tool: closed }),
  ];
  const known = found.filter(
    ({ tool, sent }) => !(tool === call.tool ? accepts : ajvAccepts(tool))(sent),
  );
  return [...known, ...foreign({ ...call, tool: closed })];
}

function closedTool(tool: CorpusTool): CorpusTool {
  const inputSchema = { ...(tool.inputSchema as SchemaObject), additionalProperties: false };
  return { ...tool, inputSchema };
}

function propertiesOf({ inputSchema }: CorpusTool): Readonly<Record<string, SchemaObject>> {
  const { properties = {} } = inputSchema as SchemaObject;
  return properties as Readonly<Record<string, SchemaObject>>;
}

/** A key under another name: case, separators, plural, a letter more or less, a word more. */
function keySlips({ tool, args }: CorpusCall): readonly Slip[] {
  const names = Object.keys(propertiesOf(tool));
  return Object.keys(args).flatMap((key) =>
    misspellings(key, tool.name)
      .filter(([, wrong]) => !names.includes(wrong))
      .map(([kind, wrong]) => ({ tool, kind, sent: renamed(args, key, wrong), meant: args })),
  );
}

function renamed(args: Value, key: string, wrong: string): Value {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name === key ? wrong : name, value]),
  );
}

function wordsIn(name: string): readonly string[] {
  return name.split(/[_\s.-]+|(?<=[a-z0-9])(?=[A-Z])/).filter(Boolean);
}

/** The spellings that a model may write instead of a name, each with its kind. */
export function misspellings(
  name: string,
  tool: string,
): readonly (readonly [kind: string, wrong: string])[] {
  const words = wordsIn(name).map((word) => word.toLowerCase());
  const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
  const [first = "", ...rest] = words;
  const entity = wordsIn(tool).at(-1)?.toLowerCase() ?? "";
  const middle = Math.floor(name.length / 2);
  const spellings: readonly (readonly [string, string])[] = [
    ["key: case", first + rest.map(capital).join("")],
    ["key: case", words.join("_")],
    ["key: case", words.join("-")],
    ["key: case", words.map(capital).join("")],
    ["key: case", words.join("")],
    ["key: case", name.toUpperCase()],
    ["key: plural", name.endsWith("s") ? name.slice(0, -1) : `${name}s`],
    ["key: prefix", `tool_${words.join("_")}`],
    ["key: prefix", `${entity}_${words.join("_")}`],
    ["key: prefix", `target_${words.join("_")}`],
    ["key: suffix", `${words.join("_")}_value`],
    ["key: suffix", `${words.join("_")}_name`],
    ...letterSlips(name, middle).map((wrong) => ["key: letter", wrong] as const),
  ];
  return unlike(spellings, name);
}

function unlike(
  spellings: readonly (readonly [string, string])[],
  name: string,
): readonly (readonly [string, string])[] {
  const seen = new Set([name]);
  return spellings.filter(([, wrong]) => !seen.has(wrong) && seen.add(wrong));
}

const SOUNDS: Readonly<Record<string, string>> = {
  c: "s",
  s: "c",
  i: "y",
  y: "i",
  z: "s",
  k: "c",
  e: "a",
  a: "e",
};

/** One letter dropped, doubled, swapped with the next or replaced by one that sounds alike, in two places. */
function letterSlips(name: string, middle: number): readonly string[] {
  if (name.length < 2) return [];
  const places = [...new Set([1, middle, name.length - 2])].filter(
    (at) => at > 0 && at < name.length,
  );
  return [
    ...places.flatMap((at) => {
      const [before, letter, after] = [name.slice(0, at), name.charAt(at), name.slice(at + 1)];
      const sound = SOUNDS[letter];
      return [
        ...(name.length > 3 ? [before + after] : []),
        before + letter + letter + after,
        ...(after !== "" ? [before + after.charAt(0) + letter + after.slice(1)] : []),
        ...(sound === undefined || name.length < 5 ? [] : [before + sound + after]),
      ];
    }),
    name + name.at(-1),
  ];
}

/** A value in another form: a wrong enum spelling, quotes, a list in a string, a wrapper. */
function valueSlips({ tool, args }: CorpusCall): readonly Slip[] {
  return Object.entries(propertiesOf(tool)).flatMap(([name, schema]) => {
    const value = args[name];
    if (value === undefined) return [];
    const forms = [...formsOf(value, schema), ...nestedSlips(value, schema)];
    return forms.map(([kind, wrong]) => ({
      tool,
      kind,
      sent: { ...args, [name]: wrong },
      meant: args,
    }));
  });
}

function formsOf(value: unknown, schema: SchemaObject): readonly (readonly [string, unknown])[] {
  const values = schema["enum"];
  if (Array.isArray(values) && typeof value === "string")
    return enumSlips(value).filter(([, wrong]) => !values.includes(wrong));
  const wrapped = ["value: wrapper", { value }] as const;
  if (typeof value === "number")
    return [["value: quotes", String(value)], ["value: list of one", [value]], wrapped];
  if (typeof value === "boolean")
    return [
      ["value: quotes", String(value)],
      ["value: list of one", [value]],
    ];
  if (typeof value === "string")
    return [
      ["value: list of one", [value]],
      wrapped,
      ...(/^\d+$/.test(value) && !value.startsWith("0")
        ? [["value: number", Number(value)] as const]
        : []),
    ];
  if (Array.isArray(value)) return arraySlips(value);
  return [["value: JSON text", JSON.stringify(value)]];
}

function arraySlips(value: readonly unknown[]): readonly (readonly [string, unknown])[] {
  const areTexts = value.every((item) => typeof item === "string");
  const [only] = value;
  return [
    ["value: JSON text", JSON.stringify(value)],
    ["value: wrapper", { items: value }],
    ...(value.length === 1 ? [["value: no list", only] as const] : []),
    ...(areTexts && value.length > 1
      ? [
          ["value: list in text", value.join(", ")] as const,
          ["value: list in text", value.join(",")] as const,
        ]
      : []),
  ];
}

function enumSlips(value: string): readonly (readonly [string, unknown])[] {
  const words = wordsIn(value).map((word) => word.toLowerCase());
  const spellings: readonly (readonly [string, string])[] = [
    ["enum: case", value.toUpperCase()],
    ["enum: case", value.toLowerCase()],
    ["enum: case", value.charAt(0).toUpperCase() + value.slice(1)],
    ["enum: separator", words.join("-")],
    ["enum: separator", words.join("_")],
    ["enum: separator", words.join(" ")],
    ["enum: plural", `${value}s`],
    ["enum: remark", `${value} (default)`],
    ...letterSlips(value, Math.floor(value.length / 2))
      .filter(() => value.length > 3)
      .map((wrong) => ["enum: letter", wrong] as const),
  ];
  return unlike(spellings, value);
}

/** A misspelt key inside a nested object. */
function nestedSlips(
  value: unknown,
  schema: SchemaObject,
): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) {
    const [first, ...rest] = value as readonly unknown[];
    const inner = schema["items"] as SchemaObject | undefined;
    if (inner === undefined || typeof first !== "object") return [];
    return nestedSlips(first, inner).map(([kind, wrong]) => [kind, [wrong, ...rest]]);
  }
  const properties = schema["properties"] as Readonly<Record<string, SchemaObject>> | undefined;
  if (typeof value !== "object" || value === null || properties === undefined) return [];
  const fields = value as Value;
  return [
    ...Object.keys(fields).flatMap((key) =>
      misspellings(key, "")
        .filter(([kind, wrong]) => kind !== "key: prefix" && !(wrong in properties))
        .map(([kind, wrong]) => [kind, renamed(fields, key, wrong)] as const),
    ),
    ...Object.entries(properties).flatMap(([name, inner]) =>
      name in fields
        ? formsOf(fields[name], inner).map(
            ([kind, wrong]) => [kind, { ...fields, [name]: wrong }] as const,
          )
        : [],
    ),
  ];
}

const WRAPPERS = ["arguments", "input", "params", "args"];

/** All arguments one level too deep, alone or with a second slip inside. */
function wrappers({ tool, args }: CorpusCall): readonly Slip[] {
  const [key = "", ...others] = Object.keys(args);
  const isClosed = (tool.inputSchema as SchemaObject)["additionalProperties"] === false;
  const twice =
    others.length > 0 && key.length > 4
      ? renamed(args, key, key.slice(0, -2) + key.slice(-1))
      : undefined;
  return WRAPPERS.filter((name) => !(name in propertiesOf(tool))).flatMap((name) => [
    { tool, kind: "wrapper", sent: { [name]: args }, meant: args },
    { tool, kind: "wrapper", sent: { [name]: JSON.stringify(args) }, meant: args },
    ...(isClosed
      ? [
          {
            tool,
            kind: "wrapper and stray",
            sent: { [name]: { ...args, verbose: true } },
            meant: args,
          },
        ]
      : []),
    ...(twice ? [{ tool, kind: "wrapper and slip", sent: { [name]: twice }, meant: args }] : []),
  ]);
}

const INVENTED: readonly (readonly [string, unknown])[] = [
  ["reason", "The user asked for it"],
  ["verbose", true],
  ["requestId", "req-1"],
  ["dry_run", false],
  ["user_intent", "test"],
  ["confirm", true],
];

function inventedKeys({ tool, args }: CorpusCall): readonly Slip[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  const names = new Set(Object.keys(propertiesOf(tool)).map(plain));
  return INVENTED.filter(([key]) => !names.has(plain(key))).map(([key, value]) => ({
    tool,
    kind: "invented key",
    sent: { ...args, [key]: value },
    meant: args,
  }));
}

/**
 * Calls whose odd key or value means something else: each declared name in turn is made unknown.
 *
 * Its field is sent as before, so a hint to rename it is wrong; so is a hint at another value of an enum.
 */
function foreign({ tool, args }: CorpusCall): readonly Slip[] {
  const schema = tool.inputSchema as SchemaObject;
  const properties = propertiesOf(tool);
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.keys(args).flatMap((key) => {
    const { [key]: own, ...others } = properties;
    const shorter = {
      ...tool,
      inputSchema: {
        ...schema,
        properties: others,
        required: required.filter((name) => name !== key),
      },
    };
    const { [key]: _, ...rest } = args;
    const values = own?.["enum"];
    const enums =
      Array.isArray(values) && values.length > 2
        ? [
            {
              tool: {
                ...tool,
                inputSchema: {
                  ...schema,
                  properties: {
                    ...properties,
                    [key]: { ...own, enum: values.filter((one) => one !== args[key]) },
                  },
                },
              },
              kind: "foreign value",
              sent: args,
            },
          ]
        : [];
    return [
      { tool: shorter, kind: "foreign key", sent: args },
      // Without another field that is required, the odd key is most likely to be taken for it.
      ...required
        .filter((name) => name in rest)
        .map((name) => ({
          tool: shorter,
          kind: "foreign key, one missing",
          sent: Object.fromEntries(Object.entries(args).filter(([other]) => other !== name)),
        })),
      ...enums,
    ];
  });
}

/** Whether two values are the same JSON. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(sorted(a), sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
