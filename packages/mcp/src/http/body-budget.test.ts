import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createBodyBudget } from "./body-budget.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("bodies that are arriving", () => {
  const open = (count: number, maxBytes = 10) => {
    const budget = createBodyBudget({ maxBytes, timeoutMs: 1_000 });
    const givenUp: string[] = [];
    const shares = Array.from({ length: count }, (_, index) =>
      budget.open(({ status }) => givenUp.push(`${index}: ${status}`)),
    );
    return { shares, givenUp };
  };

  test("are given up from the oldest on if memory runs out", () => {
    const { shares, givenUp } = open(4);
    for (const share of shares) share.add(3);
    expect(givenUp).toEqual(["0: 503"]);
    shares[3]?.add(4);
    expect(givenUp).toEqual(["0: 503", "1: 503"]);
  });

  test("that have arrived use their memory until they are closed, and are not given up", () => {
    const { shares, givenUp } = open(3);
    shares[0]?.add(8);
    shares[0]?.arrived();
    vi.advanceTimersByTime(500);
    shares[1]?.add(3);
    expect(givenUp).toEqual(["1: 503"]);
    shares[0]?.close();
    shares[2]?.add(9);
    expect(givenUp).toEqual(["1: 503"]);
  });

  test("that are closed use nothing any more", () => {
    const { shares, givenUp } = open(40);
    for (const share of shares) {
      share.add(9);
      share.close();
    }
    expect(givenUp).toEqual([]);
  });

  test("that were given up leave no timer behind, which would hold them", () => {
    const { shares, givenUp } = open(3);
    for (const share of shares) share.add(9);
    expect(givenUp).toEqual(["0: 503", "1: 503"]);
    expect(vi.getTimerCount()).toBe(1);
  });

  test("that were given up use nothing any more, whatever still arrives", () => {
    const { shares, givenUp } = open(2);
    shares[0]?.add(11);
    shares[0]?.add(11);
    shares[1]?.add(10);
    shares[0]?.close();
    expect(givenUp).toEqual(["0: 503"]);
  });

  test("are given up after some time, unless they are complete", () => {
    const { shares, givenUp } = open(2);
    shares[1]?.close();
    vi.advanceTimersByTime(1_000);
    expect(givenUp).toEqual(["0: 408"]);
  });
});
