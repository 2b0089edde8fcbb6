import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createKeyedQueue } from "./keyed-queue.ts";

describe("createKeyedQueue", () => {
  test("runs one key's tasks in order and other keys' beside them", async () => {
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

  test("goes on after a task that failed", async () => {
    const enqueue = createKeyedQueue();
    const failing = enqueue("a", async () => {
      await sleep(1);
      throw new Error("store is down");
    });
    const next = enqueue("a", async () => "next");
    await expect(failing).rejects.toThrow("store is down");
    await expect(next).resolves.toBe("next");
  });
});
