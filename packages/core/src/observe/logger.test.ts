import { describe, expect, test, vi } from "vitest";
import { withFacts } from "@toolcontract/explain/adapter";
import {
  consoleLogger,
  errorClass,
  escalationEntry,
  faultEntry,
  rejectionEntry,
  repairEntry,
  toErrorPlaces,
} from "./logger.ts";
import fc from "fast-check";

const SECRET = "sk-live-4242424242424242";
const errors = [
  {
    errorCode: "VAL-001",
    fieldPath: "/path",
    message: `Required field 'path' is missing beside ${SECRET}`,
    severity: "error",
    expectedValue: `string like ${SECRET}`,
  },
  {
    errorCode: "VAL-008",
    fieldPath: "/encoding",
    message: "Invalid enum value",
    severity: "error",
    actualValue: SECRET,
    hint: SECRET,
  },
] as const;
const failure = {
  lane: "validation" as const,
  toolName: "read_file",
  correlationId: "abc-123",
  attempt: 1,
  maxAttempts: 3,
  errorCount: 2,
  errors: toErrorPlaces(
    errors.map((error) => withFacts({ ...error }, { logPath: error.fieldPath })),
  ),
};

function written({ fields, message }: ReturnType<typeof rejectionEntry>): unknown {
  const write = vi.spyOn(console, "error").mockImplementation(() => {});
  consoleLogger(fields, message);
  expect(write).toHaveBeenCalledOnce();
  const [line] = write.mock.calls[0] ?? [];
  write.mockRestore();
  return line;
}

describe("the log", () => {
  test("is one line of JSON in the contract's shape", () => {
    expect(written(rejectionEntry(failure))).toBe(
      JSON.stringify({
        level: "warn",
        message: "Tool validation failed",
        tool_name: "read_file",
        error_count: 2,
        retry_attempt: 1,
        max_retries: 3,
        errors: [
          { path: "/path", code: "VAL-001" },
          { path: "/encoding", code: "VAL-008" },
        ],
        correlation_id: "abc-123",
      }),
    );
  });

  test("logs an escalation as a separate warning", () => {
    expect(JSON.parse(String(written(escalationEntry({ ...failure, attempt: 3 }))))).toMatchObject({
      level: "warn",
      message: "Tool validation blocked",
      retry_attempt: 3,
      max_retries: 3,
    });
  });

  test("reports a repair in counts", () => {
    const repair = { step: "fence", offset: 0, removed: 11, inserted: 0 } as const;
    const withText = { ...repair, text: SECRET };
    expect(repairEntry({ toolName: "read_file" }, [withText])).toEqual({
      message: "Tool arguments repaired",
      fields: { level: "info", tool_name: "read_file", repairs: [repair] },
    });
  });

  test("reports a fault by class and stage", () => {
    const thrown = new TypeError(`cannot read ${SECRET}`);
    expect(faultEntry("formatter", thrown, failure)).toEqual({
      message: "Tool contract degraded",
      fields: {
        level: "warn",
        stage: "formatter",
        error_class: "TypeError",
        tool_name: "read_file",
        correlation_id: "abc-123",
      },
    });
    expect(faultEntry("store", thrown).fields).toEqual({
      level: "warn",
      stage: "store",
      error_class: "TypeError",
    });
  });

  test("holds no text of the arguments, whatever the errors carry", () => {
    const sloppy = {
      ...failure,
      errors: errors.map((error) => ({ ...error, path: error.fieldPath, code: error.errorCode })),
    };
    const lines = [
      rejectionEntry(failure),
      rejectionEntry(sloppy),
      escalationEntry(sloppy),
      faultEntry("rules", new Error(SECRET, { cause: SECRET })),
      faultEntry("rules", SECRET),
    ].map((entry) => written(entry));
    expect(lines.join("\n")).not.toContain("sk-live");
  });

  test("shows no path of an error that somebody else built", () => {
    expect(toErrorPlaces(errors)).toEqual([
      { path: "*", code: "VAL-001" },
      { path: "*", code: "VAL-008" },
    ]);
  });

  test("lists at most 100 places", () => {
    expect(toErrorPlaces(Array.from({ length: 100_000 }, () => errors[0]))).toHaveLength(100);
  });
});

class QuotaExceeded extends Error {}

const renamed = Object.assign(new Error("no"), { name: "password is hunter2" });
const forged = new Error("no");
Object.defineProperty(forged, "constructor", { value: { name: "password is hunter2" } });
const unreadable = new Proxy(new Error("no"), {
  get: () => {
    throw new Error("no");
  },
});

describe("errorClass", () => {
  test.each([
    [new TypeError("cannot read hunter2"), "TypeError"],
    [new QuotaExceeded("hunter2"), "QuotaExceeded"],
    [renamed, "Error"],
    [forged, "Error"],
    [unreadable, "Error"],
    ["hunter2", "string"],
    [undefined, "undefined"],
    [{ message: "hunter2" }, "object"],
  ])("names the class and nothing else (%#)", (thrown, name) => {
    expect(errorClass(thrown)).toBe(name);
  });

  test("is a short word for anything thrown", () => {
    fc.assert(
      fc.property(fc.anything(), (thrown) => {
        expect(errorClass(thrown)).toMatch(/^[A-Za-z_$][\w$]{0,63}$/);
      }),
    );
  });
});
