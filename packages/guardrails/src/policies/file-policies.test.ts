import { describe, expect, test } from "vitest";
import {
  type CedarConfig,
  faultsWith,
  type FilePolicies,
  policyFaults,
  type RuleConfig,
} from "./file-policies.ts";
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

  test("with effects, a policy that runs at commit must be able to undo what it refuses", () => {
    const commit = { ...rule("true"), stage: "commit" } as const;
    const policies = {
      rules: [rule("true"), { ...commit, tools: ["add"] }, commit],
      cedar: [
        { ...cedar("permit(principal, action, resource);"), stage: "commit", tools: ["pay"] },
      ],
    } as const;
    expect(policyFaults(policies)).toEqual([]);
    const problemsWith = (effects: FilePolicies["effects"]) =>
      policyFaults({ ...policies, ...(effects && { effects }) }).map(({ list, index, fault }) => [
        `${list} ${index}`,
        "problem" in fault && `${fault.part}: ${fault.problem}`,
      ]);
    expect(problemsWith({ add: "state", pay: "compensable" })).toEqual([]);
    expect(problemsWith({ add: "state", pay: "irreversible" })).toEqual([
      [
        "rules 2",
        "stage: runs at commit for every tool, and 'pay' is irreversible, so it could not be undone",
      ],
      ["cedar 0", "stage: runs at commit, and 'pay' is irreversible, so it could not be undone"],
    ]);
    expect(problemsWith({})).toEqual([
      [
        "rules 1",
        "stage: runs at commit, and 'add' has no declared effect, so it could not be undone",
      ],
      [
        "rules 2",
        "stage: runs at commit for every tool, and no effect is declared, so nothing could be undone",
      ],
      [
        "cedar 0",
        "stage: runs at commit, and 'pay' has no declared effect, so it could not be undone",
      ],
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

  test("what an engine throws that is not a fault of a policy is not hidden", () => {
    const load = (): unknown => ({
      celGuardrail() {
        throw new RangeError("out of memory");
      },
    });
    const faults = (): unknown =>
      faultsWith((one) => loadEngine(one, load), { rules: [rule("true")] });
    expect(faults).toThrow("out of memory");
  });

  test("any other failure of an engine is not hidden", () => {
    const load = (): never => {
      throw Object.assign(new Error("Cannot find module 'wasm'"), { code: "MODULE_NOT_FOUND" });
    };
    expect(() => loadEngine("cedar", load)).toThrow("Cannot find module 'wasm'");
  });
});
