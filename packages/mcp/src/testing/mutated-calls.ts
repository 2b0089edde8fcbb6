import { isRecord } from "../wire/index.ts";

/** A call with one change. */
export interface MutatedCall {
  readonly change: string;
  readonly args: unknown;
}

type Schema = Readonly<Record<string, unknown>>;

const VALUES: readonly unknown[] = [
  null,
  true,
  "true",
  "False",
  0,
  1,
  -1,
  1.5,
  "1",
  "1.5",
  "",
  "x",
  [],
  [1],
  ["x"],
  {},
  { x: 1 },
];

/** Arguments that the schema accepts, every optional field included. */
export function sampleArguments(schema: Schema): unknown {
  const { type, properties, items, enum: values } = schema;
  if (Array.isArray(values)) return values[0];
  if (isRecord(properties)) {
    const entries = Object.entries(properties).map(
      ([name, one]) => [name, sampleArguments(one as Schema)] as const,
    );
    return Object.fromEntries(entries);
  }
  switch (Array.isArray(type) ? (type[0] as unknown) : type) {
    case "array":
      return [sampleArguments(items as Schema)];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 1;
    case "object":
      return {};
    default:
      return "notes.txt";
  }
}

/** Changes one value at a time: replaces it, writes it as a string, wraps it in a list or leaves it out. */
export function mutateArguments(args: unknown): readonly MutatedCall[] {
  const whole = [null, "x", [], JSON.stringify(args)].map((value) => ({
    change: `(arguments) = ${JSON.stringify(value)}`,
    args: value,
  }));
  const extra = isRecord(args) ? [{ change: "an unknown field", args: { ...args, zzz: 1 } }] : [];
  return [{ change: "nothing", args }, ...extra, ...whole, ...mutations(args, "")];
}

function mutations(value: unknown, path: string): readonly MutatedCall[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      replaced(item, `${path}/${index}`).map((one) => ({
        ...one,
        args: value.with(index, one.args),
      })),
    );
  }
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...others } = value;
    return [
      { change: `${path}/${name} left out`, args: others },
      ...replaced(member, `${path}/${name}`).map((one) => ({
        ...one,
        args: { ...value, [name]: one.args },
      })),
    ];
  });
}

function replaced(value: unknown, path: string): readonly MutatedCall[] {
  const others = [...VALUES, JSON.stringify(value), [value], String(value)];
  return [
    ...others.map((other) => ({ change: `${path} = ${JSON.stringify(other)}`, args: other })),
    ...mutations(value, path),
  ];
}
