import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { Outcome, createGuardrails, type GuardrailsOptions } from "./index.ts";
import { gate, idle } from "./testing/index.ts";

const tool = { name: "book", inputSchema: { type: "object" } } as const;
const interrupt = (name = "GraphInterrupt") => Object.assign(new Error("book?"), { name });

/** Bookings of a host that may pause inside of the tool. */
function open(options: Partial<GuardrailsOptions<unknown>> = {}, max = 40) {
  const guardrails = createGuardrails({
    guardrails: [],
    effects: { book: "irreversible" },
    limits: { nights: { max } },
    spends: { book: ({ args }) => ({ nights: args.nights }) },
    ...options,
  });
  const contract = createContract({ guardrails, logger: false });
  const call = { id: "call_1", name: "book", arguments: { nights: 30 } };
  return {
    guardrails,
    usage: async () => guardrails.usage("nights", { conversationId: "t" }),
    book: async (execute: () => unknown, context: object = {}, more: object = {}) =>
      contract.handle(
        { ...call, ...more },
        { tool, conversationId: "t", turnId: "1", execute, ...context },
      ),
  };
}

describe.each(["GraphInterrupt", "NodeInterrupt", "WorkflowSuspension"])(
  "a tool that pauses by %s",
  (name) => {
    const pause = (): never => {
      throw interrupt(name);
    };

    test("has reserved what it needs, and goes on with it", async () => {
      const { book, usage } = open();
      await expect(book(pause)).rejects.toThrow("book?");
      expect(await usage()).toMatchObject({ reserved: 30, inDoubt: 0, left: 10 });
      await expect(book(pause)).rejects.toThrow("book?");
      expect(await usage()).toMatchObject({ reserved: 30, left: 10 });
      expect((await book(() => "booked")).status).toBe("executed");
      expect(await usage()).toMatchObject({ spent: 30, reserved: 0, inDoubt: 0 });
    });

    test("gives it back if nothing was done after all", async () => {
      const { book, usage } = open();
      await expect(book(pause)).rejects.toThrow("book?");
      await book(() => Outcome.notDone("declined", "The guest said no"));
      expect(await usage()).toMatchObject({ spent: 0, reserved: 0, inDoubt: 0, left: 40 });
    });

    test("leaves nothing to another call", async () => {
      const { book, usage } = open();
      await expect(book(pause)).rejects.toThrow("book?");
      expect((await book(() => "booked", { turnId: "2" }, { id: "call_2" })).status).toBe(
        "rejected",
      );
      expect(await usage()).toMatchObject({ reserved: 30 });
    });

    test("is granted once, and the grant is good for the call that goes on", async () => {
      const { book, guardrails, usage } = open(
        {
          guardrails: [{ name: "sure", check: () => ({ ask: "sure?" }) }],
        },
        100,
      );
      const asked = await book(() => expect.unreachable());
      if (asked.status !== "ask") throw new Error("nobody was asked");
      const grant = await guardrails.grant(asked.request, { by: "op", expiresIn: 60_000 });
      const granted = { context: { grants: [grant] } };
      await expect(book(pause, granted)).rejects.toThrow("book?");
      expect((await book(() => "booked", granted)).status).toBe("executed");
      expect(
        (await book(() => "booked", { ...granted, turnId: "2" }, { id: "call_2" })).status,
      ).toBe("ask");
      expect(await usage()).toMatchObject({ spent: 30 });
    });
  },
);

test("what steers a run in another way than by a pause is in doubt", async () => {
  const { book, usage } = open();
  await expect(
    book(() => {
      throw Object.assign(new Error("NEXT_REDIRECT"), { digest: "NEXT_REDIRECT;push" });
    }),
  ).rejects.toThrow("NEXT_REDIRECT");
  expect(await usage()).toMatchObject({ reserved: 0, inDoubt: 30 });
});

test("a call that is aborted before its tool starts leaves its grant as it was", async () => {
  const { guardrails, book, usage } = open({
    guardrails: [{ name: "sure", check: () => ({ ask: "sure?" }) }],
  });
  const asked = await book(() => expect.unreachable());
  if (asked.status !== "ask") throw new Error("nobody was asked");
  const grant = await guardrails.grant(asked.request, { by: "op", expiresIn: 60_000 });
  const context = { grants: [grant] };
  for (let turns = 0; turns < 40; turns += 1) {
    const stop = new AbortController();
    let ran = 0;
    const running = book(() => ((ran += 1), "booked"), { context, signal: stop.signal }).catch(
      () => undefined,
    );
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    stop.abort(new Error("stop"));
    const end = await running;
    if (ran === 0) continue;
    expect(end === undefined || end.status === "executed").toBe(true);
    expect(await usage()).toMatchObject({ left: 10 });
    return;
  }
  expect((await book(() => "booked", { context })).status).toBe("executed");
});

describe("a grant without a named conversation", () => {
  async function asked() {
    const loop = open({
      guardrails: [{ name: "sure", check: () => ({ ask: "sure?" }) }],
      limits: {},
      spends: {},
    });
    const unnamed = { conversationId: "shared", knowsConversation: false };
    const first = await loop.book(() => expect.unreachable(), unnamed);
    if (first.status !== "ask") throw new Error("nobody was asked");
    const grant = await loop.guardrails.grant(first.request, { by: "op", expiresIn: 60_000 });
    return { ...loop, unnamed, context: { grants: [grant] } };
  }

  test("is good for its call alone, if the run is not known either", async () => {
    const { book, unnamed, context } = await asked();
    const other = await book(() => expect.unreachable(), { ...unnamed, context }, { id: "call_9" });
    expect(other.status).toBe("ask");
    expect((await book(() => "booked", { ...unnamed, context })).status).toBe("executed");
  });
});

test("a tool that goes on after its call was stopped is under way", async () => {
  const { book, usage } = open();
  const { promise, open: finish } = gate<string>();
  const stop = new AbortController();
  const running = book(async () => promise, { signal: stop.signal }).catch(() => undefined);
  await idle();
  stop.abort(new Error("stop"));
  await running;
  expect(await usage()).toMatchObject({ inDoubt: 30 });
  finish("booked");
  await idle();
  expect(await usage()).toMatchObject({ inDoubt: 30 });
});
