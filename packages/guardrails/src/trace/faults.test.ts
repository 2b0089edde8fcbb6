import { expect, test } from "vitest";
import { Outcome, slotStore } from "../index.ts";
import { endOf, ownLoop } from "../testing/index.ts";

const refusing = { guardrails: [{ name: "no", check: () => "no" }] };
const paid = (): string => "paid";

test.each<[string, () => number, error?: string]>([
  ["NaN", () => Number.NaN],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ["a string", () => "noon" as never],
  [
    "nothing, and throws",
    () => {
      throw new RangeError("no clock");
    },
    "RangeError",
  ],
])(
  "with a clock that tells %s, counts and events go on, and the operator is told once",
  async (_, clock, error = "no number") => {
    const { call, guardrails, events, lines } = ownLoop({ ...refusing, clock });
    for (let times = 0; times < 3; times += 1) await call("pay", paid);
    expect(guardrails.health()["pay"]).toMatchObject({ calls: 3, guardrail_retry_exhausted: 1 });
    expect(guardrails.health()["pay"]?.pressure).toBeCloseTo(1);
    expect(events.at(-1)?.attempt_failures).toHaveLength(3);
    const told = lines.filter(({ message }) => message.startsWith("The clock tells no time"));
    expect(told.map(({ fields }) => fields.error)).toEqual([error]);
  },
);

test("the type of an outcome is masked in telemetry", async () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const { call, events } = ownLoop({ guardrails: [], effects: { pay: "state" } });
  await call("pay", () => Outcome.error(`user_${secret}`, "no"));
  expect(JSON.stringify(events)).not.toContain(secret.slice(-20));
  // Only a name is a type, so it is not a free text either.
  expect(() => Outcome.error("it went wrong", "no")).toThrow("the type is not a name");
});

test("twenty turns at once spend a budget once", async () => {
  const { call, guardrails } = ownLoop(refusing);
  await Promise.all(Array.from({ length: 20 }, async () => call("pay", paid)));
  expect(guardrails.health()["pay"]).toMatchObject({ guardrail_retry_exhausted: 1, pressure: 1 });
});

test("what a host changes in the arguments while a guardrail is asked does not reach the tool", async () => {
  const args = { amount: 5, to: { iban: "a" } };
  const { call } = ownLoop({
    effects: { pay: "irreversible" },
    guardrails: [
      {
        name: "small",
        async check({ args: { amount } }) {
          await new Promise((resolve) => setImmediate(resolve));
          return amount > 10 && "too much";
        },
      },
    ],
  });
  const got: unknown[] = [];
  const running = call("pay", (given: unknown) => got.push(JSON.stringify(given)), args);
  await Promise.resolve();
  args.amount = 900;
  args.to.iban = "b";
  expect(endOf(await running)).toBe("1");
  expect(got).toEqual(['{"amount":5,"to":{"iban":"a"}}']);
});

test("arguments are copied for a tool of which something is judged, and for no other", async () => {
  const { call } = ownLoop({
    effects: { guarded: "state", spending: "state", undone: "compensable", plain: "state" },
    guardrails: [{ name: "small", tools: ["guarded"], check: () => null }],
    limits: { budget: { max: 100 } },
    spends: { spending: () => ({ budget: 1 }) },
    compensate: { undone: () => undefined },
  });
  const copied: string[] = [];
  for (const tool of ["guarded", "spending", "undone", "plain"]) {
    const args = { to: {} };
    await call(
      tool,
      ({ to }: { readonly to: object }) => to !== args.to && copied.push(tool),
      args,
    );
  }
  expect(copied).toEqual(["guarded", "spending", "undone"]);
});

test("a host that always names the same turn is reported in the log, and the refusals of a run are bounded", async () => {
  const { call, lines } = ownLoop(refusing);
  const place = { turnId: "turn" };
  for (let times = 0; times < 50; times += 1) {
    expect(endOf(await call("pay", paid, {}, place))).toBe("rejected guardrail 1/3");
  }
  const told = lines.filter(({ message }) =>
    message.startsWith("Many calls of a tool were refused"),
  );
  expect(told.map(({ fields }) => fields.tool_name)).toEqual(["pay"]);
  const bounded = ownLoop({ ...refusing, budgets: { run: 5 } });
  const ends: string[] = [];
  for (let times = 0; times < 6; times += 1) {
    ends.push(endOf(await bounded.call("pay", paid, {}, { ...place, runId: "run" })));
  }
  expect(ends[3]).toBe("rejected guardrail 1/3");
  expect(ends.at(-1)).toContain("refusals_exhausted");
});

test("a secret in the words of a guardrail is masked, for the model and in telemetry", async () => {
  const secret = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789";
  const { call, events, lines } = ownLoop({
    guardrails: [{ name: "no", check: () => `not with ${secret}` }],
  });
  const { result } = await call("pay", paid);
  expect(result.content).toContain("not with [redacted]");
  expect(JSON.stringify([result, events, lines])).not.toContain(secret.slice(-20));
});

test.each(["at once", "late", "after a wait"])(
  "a guardrail that reads the state %s is asked once for each call, but for the first",
  async (when) => {
    let asked = 0;
    const store = slotStore({ count: 0 });
    const { call } = ownLoop({
      store,
      effects: { pay: "state" },
      guardrails: [
        {
          name: "counts",
          check(context) {
            if (when === "at once") return context.state.count > (asked += 1) + 99 && "no";
            asked += 1;
            if (when === "late") return context.state.count > 5 && "no";
            return Promise.resolve().then(() => context.state.count > 5 && "no");
          },
        },
      ],
    });
    for (let times = 0; times < 10; times += 1) await call("pay", paid);
    expect(asked).toBe(when === "at once" ? 10 : 11);
  },
);

test("a bank account and a mail address in the words of a guardrail are for the model alone", async () => {
  const words = "DE89370400440532013000 of jo@example.org is not on the list";
  const { call, events, lines } = ownLoop({ guardrails: [{ name: "no", check: () => words }] });
  expect(JSON.stringify(await call("pay", paid))).toContain(words);
  expect(events.at(-1)?.latest_failure_message).toBe("[account] of [mail] is not on the list");
  expect(JSON.stringify([events, lines])).not.toMatch(/DE89|jo@/);
});
