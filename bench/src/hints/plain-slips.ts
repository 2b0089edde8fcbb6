import type { SchemaObject } from "@toolcontract/core";
import type { CorpusCall } from "../corpus.ts";
import type { Slip } from "./slips.ts";

/** Slips that no hint can undo: something is missing, of another type, or not among the values. */
export function plainSlips({ tool, args }: CorpusCall): readonly Slip[] {
  const { properties = {}, required = [] } = tool.inputSchema as SchemaObject;
  const names = Object.keys(args);
  const fields = properties as Readonly<Record<string, SchemaObject>>;
  const without = (name: string): object =>
    Object.fromEntries(Object.entries(args).filter(([other]) => other !== name));
  const all = names.flatMap((name): readonly Slip[] => {
    const sent = (kind: string, value: unknown): Slip => ({
      tool,
      kind,
      sent: { ...args, [name]: value },
    });
    const { type, enum: values } = fields[name] ?? {};
    return [
      ...((required as readonly string[]).includes(name)
        ? [{ tool, kind: "missing", sent: without(name) }]
        : []),
      sent("null", null),
      ...(values === undefined ? [] : [sent("another value", "whatever you like")]),
      ...(type === "integer" || type === "number"
        ? [sent("no number", "a few"), sent("out of range", -(2 ** 60))]
        : []),
      ...(type === "array" ? [sent("no array", {}), sent("no array", 7)] : []),
      ...(type === "object" ? [sent("no object", "none"), sent("no object", [])] : []),
    ];
  });
  const everything = Object.fromEntries(names.map((name) => [name, null]));
  return [
    ...all,
    { tool, kind: "everything is null", sent: everything },
    ...(names.length > 0 ? [{ tool, kind: "nothing", sent: {} }] : []),
  ];
}
