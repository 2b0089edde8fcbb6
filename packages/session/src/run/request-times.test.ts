import { expect, test } from "vitest";
import type { RequestTimeout } from "../shared/index.ts";
import { requestTimesOf, shorterTimes } from "./request-times.ts";

const DEFAULTS = { firstToken: 300_000, silence: 300_000, total: 600_000 };

test.each<readonly [string, readonly (RequestTimeout | undefined)[], object]>([
  ["the defaults", [], DEFAULTS],
  ["those of the session", [{ total: 5 }], { ...DEFAULTS, total: 5 }],
  [
    "those of the target before those",
    [{ total: 5, silence: 4 }, { total: 3 }],
    { ...DEFAULTS, total: 3, silence: 4 },
  ],
  [
    "not what is left out",
    [{ total: 5 }, { total: undefined } as never, undefined],
    { ...DEFAULTS, total: 5 },
  ],
])("a request has %s", (_, given, times) => {
  expect(requestTimesOf(false, ...given)).toEqual(times);
});

test("while another target is left, a silent one is given up after a minute, unless it was given more", () => {
  const short = { firstToken: 60_000, silence: 60_000, total: 600_000 };
  expect(requestTimesOf(true)).toEqual(short);
  expect(requestTimesOf(true, { silence: 90_000 })).toEqual({ ...short, silence: 90_000 });
});

test.each([
  [{}, { firstToken: 2, silence: 2, total: 2 }],
  [{ firstToken: 1 }, { firstToken: 1, silence: 2, total: 2 }],
  [
    { silence: 1, total: 3 },
    { firstToken: 2, silence: 1, total: 2 },
  ],
  [
    { firstToken: 3, silence: 3, total: 1 },
    { firstToken: 2, silence: 2, total: 1 },
  ],
])("of two sets of times the shorter ones hold: %j", (others, times) => {
  expect(shorterTimes({ firstToken: 2, silence: 2, total: 2 }, others)).toEqual(times);
});
