import type { SchemaObject } from "@toolcontract/core";
import { ajvAccepts } from "../bare-ajv.ts";
import type { CorpusCall, CorpusTool } from "../corpus.ts";
import { misspellings, renamed } from "./misspellings.ts";
import { formsOf, nestedSlips } from "./value-slips.ts";

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
  return [...known, ...sentences(call), ...foreign({ ...call, tool: closed })];
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
            sent: { [name]: { ...args, reason: "asked to" } },
            meant: args,
          },
        ]
      : []),
    ...(twice ? [{ tool, kind: "wrapper and slip", sent: { [name]: twice }, meant: args }] : []),
  ]);
}

/** `needless` without which the call means the same; to leave out another one is a wrong hint. */
const INVENTED: readonly {
  readonly key: string;
  readonly value: unknown;
  readonly needless?: true;
}[] = [
  { key: "reason", value: "The user asked for it", needless: true },
  { key: "verbose", value: true },
  { key: "requestId", value: "req-1", needless: true },
  { key: "dry_run", value: false },
  { key: "user_intent", value: "test" },
  { key: "confirm", value: true },
];

function inventedKeys({ tool, args }: CorpusCall): readonly Slip[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll("_", "");
  const names = new Set(Object.keys(propertiesOf(tool)).map(plain));
  return INVENTED.filter(({ key }) => !names.has(plain(key))).map(({ key, value, needless }) => ({
    tool,
    kind: needless === undefined ? "invented option" : "invented key",
    sent: { ...args, [key]: value },
    ...(needless && { meant: args }),
  }));
}

const SENTENCES = [
  "Fix the login first, then deploy",
  "a quiet room, not too far from the station",
  "Please call Ana, she knows the customer",
  "research and development, sales and marketing and support",
];

/** A sentence with a comma where an array of strings is expected: a hint at several items is wrong. */
function sentences({ tool, args }: CorpusCall): readonly Slip[] {
  return Object.entries(propertiesOf(tool))
    .filter(([, schema]) => (schema["items"] as SchemaObject | undefined)?.["type"] === "string")
    .flatMap(([name]) =>
      SENTENCES.map((text) => ({ tool, kind: "a sentence", sent: { ...args, [name]: text } })),
    );
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
