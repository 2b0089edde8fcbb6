import type { ToolDefinition } from "@toolcontract/core";
import * as v from "valibot";
import { askThrough } from "../requests/index.ts";
import { DEFINED, type ToolRequest, VALIDATED } from "./tool-requests.ts";

/** Any Standard Schema. */
type Validator = NonNullable<ToolDefinition["validator"]>;

type Validation = Awaited<ReturnType<Validator["~standard"]["validate"]>>;

/** A tool whose code runs elsewhere. */
export interface RemoteTool {
  /** What its code defines, or why it cannot run; the code runs once. `onBegun` is called when it begins to. */
  readonly define: (code: string, onBegun: () => void) => Promise<SandboxedTool>;
}

/** What the code of a tool defines. */
type SandboxedTool =
  | { readonly fault: string }
  | { readonly name?: string; readonly validator?: Validator };

/**
 * Connects to the worker in the sandboxed frame.
 *
 * @param onUnasked - It sent what it was not asked for.
 */
export function remoteTool(port: MessagePort, onUnasked: () => void): RemoteTool {
  const asker = askThrough(port, onUnasked);
  let defined: Promise<SandboxedTool> | undefined;

  async function define(code: string, onBegun: () => void): Promise<SandboxedTool> {
    const found = await asker.ask({ code } satisfies ToolRequest, v.parser(DEFINED), onBegun);
    if ("fault" in found) return found;
    const { validator, ...named } = found;
    if (validator === undefined) return named;
    const { vendor, jsonSchema } = validator;
    const convert = (): Record<string, unknown> => structuredClone(jsonSchema ?? {});
    const standard = {
      version: 1,
      vendor,
      validate,
      ...(jsonSchema !== undefined && { jsonSchema: { input: convert, output: convert } }),
    } as const;
    return { ...named, validator: { "~standard": standard } };
  }

  async function validate(value: unknown): Promise<Validation> {
    const said = await asker.ask({ value } satisfies ToolRequest, v.parser(VALIDATED));
    if ("threw" in said) throw new Error("The validator threw.");
    return said as Validation;
  }

  return {
    define: async (code, onBegun) => {
      if (defined !== undefined) onBegun();
      return (defined ??= define(code, onBegun));
    },
  };
}
