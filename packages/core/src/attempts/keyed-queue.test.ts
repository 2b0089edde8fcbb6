import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createKeyedQueue } from "./keyed-queue.ts";

describe("createKeyedQueue", () => {
  test("runs tasks of one key in order, and of other keys concurrently", async () => {
    const enqueue = createKeyedQueue();
    const log: string[] = [];
    const task = (name: string, delay: number) => async (): Promise<void> => {
      log.push(`begin ${name}`);
      await sleep(delay);
      log.push(`end ${name}`);
    };
    await Promise.all([
      enqueue("a", task("a1", 20)),
      enqueue("a", task("a2", 0)),
      enqueue("b", task("b1", 0)),
    ]);
    expect(log).toEqual(["begin a1", "begin b1", "end b1", "end a1", "begin a2", "end a2"]);
  });

  test("continues after a failed task", async () => {
    const enqueue = createKeyedQueue();
    const failing = enqueue("a", async () => {
      await sleep(1);
      throw new Error("store is down");
    });
    const next = enqueue("a", async () => "next");
    await expect(failing).rejects.toThrow("store is down");
    await expect(next).resolves.toBe("next");
  });

  test("runs a task that waits for nothing at once, but after those before it", async () => {
    const enqueue = createKeyedQueue();
    expect(enqueue("a", () => "at once")).toBe("at once");
    const log: string[] = [];
    const slow = enqueue("a", async () => sleep(1).then(() => log.push("slow")));
    const quick = enqueue("a", () => log.push("quick"));
    await Promise.all([slow, quick]);
    expect(log).toEqual(["slow", "quick"]);
    expect(enqueue("a", () => "at once")).toBe("at once");
  });
});
