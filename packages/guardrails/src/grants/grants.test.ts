import {
  type AskRequest,
  type Handled,
  type ToolDefinition,
  createMemoryStore,
} from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { endOf, ownLoop } from "../testing/index.ts";
import {
  type GrantOptions,
  type GuardrailsOptions,
  Outcome,
  memoryLedger,
  slotStore,
} from "../index.ts";

const CONTEXT = { user: "u-17" };
const SCHEMA = { type: "object", title: "in euros" };
const TOOL = { name: "pay", description: "Pays from the petty cash", inputSchema: SCHEMA };
type Options = Partial<GuardrailsOptions<{ frozen: boolean }, "budget">>;

/** A loop whose guardrail asks a person about amounts above 100, and whose clock is set by hand. */
function askingLoop(options: Options = {}) {
  const time = { now: 1_000 };
  const store = slotStore({ frozen: false });
  const loop = ownLoop<{ frozen: boolean }, "budget">({
    store,
    clock: () => time.now,
    effects: { pay: "irreversible", refund: "irreversible", freeze: "state" },
    guardrails: [
      {
        name: "large",
        check: ({ args }) => args.amount > 100 && { ask: "more than 100 at once" },
      },
      {
        name: "frozen",
        tools: ["pay", "refund"],
        check: ({ state }) => state.frozen && "the account is frozen",
      },
    ],
    ...options,
  });
  let paid = 0;
  const pay = async (
    args: object = { amount: 500 },
    grants: readonly unknown[] = [],
    place: object = {},
  ): Promise<Handled> =>
    loop.call("pay", () => (paid += 1), args, {
      context: { ...CONTEXT, grants: grants as readonly string[] },
      ...place,
    });
  const ask = async (args?: object, place?: object): Promise<AskRequest> => {
    const asked = await pay(args, [], place);
    if (asked.status !== "ask") throw new Error(`not asked: ${asked.status}`);
    return asked.request;
  };
  const grantOf = async (request: AskRequest, expiresIn = 60_000): Promise<string> =>
    loop.guardrails.grant(request, { by: "operator-3", expiresIn });
  return { ...loop, time, pay, ask, grantOf, runs: () => paid };
}

test("a check that asks: nothing runs, nothing is counted, and the request is plain JSON", async () => {
  const { pay, runs } = askingLoop();
  for (let times = 0; times < 5; times += 1) expect((await pay()).status).toBe("ask");
  const asked = await pay();
  expect(asked.result.content).toBe(
    `Tool 'pay' has not run: a person must agree first.

\u2022 more than 100 at once

Do not call 'pay' with these arguments again until they have.`,
  );
  expect(asked).toMatchObject({
    status: "ask",
    result: { isError: true, status: "skipped" },
    request: {
      tool: "pay",
      arguments: { amount: 500 },
      reasons: [{ guardrail: "large", why: "more than 100 at once" }],
      conversationId: "thread-7",
      user: "u-17",
      askedAt: 1_000,
    },
  });
  expect(runs()).toBe(0);
  expect(endOf((await pay({ amount: 50 })) as never)).toBe("1");
});

test.each([
  ["by its arguments", "args", { calls: 2, admitted: 1 }],
  ["by the state, once it was admitted", "state", { calls: 2, admitted: 2 }],
] as const)("a call that is asked about %s is counted as a call", async (_, needs, counts) => {
  const { ask, grantOf, pay, contract } = askingLoop({
    guardrails: [{ name: "large", needs, check: () => ({ ask: "large" }) }],
  });
  const grant = await grantOf(await ask());
  expect(contract.metrics().calls).toBe(1);
  expect((await pay({ amount: 500 }, [grant])).status).toBe("executed");
  expect(contract.metrics()).toMatchObject({ ...counts, rejected: 0, blocked: 0, failureRate: 0 });
});

test("a granted call runs once, also with another id and after its request was stored as JSON", async () => {
  const { ask, grantOf, pay, runs } = askingLoop();
  const request = JSON.parse(JSON.stringify(await ask())) as AskRequest;
  const grant = await grantOf(request);
  expect((await pay({ amount: 500 }, ["not one", grant])).status).toBe("executed");
  expect((await pay({ amount: 500 }, [grant])).status).toBe("ask");
  expect(runs()).toBe(1);
});

test("a grant that waits does not answer what other guardrails find meanwhile", async () => {
  const { ask, grantOf, pay, runs, guardrails } = askingLoop();
  const grant = await grantOf(await ask());
  await guardrails.run({
    tool: "freeze",
    generate: () => ({ amount: 1 }),
    execute: (_, attempt) => (attempt.state.frozen = true),
  });
  const refused = await pay({ amount: 500 }, [grant]);
  expect(refused.result.content).toContain("the account is frozen");
  expect(runs()).toBe(0);
  await guardrails.run({
    tool: "freeze",
    generate: () => ({ amount: 1 }),
    execute: (_, attempt) => (attempt.state.frozen = false),
  });
  // It was not used up by a call that did not run.
  expect((await pay({ amount: 500 }, [grant])).status).toBe("executed");
});

test("nobody is asked about what is refused anyway", async () => {
  const { pay } = askingLoop({
    guardrails: [
      { name: "large", check: () => ({ ask: "large" }) },
      { name: "never", check: () => "not today" },
    ],
  });
  expect((await pay()).status).toBe("rejected");
});

test("several guardrails ask together, and each is answered by its own grant or by one for all", async () => {
  let reasons = ["large", "abroad"];
  const { ask, grantOf, pay } = askingLoop({
    guardrails: ["large", "abroad"].map((name) => ({
      name,
      check: () => reasons.includes(name) && { ask: `it is ${name}` },
    })),
  });
  const both = await grantOf(await ask());
  expect((await pay(undefined, [both])).status).toBe("executed");
  reasons = ["large"];
  const large = await grantOf(await ask());
  reasons = ["abroad"];
  const abroad = await grantOf(await ask());
  reasons = ["large", "abroad"];
  expect((await pay(undefined, [large])).status).toBe("ask");
  expect((await pay(undefined, [large, abroad])).status).toBe("executed");
});

test("a grant answers only the reason that it was given for", async () => {
  let why = "more than 100";
  const { ask, grantOf, pay } = askingLoop({
    guardrails: [{ name: "large", check: () => ({ ask: why }) }],
  });
  const grant = await grantOf(await ask());
  why = "the payee is new";
  expect((await pay(undefined, [grant])).status).toBe("ask");
});

test("a grant is not used up by a call that a limit refuses, and an aborted call uses no other", async () => {
  const { ask, grantOf, pay, guardrails, runs } = askingLoop({
    limits: { budget: { max: 500, scope: "user" } },
    spends: { pay: ({ args }) => ({ budget: args.amount }) },
  });
  const grant = await grantOf(await ask());
  await pay({ amount: 100 });
  expect((await pay({ amount: 500 }, [grant])).status).toBe("rejected");
  expect(await guardrails.usage("budget", { context: CONTEXT })).toMatchObject({ spent: 100 });
  const small = await grantOf(await ask({ amount: 300 }));
  expect((await pay({ amount: 300 }, [small])).status).toBe("executed");
  expect(runs()).toBe(2);
});

test("a replay at the same time runs once", async () => {
  const { ask, grantOf, pay, runs } = askingLoop();
  const grant = await grantOf(await ask());
  const ends = await Promise.all(Array.from({ length: 20 }, async () => pay(undefined, [grant])));
  expect(ends.filter(({ status }) => status === "executed")).toHaveLength(1);
  expect(runs()).toBe(1);
});

test("arguments that cannot be compared are refused, and nobody is asked", async () => {
  const { contract, lines } = askingLoop({
    guardrails: [{ name: "large", check: () => ({ ask: "large" }) }],
  });
  const handled = await contract.handle(
    { id: "call_1", name: "pay", arguments: { money: new URL("https://shop.example") } },
    {
      tool: { name: "pay", inputSchema: { type: "object" } },
      conversationId: "a",
      execute: () => "paid",
    },
  );
  expect(handled.status).toBe("rejected");
  expect(lines.map(({ message }) => message)).toContain(
    "The arguments of a call cannot be granted, so nobody is asked",
  );
});

test("guardrails.run asks as well, and runs with the grant", async () => {
  const { guardrails, grantOf } = askingLoop();
  const run = async (grants: readonly string[]) =>
    guardrails.run({
      tool: "pay",
      conversationId: "thread-7",
      context: { ...CONTEXT, grants },
      generate: () => ({ amount: 500 }),
      execute: () => "paid",
    });
  const asked = await run([]);
  if (asked.status !== "ask") throw new Error("not asked");
  const grant = await grantOf(asked.request);
  expect(await run([grant])).toEqual({ status: "ok", value: "paid" });
  expect(await run([grant])).toMatchObject({ status: "ask" });
});

describe("after a restart", () => {
  test.each<[string, () => GrantOptions["store"]]>([
    ["a ledger", memoryLedger],
    ["a store of attempts", createMemoryStore],
  ])("a grant is good once, with the secret and %s", async (_, makeStore) => {
    const grants = { secret: "a secret of 32 bytes, or more....", store: makeStore() as never };
    const first = askingLoop({ grants });
    const grant = await first.grantOf(await first.ask());
    const second = askingLoop({ grants });
    expect((await second.pay(undefined, [grant])).status).toBe("executed");
    const third = askingLoop({ grants });
    expect((await third.pay(undefined, [grant])).status).toBe("ask");
    expect((await first.pay(undefined, [grant])).status).toBe("ask");
  });

  test("by default the ledger keeps the grants that were used, and nobody is asked about them", async () => {
    const shared = { grants: { secret: "s" }, ledger: memoryLedger() };
    const first = askingLoop(shared);
    const grant = await first.grantOf(await first.ask());
    expect((await first.pay(undefined, [grant])).status).toBe("executed");
    const second = askingLoop({
      ...shared,
      limits: { budget: { max: 1 } },
      spends: { refund: () => ({}) },
    });
    expect((await second.pay(undefined, [grant])).status).toBe("ask");
    expect(await second.guardrails.reconcile(() => "not-done")).toEqual({
      done: 0,
      notDone: 0,
      unknown: 0,
    });
    expect((await second.pay(undefined, [grant])).status).toBe("ask");
  });

  test("without a secret, a grant is worth nothing", async () => {
    const first = askingLoop();
    const grant = await first.grantOf(await first.ask());
    expect((await askingLoop().pay(undefined, [grant])).status).toBe("ask");
  });
});

test("of 1,000 forged, edited, replayed, expired, misplaced and stale grants none runs, and every good one does", async () => {
  const loop = askingLoop();
  const other = askingLoop();
  const { ask, grantOf, pay, time, call } = loop;
  const flip = (text: string, at: number): string => {
    const index = at % text.length;
    const letter = text[index] === "A" ? "B" : "A";
    return text.slice(0, index) + letter + text.slice(index + 1);
  };
  /** Edits what a grant says, and leaves its seal. */
  const edited = (grant: string, change: object): string => {
    const [text = "", seal] = grant.split(".");
    const token = { ...JSON.parse(Buffer.from(text, "base64url").toString()), ...change };
    return `${Buffer.from(JSON.stringify(token)).toString("base64url")}.${seal}`;
  };
  type Attack = (index: number) => Promise<Handled>;
  const attacks: readonly Attack[] = [
    // Forged: never granted, granted by others, or not even text.
    async (index) =>
      pay(undefined, [Buffer.from(`${index}`).toString("base64url"), {}, null, index]),
    async () => pay(undefined, [await other.grantOf(await other.ask())]),
    async () => pay(undefined, [JSON.stringify(await ask())]),
    async () => pay(undefined, [(await ask()).seal]),
    // Edited: one letter, or what it says.
    async (index) => pay(undefined, [flip(await grantOf(await ask()), index * 7)]),
    async () => pay(undefined, [edited(await grantOf(await ask(), 1), { until: 1e15 })]),
    async () => pay(undefined, [`${await grantOf(await ask())}.more`]),
    async () =>
      pay({ amount: 900 }, [
        edited(await grantOf(await ask()), { digest: (await ask({ amount: 900 })).digest }),
      ]),
    // Replayed.
    async () => {
      const grant = await grantOf(await ask());
      await pay(undefined, [grant]);
      return pay(undefined, [grant]);
    },
    // Expired.
    async () => {
      const grant = await grantOf(await ask(), 1_000);
      time.now += 1_000;
      return pay(undefined, [grant]);
    },
    // For another tool, other arguments, another user, another conversation.
    async () => {
      const grant = await grantOf(await ask());
      const context = { ...CONTEXT, grants: [grant] };
      return call("refund", () => (stolen += 1), { amount: 500 }, { context });
    },
    async (index) => pay({ amount: 501 + index }, [await grantOf(await ask())]),
    async () => pay({ amount: 500, to: "me" }, [await grantOf(await ask())]),
    async () => pay({ amount: "500" }, [await grantOf(await ask())]),
    async () =>
      pay(undefined, [await grantOf(await ask(undefined, { context: { user: "u-18" } }))]),
    async () => pay(undefined, [await grantOf(await ask(undefined, { conversationId: "other" }))]),
    // Stale: the guardrails refuse by now.
    async () => {
      const grant = await grantOf(await ask());
      const freeze = async (frozen: boolean) =>
        loop.guardrails.run({
          tool: "freeze",
          generate: () => ({ amount: 1 }),
          execute: (_, attempt) => (attempt.state.frozen = frozen),
        });
      await freeze(true);
      const refused = await pay(undefined, [grant], { runId: `${time.now}` });
      await freeze(false);
      return refused;
    },
  ];
  let stolen = 0;
  let good = 0;
  for (let index = 0; index < 1_000; index += 1) {
    time.now += 1;
    const attack = attacks[index % attacks.length];
    const before = loop.runs();
    const isReplay = index % attacks.length === 8;
    const handled = await attack?.(index);
    expect([index, handled?.status === "executed"]).toEqual([index, false]);
    expect(loop.runs() - before).toBe(isReplay ? 1 : 0);
    if (index % 10 > 0) continue;
    good += 1;
    const place = { conversationId: `good-${index}` };
    const amount = 101 + index;
    const grant = await grantOf(await ask({ amount }, place));
    expect((await pay({ amount }, [grant], place)).status).toBe("executed");
  }
  expect([stolen, good]).toEqual([0, 100]);
});

describe("guardrails.grant refuses what was not asked", () => {
  test.each<[string, (request: AskRequest) => unknown]>([
    ["other arguments", (request) => ({ ...request, arguments: { amount: 1 } })],
    ["another tool", (request) => ({ ...request, tool: "refund" })],
    ["another digest", (request) => ({ ...request, digest: "x" })],
    ["other reasons", (request) => ({ ...request, reasons: [] })],
    ["a member more", (request) => ({ ...request, note: "please" })],
    ["another seal", (request) => ({ ...request, seal: "x".repeat(request.seal.length) })],
    ["nothing", () => undefined],
    ["a string", () => "pay"],
    [
      "what cannot be read",
      (request) => ({
        ...request,
        toJSON: undefined,
        get tool() {
          throw new Error("no");
        },
      }),
    ],
  ])("%s", async (_, change) => {
    const { ask, guardrails } = askingLoop();
    const request = change(await ask()) as AskRequest;
    const granted = guardrails.grant(request, { by: "operator-3", expiresIn: 1 });
    await expect(granted).rejects.toThrow("this is not the request of a call of these guardrails");
  });

  test.each<[object, string]>([
    [{ expiresIn: 1 }, "option 'by' must be the name of who agreed"],
    [{ by: "", expiresIn: 1 }, "option 'by' must be the name of who agreed"],
    [{ by: "o" }, "option 'expiresIn' must be a number of milliseconds above 0"],
    [{ by: "o", expiresIn: 0 }, "option 'expiresIn' must be a number"],
    [{ by: "o", expiresIn: Number.POSITIVE_INFINITY }, "option 'expiresIn' must be a number"],
    [{ by: "o", expiresIn: -1 }, "option 'expiresIn' must be a number"],
  ])("%j", async (by, message) => {
    const { ask, guardrails } = askingLoop();
    await expect(guardrails.grant(await ask(), by as never)).rejects.toThrow(message);
  });
});

test("a store of grants that fails lets nothing run", async () => {
  const broken = { ...memoryLedger(), reserve: () => Promise.reject(new Error("away")) };
  const { ask, grantOf, pay, runs, lines } = askingLoop({
    grants: { secret: "s", store: broken },
  });
  expect((await pay(undefined, [await grantOf(await ask())])).status).toBe("ask");
  expect(runs()).toBe(0);
  expect(lines.map(({ message }) => message)).toContain(
    "The store of grants failed, so a grant was not used",
  );
});

test("a tool of an approved call that says that nothing has happened needs another grant", async () => {
  const { ask, grantOf, call } = askingLoop();
  const grant = await grantOf(await ask());
  const context = { ...CONTEXT, grants: [grant] };
  const declined = () => Outcome.notDone("declined", "the bank said no");
  expect(endOf(await call("pay", declined, { amount: 500 }, { context }))).toContain("failed:");
  expect((await call("pay", declined, { amount: 500 }, { context })).status).toBe("ask");
});

describe("what a person agrees to is what runs", () => {
  test("a set of recipients is shown", async () => {
    const { ask, pay, grantOf, runs } = askingLoop({
      guardrails: [{ name: "large", check: () => ({ ask: "large" }) }],
    });
    const request = await ask({ to: new Set(["mallory", "eve"]), amount: -0 });
    expect(request.arguments).toEqual({ to: ["mallory", "eve"], amount: "-0" });
    const grant = await grantOf(request);
    expect((await pay({ to: new Set(["mallory"]), amount: -0 }, [grant])).status).toBe("ask");
    expect((await pay({ to: ["mallory", "eve"], amount: -0 }, [grant])).status).toBe("ask");
    expect((await pay({ to: new Set(["mallory", "eve"]), amount: -0 }, [grant])).status).toBe(
      "executed",
    );
    expect(runs()).toBe(1);
  });

  test.each([[{ id: "a" }], [["a"]], [Number.NaN], [""], [Symbol("a")]])(
    "nobody is asked for the user %o, who cannot be told from another",
    async (user) => {
      const { pay, runs, lines } = askingLoop();
      const context = { user } as unknown as { readonly user: string };
      expect((await pay({ amount: 500 }, [], { context })).status).toBe("rejected");
      expect(runs()).toBe(0);
      expect(lines.map(({ message }) => message).join()).toContain("so nobody is asked");
    },
  );

  test("a user is the same as a string and as a number", async () => {
    const { ask, pay, grantOf } = askingLoop();
    const grant = await grantOf(await ask({ amount: 500 }, { context: { user: 17 } }));
    const context = { user: "17", grants: [grant] };
    expect((await pay({ amount: 500 }, [], { context })).status).toBe("executed");
  });

  test.each([
    ["the same tool, made anew with its members in another order", TOOL, true],
    ["another description", { ...TOOL, description: "Pays from the customer's account" }, false],
    ["another schema", { ...TOOL, inputSchema: { type: "object", title: "in cents" } }, false],
    ["no description", { name: "pay", inputSchema: SCHEMA }, false],
  ] satisfies [string, ToolDefinition, boolean][])(
    "a grant belongs to the tool's definition: %s",
    async (_, tool, runs) => {
      const { contract, grantOf } = askingLoop();
      const call = async (of: ToolDefinition, grants: readonly string[] = []): Promise<Handled> =>
        contract.handle(
          { id: "c", name: "pay", arguments: { amount: 500 } },
          { tool: of, conversationId: "thread-7", context: CONTEXT, grants, execute: () => "paid" },
        );
      const asked = await call({
        inputSchema: { title: "in euros", type: "object" },
        description: TOOL.description,
        name: "pay",
      });
      if (asked.status !== "ask") throw new Error(`not asked: ${asked.status}`);
      const grant = await grantOf(asked.request);
      expect((await call(tool, [grant])).status).toBe(runs ? "executed" : "ask");
    },
  );
});
