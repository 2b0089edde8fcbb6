import { readFileSync } from "node:fs";
import { createContract } from "@toolcontract/core";
import { RunError } from "@toolcontract/session";

/** What a scripted model answers to one request. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments?: unknown }[];
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  /** The request fails. */
  readonly error?: {
    readonly status?: number;
    readonly message: string;
    /** Seconds. */
    readonly retryAfter?: number;
  };
}

const count = { type: "integer", minimum: 0 } as const;
const ANSWER = {
  type: "object",
  additionalProperties: false,
  properties: {
    text: { type: "string" },
    calls: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        properties: { name: { type: "string" }, arguments: {} },
        required: ["name"],
      },
    },
    usage: {
      type: "object",
      additionalProperties: false,
      properties: { inputTokens: count, outputTokens: count },
    },
    error: {
      type: "object",
      additionalProperties: false,
      properties: {
        status: { type: "integer" },
        message: { type: "string" },
        retryAfter: { type: "number", minimum: 0 },
      },
      required: ["message"],
    },
  },
} as const;

/** Where the script is, in the paths of errors. */
const ROOT = "/script";

/** The script as the argument of a tool: the contract says what is wrong with it. */
const SCRIPT = {
  name: "script",
  inputSchema: {
    type: "object",
    properties: { script: { type: "array", items: ANSWER } },
    required: ["script"],
  },
} as const;

/**
 * Reads a script.
 *
 * @throws RunError with everything that is wrong with it.
 */
export function readScript(path: string): readonly ScriptedAnswer[] {
  let script: unknown;
  try {
    script = JSON.parse(readFileSync(path, "utf8"));
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw invalid(path, [code === undefined ? "it is not JSON" : `it cannot be read (${code})`]);
  }
  const checked = createContract({ logger: false }).check(SCRIPT, { script });
  if (checked.status === "valid") {
    return (checked.input as { readonly script: readonly ScriptedAnswer[] }).script;
  }
  throw invalid(
    path,
    checked.errors.map(({ fieldPath, message }) => `${fieldPath.slice(ROOT.length)} ${message}`),
  );
}

function invalid(path: string, faults: readonly string[]): RunError {
  const list = faults.map((fault) => `\n• ${fault.trim()}`).join("");
  return new RunError("configuration", `The script ${path} is invalid:${list}`);
}
