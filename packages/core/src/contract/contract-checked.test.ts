import { describe, expect, test } from "vitest";
import type { CallContext, CheckResult } from "../call/index.ts";
import type { ToolDefinition } from "../shared/index.ts";
import type { ValidationError } from "@toolcontract/explain";
import { createContract } from "./create-contract.ts";

const runs: string[] = [];

const sendMail: ToolDefinition = {
  name: "send_mail",
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, copies: { type: "integer", maximum: 3 } },
    required: ["to"],
  },
  rules: [
    (args: { readonly copies?: number }) => {
      runs.push("rule");
      return args.copies === 3
        ? [{ path: "/copies", message: "Three copies are many", severity: "warning" }]
        : [];
    },
  ],
};

const context: CallContext = { conversationId: "c1", tool: sendMail };
const silent = { logger: () => undefined };
const anyFunction: unknown = expect.any(Function);
const METHODS = {
  run: anyFunction,
  settle: anyFunction,
  refusedByHost: anyFunction,
  note: anyFunction,
};

function call(args: unknown): { id: string; name: string; arguments: unknown } {
  return { id: "call_1", name: "send_mail", arguments: args };
}

describe("a call that the host has already checked", () => {
  test.each([
    ["valid", { to: "ada@example.com" }],
    ["valid with a warning", { to: "ada@example.com", copies: 3 }],
    ["valid as repaired text", "{to: 'ada@example.com'}"],
    ["invalid", { copies: "4" }],
    ["unreadable", '{"to": '],
  ])("gets the same decision as an unchecked one: %s", async (_, args) => {
    const plain = createContract(silent);
    const checking = createContract(silent);
    const checked = checking.check(sendMail, args);
    const expected = await plain.admit(call(args), context);
    expect(await checking.admit(call(args), { ...context, checked })).toEqual({
      ...expected,
      ...(expected.status === "admitted" && METHODS),
    });
    expect(checking.metrics()).toEqual(plain.metrics());
  });

  test("is not validated again, and its rules do not run again", async () => {
    const contract = createContract(silent);
    runs.length = 0;
    const checked = contract.check(sendMail, { to: "ada@example.com" });
    await contract.handle(call({ to: "ada@example.com" }), {
      ...context,
      checked,
      execute: () => "sent",
    });
    expect(runs).toEqual(["rule"]);
  });

  test("is masked in advisories that the host has put in place of ours", async () => {
    const contract = createContract({ ...silent, unknownFields: "schema" });
    const checked = contract.check(sendMail, { to: "ada@example.com" });
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
    const message = `Sent with ${key}`;
    const own = [{ fieldPath: "/to", errorCode: "VAL-008", severity: "warning", message }];
    Object.defineProperty(checked, "advisories", { value: own, enumerable: true });
    const admitted = await contract.admit(call({ to: "ada@example.com" }), { ...context, checked });
    expect(admitted).toMatchObject({ status: "admitted", advisories: [{ fieldPath: "/to" }] });
    expect(JSON.stringify(admitted)).not.toContain(key);
  });

  test("counts attempts like any other", async () => {
    const contract = createContract({ ...silent, maxAttempts: 2 });
    const statuses: string[] = [];
    for (const turnId of ["t1", "t2", "t3"]) {
      const checked = contract.check(sendMail, {});
      statuses.push((await contract.admit(call({}), { ...context, turnId, checked })).status);
    }
    expect(statuses).toEqual(["rejected", "blocked", "blocked"]);
  });

  test("errors from the host are sanitized, even if they claim to be checked", async () => {
    const secret = `sk-proj-${"a1B2".repeat(12)}`;
    const own: ValidationError = {
      errorCode: "VAL-016",
      fieldPath: "/to",
      message: `The address book refused ${secret}`,
      severity: "error",
    };
    const checked: CheckResult = {
      status: "invalid",
      errors: [own],
      totalErrors: 1,
      atLeast: false,
      advisories: [],
      repairs: [],
    };
    const answer = await createContract(silent).admit(call({ to: secret }), {
      ...context,
      checked,
    });
    expect(answer.status).toBe("rejected");
    expect(JSON.stringify(answer)).not.toContain("a1B2");
    expect(answer.status === "rejected" && answer.result.content).toContain(
      "The address book refused",
    );
  });

  test("an unknown tool stays unknown", async () => {
    const contract = createContract(silent);
    const checked = contract.check(sendMail, { to: "ada@example.com" });
    const tools = [sendMail];
    const answer = await contract.admit(
      { id: "call_1", name: "send_male", arguments: {} },
      { conversationId: "c1", tools, checked },
    );
    expect(answer.status === "rejected" && answer.errors[0]?.errorCode).toBe("VAL-012");
  });

  test.each([
    ["null", null],
    ["a list of errors", []],
    [
      "an invalid result without errors",
      { status: "invalid", errors: [], advisories: [], repairs: [] },
    ],
    ["nothing of the form", { status: "fine" }],
  ])("throws at once on misuse: %s", async (_, checked) => {
    const misused = { ...context, checked } as unknown as CallContext;
    await expect(createContract(silent).admit(call({}), misused)).rejects.toThrow(
      "contract.admit: `checked` must be the result of contract.check() or contract.checkAsync().",
    );
  });
});

describe("settings", () => {
  test("report the options, with defaults", () => {
    const { log, clock, ...settings } = createContract({
      scope: "thread",
      logger: () => undefined,
    }).settings;
    const { checkTools, checkPlaces, effectOf, judges, degraded, unjudged, ...plain } = settings;
    expect(plain).toEqual({
      mode: "enforce",
      maxAttempts: 3,
      scope: "thread",
      onBlocked: "forgive",
      overBudget: "refuse",
      reportAdvisories: false,
      unwrapStrings: true,
      runsTools: false,
      hasStage: false,
    });
    for (const method of [checkTools, checkPlaces, effectOf, judges, degraded, unjudged])
      expect(method).toBeTypeOf("function");
    expect(clock()).toBeGreaterThan(0);
    expect(log).toBeTypeOf("function");
  });

  test("log() writes to the contract's logger, which may throw", () => {
    const written: unknown[] = [];
    const fields = { level: "info", tool_name: "send_mail", repairs: [] } as const;
    createContract({ logger: (...entry) => written.push(entry) }).settings.log(
      fields,
      "Tool name repaired",
    );
    expect(written).toEqual([[fields, "Tool name repaired"]]);
    const broken = createContract({
      logger: () => {
        throw new Error("disk full");
      },
    });
    expect(() => broken.settings.log(fields, "Tool name repaired")).not.toThrow();
  });
});
