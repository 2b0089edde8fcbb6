import { expect, test, vi } from "vitest";
import { createProject, FILE } from "../testing/project.ts";

let thrown: unknown;
vi.mock("node:module", () => ({
  createRequire: () => () => {
    throw thrown;
  },
}));

const FILES = {
  [FILE]: `tools:
  guardrails:
    rules:
      - { name: a, message: m, allow: 1 > }
      - { name: b, message: m, allow: 2 > }
`,
};

test.each(["MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"])(
  "one fault says that @toolcontract/guardrails is not installed: %s",
  (code) => {
    thrown = Object.assign(new Error("Cannot find package '@toolcontract/guardrails'"), { code });
    expect(createProject(FILES).error().message).toBe(`Invalid configuration (1 error):

• .agent/config.yml:4:9 /tools/guardrails/rules/0 (missing-package): Policies need the package @toolcontract/guardrails, which is not installed
  Hint: npm install @toolcontract/guardrails`);
  },
);

test("a file without policies does not need it", () => {
  const { load } = createProject({ [FILE]: "tools: { guardrails: { effects: { pay: none } } }" });
  expect(load().guardrails).toEqual({ effects: { pay: "none" } });
});

test("any other failure of it is not hidden", () => {
  thrown = Object.assign(new Error("Cannot find package 'other'"), { code: "MODULE_NOT_FOUND" });
  expect(() => createProject(FILES).load()).toThrow("Cannot find package 'other'");
});
