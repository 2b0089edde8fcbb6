import { build } from "esbuild";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import * as core from "./index.ts";

let built: Promise<string> | undefined;

function bundle(): Promise<string> {
  return (built ??= buildBundle());
}

async function buildBundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL("index.ts", import.meta.url).pathname],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "core",
    platform: "browser",
  });
  return outputFiles[0]?.text ?? "";
}

describe("the public surface", () => {
  test("is what index.ts lists; a change here is a change for users", () => {
    expect(Object.keys(core).toSorted()).toEqual([
      "CallFailedError",
      "CallRefusedError",
      "ERROR_CODES",
      "EscalationError",
      "FORMAT_VERSION",
      "ToolContractError",
      "countAttempts",
      "createContract",
      "createMemoryStore",
      "defineTool",
      "meaningOf",
      "parseRejection",
      "repairHistory",
      "resultMarker",
      "toAnthropic",
      "toOpenAI",
      "toToolMessage",
    ]);
  });

  test.each([
    ["error", core.ToolContractError],
    ["escalation", core.EscalationError],
    ["refused", core.CallRefusedError],
    ["failed", core.CallFailedError],
  ])("what another install marks as %s is recognised, whatever its version", (mark, type) => {
    expect(type.isInstance({ [Symbol.for(`toolcontract.${mark}`)]: true })).toBe(true);
    expect(type.isInstance({ [Symbol.for("toolcontract.other")]: true })).toBe(false);
    expect(type.isInstance(new Error("x"))).toBe(false);
  });
});

describe("other runtimes", () => {
  test("the bundle imports no node: module", async () => {
    const text = await bundle();
    expect(text).not.toMatch(/["']node:/);
    expect(text).not.toMatch(/\brequire\(["'](?:fs|path|os|crypto|util|url|buffer|process)["']\)/);
  });

  test("runs with web globals only, without code generation", async () => {
    const source = `${await bundle()}
      const tool = {
        name: "read_file",
        inputSchema: { type: "object", properties: { path: { type: "string", pattern: "^notes/" }, at: { type: "string", format: "date" } }, required: ["path"] },
      };
      const contract = core.createContract({ interpreter: true, logger: () => undefined });
      JSON.stringify([
        contract.check(tool, '{"path":"notes/a"}').status,
        contract.check(tool, '{"path":"a","at":"today"}').errors.map((error) => error.errorCode + " " + error.fieldPath),
        contract.check(tool, "{path: 'notes/a',}").status,
      ]);`;
    const globals = { URL, TextEncoder, console, setTimeout, queueMicrotask };
    const answer: unknown = runInNewContext(source, globals, {
      contextCodeGeneration: { strings: false, wasm: false },
    });
    expect(JSON.parse(String(answer))).toEqual([
      "valid",
      ["VAL-010 /at", "VAL-007 /path"],
      "valid",
    ]);
  });

  test("without the interpreter, such a runtime enforces nothing it cannot compile, and reports that", async () => {
    const source = `${await bundle()}
      const warnings = [];
      const contract = core.createContract({ logger: (fields) => warnings.push(fields.stage) });
      const tool = { name: "t", inputSchema: { type: "object", required: ["a"] } };
      JSON.stringify([contract.check(tool, "{}").status, warnings]);`;
    const globals = { URL, TextEncoder, console, setTimeout, queueMicrotask };
    const answer: unknown = runInNewContext(source, globals, {
      contextCodeGeneration: { strings: false, wasm: false },
    });
    // What ajv cannot compile is interpreted, so the call is validated all the same.
    expect(JSON.parse(String(answer))).toEqual(["invalid", []]);
  });
});
