import { describe, expect, test } from "vitest";
import { type CedarConfig, faultsWith, policyFaults, type RuleConfig } from "./file-policies.ts";
import { loadEngine } from "./load-engine.ts";

const rule = (allow: string): RuleConfig => ({ name: allow, allow, message: "m" });
const cedar = (policies: string): CedarConfig => ({ name: policies, policies });

describe("the policies of a file", () => {
  test("faults are data, by list and index", () => {
    const config = {
      rules: [rule("args.a > 1"), rule("args.a >"), rule("arg.a")],
      cedar: [cedar("permit(principal, action, resource);"), cedar("permit(principal, action);")],
    };
    expect(policyFaults(config)).toMatchObject([
      {
        list: "rules",
        index: 1,
        fault: { part: "expression", problem: "Unexpected token: EOF", at: { line: 1, column: 9 } },
      },
      { list: "rules", index: 2, fault: { part: "expression", at: { line: 1, column: 1 } } },
      { list: "cedar", index: 1, fault: { part: "policies", at: { line: 1, column: 25 } } },
    ]);
  });

  test.each(["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"])(
    "an engine that is not installed is one fault, of its first policy: %s",
    (code) => {
      const load = (name: string): never => {
        const missing = name.endsWith("cel") ? "@marcbachmann/cel-js" : "@cedar-policy/cedar-wasm";
        throw Object.assign(new Error(`Cannot find package '${missing}/nodejs'`), { code });
      };
      const config = { rules: [rule("1 >"), rule("2 >")], cedar: [cedar("")] };
      expect(faultsWith((language) => loadEngine(language, load), config)).toEqual([
        { list: "rules", index: 0, fault: { install: "@marcbachmann/cel-js" } },
        { list: "cedar", index: 0, fault: { install: "@cedar-policy/cedar-wasm" } },
      ]);
    },
  );

  test("an engine is loaded only for policies in its language", () => {
    const asked: string[] = [];
    const load = (name: string): unknown => {
      asked.push(name);
      return { celGuardrail: () => undefined };
    };
    const faults = faultsWith((one) => loadEngine(one, load), { rules: [rule("1 >")] });
    expect([faults, asked]).toEqual([[], ["@toolcontract/guardrails/cel"]]);
    expect(faultsWith(() => expect.unreachable(), {})).toEqual([]);
  });

  test("any other failure of an engine is not hidden", () => {
    const load = (): never => {
      throw Object.assign(new Error("Cannot find module 'wasm'"), { code: "MODULE_NOT_FOUND" });
    };
    expect(() => loadEngine("cedar", load)).toThrow("Cannot find module 'wasm'");
  });
});
