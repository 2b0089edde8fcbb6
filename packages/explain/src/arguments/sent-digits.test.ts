import { describe, expect, test } from "vitest";
import { sentDigits } from "./sent-digits.ts";

const BIG = "1234567890123456789";

describe("the digits of a number as they were sent", () => {
  test.each([
    ["in an object", `{"id": ${BIG}}`, ["id"]],
    ["negative", `{"id":-${BIG}}`, ["id"]],
    ["further in", `{"a":[1,{"b":${BIG}}]}`, ["a", 1, "b"]],
    ["after a string that looks like it", `{"a":"\\"b\\":1${BIG}","id":${BIG}}`, ["id"]],
    ["the arguments themselves", BIG, []],
  ])("%s", (_, text, path) => {
    expect(sentDigits(text, path)).toMatch(new RegExp(`^-?${BIG}$`));
  });

  test.each([
    ["a short number", "5"],
    ["a decimal", `${BIG}.5`],
    ["a zero at the end", "3.10"],
    ["an exponent", "1.5E+3"],
    ["a negative zero", "-0.0"],
  ])("%s", (_, digits) => {
    expect(sentDigits(`{"a": "1.0", "id": ${digits}}`, ["id"])).toBe(digits);
  });

  test.each([
    ["no such place", `{"id":${BIG}}`, ["name"]],
    ["a place within a number", `{"id":${BIG}}`, ["id", "0"]],
    ["an inherited name", `{"id":${BIG}}`, ["constructor", "name"]],
    ["text that is not JSON", `{id: ${BIG}}`, ["id"]],
    ["more digits than a message shows", `{"id":${BIG.repeat(3)}}`, ["id"]],
    ["a long text", `{"a":"${"x".repeat(200_000)}","id":${BIG}}`, ["id"]],
  ])("unknown: %s", (_, text, path) => {
    expect(sentDigits(text, path)).toBeUndefined();
  });
});
