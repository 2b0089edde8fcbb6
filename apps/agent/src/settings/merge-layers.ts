import type { SchemaObject } from "@toolcontract/core";
import type { ConfigFile, ConfigOrigin } from "@toolcontract/config";
import {
  isSection,
  memberSchema,
  pointerOf,
  type LayerReading,
  originAt,
} from "@toolcontract/config/adapter";
import { AGENT_FORMAT } from "./agent-format.ts";

/** A configuration file and what was read of it. */
export interface ReadLayer {
  readonly file: ConfigFile;
  readonly reading: LayerReading;
}

/** The values of all layers, and the layer of each. */
export interface Merged {
  readonly value: Members;
  /** The highest layer that sets something at a pointer. */
  readonly layerAt: (pointer: string) => ReadLayer | undefined;
  /** Where the value at a pointer was set. */
  readonly originOf: (pointer: string) => ConfigOrigin | undefined;
}

/** The members of an object. */
export type Members = Readonly<Record<string, unknown>>;

/** A JSON Schema is one value: half of one and half of another would mean something else. */
const WHOLE_VALUE = "/session/output_schema";

/** Merges layers, highest first: objects member by member, everything else as a whole. */
export function mergeLayers(layers: readonly ReadLayer[]): Merged {
  const owners = new Map<string, ReadLayer>();

  const overlay = (
    below: unknown,
    above: unknown,
    at: { readonly pointer: string; readonly schema: SchemaObject | undefined },
    layer: ReadLayer,
  ): unknown => {
    const { pointer, schema } = at;
    // A key whose members are all commented out.
    if (above === null && isSection(schema)) {
      if (!owners.has(pointer)) owners.set(pointer, layer);
      return below ?? (isList(schema) ? [] : {});
    }
    owners.set(pointer, layer);
    const inner = (base: Members, key: string, value: unknown): unknown => {
      const deeper = { pointer: pointer + pointerOf([key]), schema: memberSchema(schema, key) };
      return overlay(Object.hasOwn(base, key) ? base[key] : undefined, value, deeper, layer);
    };
    if (Array.isArray(above)) return above.map((item, index) => inner({}, String(index), item));
    if (!isMembers(above)) return above;
    const base = isMembers(below) && pointer !== WHOLE_VALUE ? below : {};
    const members = Object.entries(above).map(([key, value]) => [key, inner(base, key, value)]);
    return Object.fromEntries([...Object.entries(base), ...members]);
  };

  const root = { pointer: "", schema: AGENT_FORMAT.schema };
  const value = layers
    .toReversed()
    .reduce<unknown>(
      (below, layer) => overlay(below, layer.reading.tree?.value ?? {}, root, layer),
      {},
    );
  const layerAt = (pointer: string): ReadLayer | undefined => owners.get(pointer);
  return {
    value: membersOf(value),
    layerAt,
    originOf(pointer) {
      const layer = layerAt(pointer);
      const { tree, variables } = layer?.reading ?? {};
      return layer && tree && variables && originAt(pointer, layer.file, { tree, variables });
    },
  };
}

function isList(schema: SchemaObject | undefined): boolean {
  return [schema?.["type"]].flat().includes("array");
}

/** Whether a value is an object with members. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The members of a value; none if it is not an object. */
export function membersOf(value: unknown): Members {
  return isMembers(value) ? value : {};
}

/** Where each value of the sections beside `tools` was set, by its pointer. */
export function originsOf({ value, originOf }: Merged): Readonly<Record<string, ConfigOrigin>> {
  const { tools: _, ...sections } = value;
  const origins: Record<string, ConfigOrigin> = {};
  const visit = (inner: unknown, pointer: string): void => {
    if (isMembers(inner) || Array.isArray(inner)) {
      for (const [key, one] of Object.entries(inner)) visit(one, pointer + pointerOf([key]));
      return;
    }
    const origin = originOf(pointer);
    if (origin) origins[pointer] = origin;
  };
  visit(sections, "");
  return origins;
}
