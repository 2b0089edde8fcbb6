import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createContract } from "../contract/index.ts";
import type { AttemptStore } from "./attempt-store.ts";
import { STORE_LIMIT_MS, boundedStore } from "./bounded-store.ts";
import { createMemoryStore } from "./memory-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = async (): Promise<never> => new Promise(() => undefined);
const HANGING: AttemptStore = { get: never, update: never, delete: never };

test.each(["get", "update", "delete"] as const)(
  "%s of a store that hangs fails after five seconds",
  async (name) => {
    const failed = Promise.resolve(boundedStore(HANGING)[name]("a", (state) => state)).catch(
      String,
    );
    await vi.advanceTimersByTimeAsync(STORE_LIMIT_MS);
    expect(await failed).toBe("TimeoutError: No answer within 5000 ms");
  },
);

test("a store in memory answers at once, and one that is slow in its time", async () => {
  const store = createMemoryStore();
  expect(boundedStore(store).get("a")).toBeUndefined();
  const slow = {
    ...store,
    get: async (key: string) => {
      await new Promise((resolve) => setTimeout(resolve, STORE_LIMIT_MS - 1));
      return store.get(key);
    },
  };
  const answer = boundedStore(slow).get("a");
  await vi.advanceTimersByTimeAsync(STORE_LIMIT_MS);
  expect(await answer).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test("a store with a limit of its own is left as it is", () => {
  const store = { ...createMemoryStore(), outage: undefined };
  expect(boundedStore(store)).toBe(store);
});

test("a call whose store hangs is judged, and the log says why it took so long", async () => {
  const lines: unknown[] = [];
  const contract = createContract({ store: HANGING, logger: (line) => lines.push(line) });
  const handled = contract.handle(
    { id: "c", name: "add", arguments: "{}" },
    {
      tool: { name: "add", inputSchema: { type: "object", required: ["a"] } },
      conversationId: "chat",
      turnId: "1",
      execute: () => "added",
    },
  );
  await vi.advanceTimersByTimeAsync(10 * STORE_LIMIT_MS);
  expect((await handled).result.content).toContain("(attempt 1/3)");
  expect(JSON.stringify(lines)).toContain("TimeLimitError");
});
