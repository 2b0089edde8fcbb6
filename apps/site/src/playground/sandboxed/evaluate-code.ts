import * as v from "valibot";
import * as z from "zod";
import { definedTool, type DefinedTool } from "./defined-tool.ts";
import { modules, tool } from "./modules.ts";
import { type RunCode, toolModule } from "./tool-module.ts";

/** Runs the code of a tool, which finds zod as `z`, valibot as `v` and `tool()`; returns what it defines, or why it cannot run. */
export async function evaluateCode(
  code: string,
): Promise<DefinedTool | { readonly fault: string }> {
  // The policy of the frame forbids compiling validators.
  z.config({ jitless: true });
  Object.assign(globalThis, { z, v, tool });
  let url = "";
  try {
    url = URL.createObjectURL(new Blob([toolModule(code)], { type: "text/javascript" }));
    const { default: run } = (await import(/* @vite-ignore */ url)) as {
      readonly default: RunCode;
    };
    return await toolOf(run);
  } catch (thrown) {
    return { fault: faultOf(thrown, url) };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** What code defines: what it exports by default, or else the last tool or schema that it declares or registers. */
export async function toolOf(run: RunCode): Promise<DefinedTool> {
  const { require, nothing, registered } = modules();
  const { main, declared } = await run(require, nothing);
  const others = [...declared, ...registered].map(definedTool);
  if (main !== undefined) return definedTool(main);
  return others.findLast(({ schema }) => isStandard(schema)) ?? others.at(-1) ?? NOTHING;
}

const NOTHING: DefinedTool = { schema: undefined };

function isStandard(schema: unknown): boolean {
  const isObject = typeof schema === "object" || typeof schema === "function";
  return isObject && schema !== null && "~standard" in schema;
}

const MOST_OF_A_FAULT = 500;

function faultOf(thrown: unknown, url: string): string {
  const said = String(thrown)
    .slice(0, MOST_OF_A_FAULT)
    .replace(/ \(\d+:\d+\)$/, "");
  const line = lineOf(thrown, url);
  const where = line === undefined ? "" : `Line ${line}: `;
  return thrown instanceof SyntaxError ? `${where}${said}. ${WORKS}` : `${where}${said}`;
}

/** Of code that cannot be read, where reading stopped; of what it threw, the line of the module. */
function lineOf(thrown: unknown, url: string): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { loc, stack } = thrown as { loc?: { readonly line?: unknown }; stack?: unknown };
  if (typeof loc?.line === "number") return String(loc.line);
  if (typeof stack !== "string" || url === "") return undefined;
  return stack.split(url)[1]?.match(/^:(\d+)/)?.[1];
}

const WORKS =
  "This one works: const weather = z.object({ city: z.string(), days: z.int().max(14) });";
