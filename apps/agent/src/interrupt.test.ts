import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { onInterrupt } from "./interrupt.ts";

test.each([
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGINT"],
])("%s ends the run, and %s after it the program", (first, second) => {
  const exit = vi.fn<(code: number) => never>();
  const process = Object.assign(new EventEmitter(), { exit });
  const signal = onInterrupt(process as never);
  expect(signal.aborted).toBe(false);
  process.emit(first);
  expect(signal.reason).toMatchObject({ message: `received ${first}` });
  expect(exit).not.toHaveBeenCalled();
  process.emit(second);
  expect(exit.mock.calls[0]).toEqual([130]);
});

test("an error that nobody catches ends the run with what there is", () => {
  const exit = vi.fn<(code: number) => never>();
  const process = Object.assign(new EventEmitter(), { exit });
  const signal = onInterrupt(process as never);
  process.emit("uncaughtException", new Error("socket hang up"));
  expect(signal.reason).toMatchObject({ message: "socket hang up" });
  process.emit("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  process.emit("SIGINT");
  expect(exit.mock.calls[0]).toEqual([130]);
});
