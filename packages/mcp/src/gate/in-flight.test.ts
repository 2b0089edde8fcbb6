import { describe, expect, test } from "vitest";
import { createFlights, createInFlight, type Expected, type InFlight } from "./in-flight.ts";
import { DROP, FORWARD } from "./link.ts";

const nothing = (): undefined => undefined;

/** A request that a stage waits for, and a record of how it ended. */
function staged(id: string): { readonly flight: InFlight; readonly ends: string[] } {
  const ends: string[] = [];
  const expects: Expected = { settle: nothing, abort: () => ends.push("aborted") };
  const flight = createInFlight(id, { expects });
  flight.limits = { end: () => ends.push("limits"), cut: nothing };
  return { flight, ends };
}

describe("a request that was sent", () => {
  test("waits only if something is done with its response", () => {
    const flights = createFlights();
    flights.sent(createInFlight("plain"));
    flights.sent(createInFlight(undefined, { measure: nothing }));
    expect(flights.isAwaiting()).toBe(false);
    flights.sent(createInFlight("timed", { measure: nothing }));
    expect(flights.isAwaiting()).toBe(true);
    expect(flights.take("timed")?.id).toBe("timed");
    expect(flights.isAwaiting()).toBe(false);
  });

  test("ends and is measured once if it is cancelled", () => {
    const flights = createFlights();
    const { flight, ends } = staged("1");
    const measured: unknown[] = [];
    flight.measure = (error) => measured.push(error);
    flights.sent(flight);
    expect(flights.cancel("1")).toBe(false);
    expect(flights.cancel("1")).toBe(false);
    expect(ends).toEqual(["aborted", "limits"]);
    expect(measured).toEqual(["cancelled"]);
    expect(flights.take("1")).toBeUndefined();
  });

  test("ends if its id is used again", () => {
    const flights = createFlights();
    const [first, second] = [staged("1"), staged("1")];
    flights.sent(first.flight);
    flights.sent(second.flight);
    expect([first.ends, second.ends]).toEqual([["aborted", "limits"], []]);
    expect(flights.take("1")).toBe(second.flight);
  });

  test("ends with its link", () => {
    const flights = createFlights();
    const { flight, ends } = staged("1");
    flights.sent(flight);
    flights.close();
    expect(ends).toEqual(["aborted", "limits"]);
    expect(flights.isAwaiting()).toBe(false);
  });

  test("is the first to end if 10,000 others wait", () => {
    const flights = createFlights();
    const { flight, ends } = staged("oldest");
    flights.sent(flight);
    for (let id = 0; id < 10_000; id += 1) flights.sent(staged(String(id)).flight);
    expect(ends).toEqual(["aborted", "limits"]);
    expect(flights.find("oldest")).toBeUndefined();
    expect(flights.find("0")).toBeDefined();
  });
});

describe("a request that is held", () => {
  test("is not waited for, and can be cancelled", async () => {
    const flights = createFlights();
    const flight = createInFlight("1");
    const ruling = flights.hold(flight, Promise.resolve(FORWARD));
    expect(flights.isAwaiting()).toBe(false);
    expect(flights.cancel("1")).toBe(true);
    expect(flight.isAborted()).toBe(true);
    await ruling;
    expect(flights.cancel("1")).toBe(false);
  });

  test.each([
    ["is dropped if its error comes after the cancellation", true],
    ["fails if nobody cancelled it", false],
  ])("%s", async (_, isCancelled) => {
    const flights = createFlights();
    const ruling = flights.hold(createInFlight("1"), Promise.reject(new Error("late")));
    if (isCancelled) flights.cancel("1");
    await expect(isCancelled ? ruling : ruling.catch(() => "failed")).resolves.toBe(
      isCancelled ? DROP : "failed",
    );
  });

  test("ends with its link", () => {
    const flights = createFlights();
    const flight = createInFlight("1");
    void flights.hold(flight, new Promise(nothing));
    flights.close();
    expect(flight.isAborted()).toBe(true);
  });
});
