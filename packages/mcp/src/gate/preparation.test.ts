import type { ToolDefinition } from "@toolcontract/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPreparation } from "./preparation.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const BROKEN = "broken";

function start(): {
  readonly prepared: readonly string[];
  readonly list: (tools: readonly ToolDefinition[]) => void;
} {
  const prepared: string[] = [];
  const list = createPreparation(({ name }) => {
    prepared.push(name);
    if (name === BROKEN) throw new Error("broken");
  });
  return { prepared, list };
}

function toolsNamed(...names: readonly string[]): readonly ToolDefinition[] {
  return names.map((name) => ({ name }));
}

test("tools are prepared one in each turn, each of them once, and a broken one keeps none back", () => {
  const { prepared, list } = start();
  const tools = toolsNamed("a", BROKEN, "c");
  list(tools);
  list([...tools, ...toolsNamed("d")]);
  const seen = [0, 1, 2, 3, 4, 5].map(() => {
    const { length } = prepared;
    vi.advanceTimersToNextTimer();
    return prepared.length - length;
  });
  expect({ seen, prepared }).toEqual({
    seen: [1, 1, 1, 1, 0, 0],
    prepared: ["a", BROKEN, "c", "d"],
  });
});

test("tools that are listed later are prepared as well", () => {
  const { prepared, list } = start();
  list(toolsNamed("a"));
  vi.runAllTimers();
  list(toolsNamed("b"));
  vi.runAllTimers();
  expect(prepared).toEqual(["a", "b"]);
});

test("no more than 200 are prepared before they are called", () => {
  const { prepared, list } = start();
  list(toolsNamed(...Array.from({ length: 300 }, (_, index) => `tool-${index}`)));
  vi.runAllTimers();
  expect(prepared).toHaveLength(200);
});
