import { expect, test } from "vitest";
import { replaceBlobLocation } from "./location-of-blob.ts";

test.each([
  ["blob:null/0b1c", "https://sandbox.invalid/"],
  ["https://docs.example/assets/peers.worker.js", "https://docs.example/assets/peers.worker.js"],
])("the location of a worker from %s", (from, expected) => {
  const scope = { location: new URL(from) };
  replaceBlobLocation(scope);
  expect(scope.location.href).toBe(expected);
});

test("Node has none", () => {
  const scope = {};
  replaceBlobLocation(scope);
  expect(scope).toEqual({});
});
