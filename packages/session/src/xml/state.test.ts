import { ToolContractError } from "@toolcontract/core";
import { expect, test } from "vitest";
import { createXmlState } from "./state.ts";

test("every run has a nonce of its own, of 8 hex digits", () => {
  const nonces = Array.from({ length: 50 }, () => createXmlState({ mode: "xml" }).nonce);
  expect(new Set(nonces).size).toBe(50);
  expect(nonces.every((nonce) => /^[0-9a-f]{8}$/.test(nonce))).toBe(true);
});

test.each([
  [
    { nonce: "DEADBEEF", mode: "xml" },
    "nonce must be 8 lower-case hex digits, such as 'deadbeef'; leave it out for a random one",
  ],
  [
    { nonce: "deadbeef\n", mode: "xml" },
    "nonce must be 8 lower-case hex digits, such as 'deadbeef'; leave it out for a random one",
  ],
  [
    { nonce: 1, mode: "xml" },
    "nonce must be 8 lower-case hex digits, such as 'deadbeef'; leave it out for a random one",
  ],
  [{ mode: "native" }, "mode must be 'xml' or 'xml-final'; native calls need no XML state"],
])("options %j are refused at once", (options, message) => {
  expect(() => createXmlState(options as never)).toThrow(
    new ToolContractError(`startXml: ${message}.`),
  );
});

test("slots have four digits, and more after 9999", () => {
  const state = createXmlState({ nonce: "deadbeef", mode: "xml" });
  state.see("deadbeef-9998");
  expect(state.offer(2)).toEqual(["deadbeef-9999", "deadbeef-10000"]);
  expect(state.take("deadbeef-10000")).toBe("taken");
  expect(state.take("deadbeef-9999")).toBe("taken");
});

test("a slot that was never offered cannot be taken, and moves no other", () => {
  const state = createXmlState({ nonce: "deadbeef", mode: "xml" });
  expect(state.take("deadbeef-0001")).toBe("unknown");
  expect(state.offer(3)).toHaveLength(3);
  expect(["0004", "0999", "9999", "0003"].map((slot) => state.take(`deadbeef-${slot}`))).toEqual([
    "unknown",
    "unknown",
    "unknown",
    "taken",
  ]);
  expect(state.offer(1)).toEqual(["deadbeef-0004"]);
});

test("once all that were offered are taken, the next one is one call too many", () => {
  const state = createXmlState({ nonce: "deadbeef", mode: "xml" });
  const take = (...slots: readonly string[]): readonly string[] =>
    slots.map((slot) => state.take(`deadbeef-${slot}`));
  state.offer(2);
  expect(take("0001", "0003", "0002", "0004", "0003", "0004")).toEqual([
    "taken",
    "unknown",
    "taken",
    "unknown",
    "taken",
    "taken",
  ]);
});

test("a slot that was left out can still be taken, once", () => {
  const state = createXmlState({ nonce: "deadbeef", mode: "xml" });
  state.offer(3);
  expect(["0003", "0001", "0001"].map((slot) => state.take(`deadbeef-${slot}`))).toEqual([
    "taken",
    "taken",
    "used",
  ]);
});

test.each([
  ["deadbeef-0001", true],
  ["deadbeef-10000", true],
  ["deadbeef-FINAL", true],
  ["deadbeef-FINAL-2", true],
  ["deadbeef-01", false],
  ["deadbeef-00001", false],
  ["deadbeef-PROGRESS", false],
  ["DEADBEEF-0001", false],
  ["cafebabe-0001", false],
  ["call_1", false],
])("%s is a slot of the run: %s", (id, isOwn) => {
  expect(createXmlState({ nonce: "deadbeef", mode: "xml" }).owns(id)).toBe(isOwn);
});
