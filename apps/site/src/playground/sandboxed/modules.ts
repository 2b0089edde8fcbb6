import * as v from "valibot";
import * as z from "zod";

/** What the code of a tool imports, and the tools that it registers at what it imported. */
export interface Modules {
  readonly require: (name: string) => unknown;
  /** Stands for what is not there: it takes every call, and does nothing. */
  readonly nothing: unknown;
  readonly registered: readonly unknown[];
}

/** The functions that take a tool and return it, or are given what it runs before it. */
const MAKERS: ReadonlySet<PropertyKey> = new Set([
  "tool",
  "createTool",
  "dynamicTool",
  "betaZodTool",
  "zodFunction",
]);

/** zod and valibot are here; every other module is an empty one, so that a pasted program ends and does nothing. */
export function modules(): Modules {
  const registered: unknown[] = [];
  // It may be called, and also constructed.
  const empty = function empty(): void {};
  const nothing: unknown = new Proxy(empty, {
    get: (_, key) => {
      if (MAKERS.has(key)) return tool;
      if (key === Symbol.toPrimitive) return () => "";
      // It is neither awaited nor iterated.
      return key === "then" || typeof key === "symbol" ? undefined : nothing;
    },
    apply: (_, __, [name, options]: readonly unknown[]) => {
      if (typeof name === "string" && isTool(options)) registered.push(registeredAs(name, options));
      return nothing;
    },
    construct: () => nothing as object,
  });
  const here: Readonly<Record<string, unknown>> = {
    zod: { ...z, z, default: z },
    "zod/v4": { ...z, z, default: z },
    valibot: { ...v, v, default: v },
  };
  return { require: (name) => here[name] ?? nothing, nothing, registered };
}

/** `tool()` of the AI SDK takes the tool, LangChain's takes what it runs before it. */
export function tool(first: unknown, second?: unknown): unknown {
  return second ?? first;
}

function isTool(options: unknown): options is { readonly inputSchema: object } {
  return typeof options === "object" && options !== null && "inputSchema" in options;
}

/** `registerTool` of an MCP server also takes the fields of an object without `z.object`. */
function registeredAs(name: string, { inputSchema }: { readonly inputSchema: object }): unknown {
  return {
    name,
    inputSchema: "~standard" in inputSchema ? inputSchema : z.object(inputSchema as z.ZodRawShape),
  };
}
