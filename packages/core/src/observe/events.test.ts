import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type ContractEventMap, EVENT_NAMES } from "./event-map.ts";
import { createEvents } from "./events.ts";

const rejected: ContractEventMap["call-rejected"] = {
  toolName: "read_file",
  toolCallId: "call_1",
  conversationId: "chat-1",
  lane: "validation",
  attempt: 1,
  maxAttempts: 3,
  errors: [{ path: "/path", code: "VAL-001" }],
};

describe("createEvents", () => {
  test("calls the listeners of one event in order, with its payload", () => {
    const events = createEvents<ContractEventMap>(EVENT_NAMES, () => {});
    const seen: string[] = [];
    events.on("call-rejected", (event) => seen.push(`first ${event.attempt}`));
    events.on("call-rejected", (event) => seen.push(`second ${event.errors[0]?.code}`));
    events.on("call-admitted", () => seen.push("never"));
    events.emit("call-rejected", () => rejected);
    expect(seen).toEqual(["first 1", "second VAL-001"]);
  });

  test("unsubscribes one subscription, also from within a listener", () => {
    const events = createEvents<ContractEventMap>(EVENT_NAMES, () => {});
    const listener = vi.fn();
    const once: () => void = events.on("call-rejected", () => once());
    const off = events.on("call-rejected", listener);
    events.on("call-rejected", listener);
    events.emit("call-rejected", () => rejected);
    expect(listener).toHaveBeenCalledTimes(2);
    off();
    off();
    events.emit("call-rejected", () => rejected);
    expect(listener).toHaveBeenCalledTimes(3);
  });

  test("a listener that throws or rejects breaks neither the call nor the other listeners", async () => {
    const faults: unknown[] = [];
    const events = createEvents<ContractEventMap>(EVENT_NAMES, (thrown) => faults.push(thrown));
    const other = vi.fn();
    events.on("call-rejected", () => {
      throw new TypeError("broken listener");
    });
    events.on("call-rejected", async () => {
      throw new RangeError("broken later");
    });
    events.on("call-rejected", other);
    expect(() => events.emit("call-rejected", () => rejected)).not.toThrow();
    await sleep(0);
    expect(other).toHaveBeenCalledOnce();
    expect(faults).toEqual([expect.any(TypeError), expect.any(RangeError)]);
  });
});
