import type { WrapModelCallHook } from "langchain";
import { isRecord } from "@toolcontract/core/adapter";
import { isNamedTool } from "./tool-definitions.ts";

type Request = Parameters<WrapModelCallHook>[0];

/** Tells the names of the calls by which LangChain asks for structured output from those of tools. */
export function structuredOutputNames({
  responseFormat,
  tools,
}: Request): (name: string) => boolean {
  const format: unknown = responseFormat;
  const formats: readonly unknown[] = Array.isArray(format) ? format : [format];
  const given = new Set(formats.flatMap(namesOf));
  const ofTools = new Set(tools.filter(isNamedTool).map(({ name }) => name));
  return (name) => !ofTools.has(name) && (name.startsWith("extract-") || given.has(name));
}

/** A strategy has a name; a schema gives one by its title, which zod keeps in its metadata. */
function namesOf(format: unknown): readonly unknown[] {
  if (!isRecord(format)) return [];
  const { name, title, meta } = format;
  const metadata: unknown = typeof meta === "function" ? meta.call(format) : undefined;
  return [name, title, isRecord(metadata) ? metadata["title"] : undefined];
}
