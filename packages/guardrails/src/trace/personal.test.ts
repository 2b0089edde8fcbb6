import { expect, test } from "vitest";
import { withoutPersons } from "./personal.ts";

test.each([
  ["to DE89370400440532013000 now", "to [account] now"],
  ["to DE89 3704 0044 0532 0130 00.", "to [account]."],
  ["GB29NWBK60161331926819", "[account]"],
  ["NO9386011117947", "[account]"],
  ["MT84MALT011000012345MTLCAST001S", "[account]"],
  // Another check digit.
  ["DE88370400440532013000", "DE88370400440532013000"],
  ["order AB12CDEF34567890", "order AB12CDEF34567890"],
  ["ask jo.doe+x@mail.example.org, please", "ask [mail], please"],
  ["<a@b.co>", "<[mail]>"],
  ["jo@localhost and @handle and 5@home", "jo@localhost and @handle and 5@home"],
])("%s", (text, shown) => {
  expect(withoutPersons(text)).toBe(shown);
});

test("a long text takes no long time", () => {
  const texts = [
    "a".repeat(50_000),
    "a@".repeat(25_000),
    "AA11".repeat(12_500),
    "a@b.".repeat(12_500),
  ];
  for (const text of texts) expect(withoutPersons(text).length).toBeGreaterThan(10_000);
});
