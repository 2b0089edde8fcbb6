import { expect, test } from "vitest";
import {
  type GuardrailContext,
  after,
  createGuardrails,
  memoryLedger,
  slotStore,
} from "./index.ts";
import { endOf, loopOf, ownLoop } from "./testing/index.ts";

const effects = { read_secret: "none", send_mail: "irreversible", pay: "irreversible" } as const;
const ran = (): string => "done";

test("after a secret was read, no mail is sent in this conversation, whatever became of the reading", async () => {
  const { call } = ownLoop({ effects, guardrails: [after("read_secret").deny("send_mail")] });
  expect(endOf(await call("send_mail", ran))).toBe("done");
  await call("read_secret", () => {
    throw new Error("half of it was read");
  }).catch(() => undefined);
  const refused = await call("send_mail", ran);
  expect(refused.result.content).toContain(
    "(GRD-001): 'send_mail' may not be called after 'read_secret'",
  );
  expect(refused.result.content).toContain("Hint: go on without it");
  expect(endOf(await call("pay", ran))).toBe("done");
  expect(endOf(await call("send_mail", ran, {}, { conversationId: "other" }))).toBe("done");
});

test("a call that guardrails refuse has not run", async () => {
  const { call } = ownLoop({
    effects,
    guardrails: [
      after("read_secret").deny("send_mail"),
      { name: "never", tools: ["read_secret"], check: () => "not today" },
    ],
  });
  await call("read_secret", ran);
  expect(endOf(await call("send_mail", ran))).toBe("done");
});

test("a person may be asked instead", async () => {
  const { call } = ownLoop({ effects, guardrails: [after("read_secret", "pay").ask("send_mail")] });
  expect(endOf(await call("send_mail", ran))).toBe("done");
  await call("pay", ran);
  expect(endOf(await call("send_mail", ran))).toBe(
    "asked: 'send_mail' is called after 'read_secret' or 'pay'",
  );
});

test("it is asked again when the call runs: a sibling may have read the secret meanwhile", async () => {
  const { contract, call } = ownLoop({
    store: slotStore({}),
    effects,
    guardrails: [after("read_secret").deny("send_mail")],
  });
  const tool = { name: "send_mail", inputSchema: { type: "object" } } as const;
  const place = { tool, conversationId: "thread-7" };
  const admission = await contract.admit({ id: "m", name: "send_mail", arguments: {} }, place);
  if (admission.status !== "admitted") throw new Error("not admitted");
  await call("read_secret", ran);
  expect(endOf(await admission.settle(ran))).toBe("rejected guardrail 1/3");
});

test("it is known in another process that shares the ledger", async () => {
  const ledger = memoryLedger();
  const make = () =>
    loopOf(
      createGuardrails({ effects, ledger, guardrails: [after("read_secret").deny("send_mail")] }),
    );
  await make().call("read_secret", ran);
  expect(endOf(await make().call("send_mail", ran))).toBe("rejected guardrail 1/3");
});

test("a check may ask for the user, in all conversations", async () => {
  const { call } = ownLoop({
    effects,
    guardrails: [
      {
        name: "once",
        tools: ["pay"],
        watches: ["pay"],
        check: async ({ ran: count }) => (await count("pay", "user")) >= 1 && "one payment a user",
      },
    ],
  });
  const of = (user: string, conversationId: string) => ({ context: { user }, conversationId });
  expect(endOf(await call("pay", ran, {}, of("u-1", "a")))).toBe("done");
  expect(endOf(await call("pay", ran, {}, of("u-1", "b")))).toBe("rejected guardrail 1/3");
  expect(endOf(await call("pay", ran, {}, of("u-2", "a")))).toBe("done");
});

const UNWATCHED =
  "ran: no guardrail watches 'pay'. Add it to the `watches` of the guardrail that asks.";

test.each<[string, object, string]>([
  ["nothing watches the tool", { watches: undefined }, UNWATCHED],
  ["another tool is watched", { watches: ["read_secret"] }, UNWATCHED],
  [
    "the scope has no value",
    { watches: ["pay"] },
    'ran: the scope "user" has no value for this call. Pass what names it, such as a conversationId or context: { user }.',
  ],
  [
    "there are no limits",
    { check: ({ usage }: GuardrailContext) => (void usage("budget"), null) },
    "usage: there are no limits. Pass createGuardrails({ limits, spends }).",
  ],
])("a check that cannot be answered refuses the call: %s", async (_, members, why) => {
  const told: unknown[] = [];
  const { call } = ownLoop({
    effects,
    guardrails: [
      {
        name: "odd",
        check({ ran: count }: GuardrailContext) {
          void count("pay", "user");
          return null;
        },
        ...members,
      },
    ],
    onGuardrailError: (error) => void told.push((error as Error).message),
  });
  const { result } = await call("send_mail", ran);
  expect(result.content).toContain("(GRD-004): A guardrail could not be checked");
  expect(told).toEqual([why]);
});

test("a ledger that fails lets nothing run that must be remembered", async () => {
  const ledger = { ...memoryLedger(), reserve: () => Promise.reject(new Error("down")) };
  const { call, lines } = ownLoop({
    effects,
    ledger,
    guardrails: [after("pay").deny("send_mail")],
  });
  let paid = 0;
  const { result } = await call("pay", () => (paid += 1));
  expect(result.content).toContain("Limits cannot be checked now");
  expect(lines).toContainEqual({
    message: "A ledger failed before the tool ran",
    fields: expect.objectContaining({ tool_name: "pay", error: "Error" }),
  });
  expect(paid).toBe(0);
});

test.each<[() => unknown, string]>([
  [() => after(), "after: name the tools"],
  [() => after("a").deny(), "after(…).deny: name the tools"],
  [() => after("a").ask(""), "after(…).ask: name the tools"],
])("%s throws", (make, message) => {
  expect(make).toThrow(message);
});

test("a typo in a watched tool is said", () => {
  const { contract } = ownLoop({ guardrails: [after("read_secrte").deny("send_mail")] });
  expect(() => contract.settings.checkTools(["read_secret", "send_mail"])).toThrow(
    "the host has no tool 'read_secrte'. Did you mean 'read_secret'?",
  );
});
