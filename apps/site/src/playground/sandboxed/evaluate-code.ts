import * as z from "zod";
import { definedTool, type DefinedTool } from "./defined-tool.ts";
import { toolModule } from "./tool-module.ts";

/** `tool()` of the AI SDK takes the tool, LangChain's takes what it runs before it. */
function tool(first: unknown, second?: unknown): unknown {
  return second ?? first;
}

/** Runs the code of a tool, which finds zod as `z` and `tool()`; returns what it defines, or why it cannot run. */
export async function evaluateCode(
  code: string,
): Promise<DefinedTool | { readonly fault: string }> {
  // The policy of the frame forbids compiling validators.
  z.config({ jitless: true });
  Object.assign(globalThis, { z, tool });
  const url = URL.createObjectURL(new Blob([toolModule(code)], { type: "text/javascript" }));
  try {
    const { default: exported } = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
    return definedTool(exported);
  } catch (thrown) {
    return { fault: faultOf(thrown, url) };
  } finally {
    URL.revokeObjectURL(url);
  }
}

const MOST_OF_A_FAULT = 500;

function faultOf(thrown: unknown, url: string): string {
  const said = String(thrown).slice(0, MOST_OF_A_FAULT);
  const [, line] =
    stackOf(thrown)
      .split(url)[1]
      ?.match(/^:(\d+)/) ?? [];
  const place = line === undefined ? "" : ` (line ${line})`;
  return thrown instanceof SyntaxError ? `${said}${place}. ${WHAT_RUNS}` : `${said}${place}`;
}

function stackOf(thrown: unknown): string {
  return thrown instanceof Error && typeof thrown.stack === "string" ? thrown.stack : "";
}

const WHAT_RUNS =
  "Write a JavaScript expression, such as z.object({ … }), or declarations whose last one is the tool. Types of TypeScript and other imports than zod do not run here.";
