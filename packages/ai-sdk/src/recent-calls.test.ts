import type { ToolResult } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { createRecentCalls } from "./recent-calls.ts";

const result = (toolCallId: string, content = "text"): ToolResult => ({
  formatVersion: "1.0",
  toolCallId,
  toolName: "pay",
  content,
  isError: true,
  status: "rejected",
  argumentsHash: "hash",
  advisories: [],
});

describe("createRecentCalls", () => {
  test("knows a rejection only by its id and its unchanged text", () => {
    const recent = createRecentCalls();
    recent.reject(result("call_1"));
    expect(recent.markerOf("call_1", "text")).toMatchObject({ argumentsHash: "hash" });
    expect(recent.markerOf("call_1", "the text of another conversation")).toBeUndefined();
    expect(recent.markerOf("call_2", "text")).toBeUndefined();
  });

  test("forgets the oldest calls", () => {
    const recent = createRecentCalls();
    for (let number = 0; number <= 1_000; number++) recent.reject(result(`call_${number}`));
    expect(recent.markerOf("call_0", "text")).toBeUndefined();
    expect(recent.markerOf("call_1", "text")).toBeDefined();
  });

  test("an admitted call is taken once", () => {
    const recent = createRecentCalls();
    recent.admit("call_1");
    expect([recent.takeAdmitted("call_1"), recent.takeAdmitted("call_1")]).toEqual([true, false]);
  });
});
