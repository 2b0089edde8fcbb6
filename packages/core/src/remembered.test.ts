import { expect, test } from "vitest";
import { remembered } from "./remembered.ts";

test("a name is worked out once, its answer comes again, also where it is undefined", () => {
  const asked: string[] = [];
  const lengthOf = remembered((name) => {
    asked.push(name);
    return name === "none" ? undefined : name.length;
  });
  expect([lengthOf("path"), lengthOf("path"), lengthOf("none"), lengthOf("none")]).toEqual([
    4,
    4,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual(["path", "none"]);
});

test("long texts are not kept, and no number of names lets the memory grow without end", () => {
  let asked = 0;
  const count = remembered(() => (asked += 1));
  const long = "a".repeat(65);
  count(long);
  count(long);
  expect(asked).toBe(2);
  for (let index = 0; index < 10_000; index += 1) count(`name ${index}`);
  expect(asked).toBe(10_002);
  count("name 9999");
  expect(asked).toBe(10_002);
  count("name 1");
  expect(asked).toBe(10_003);
});
