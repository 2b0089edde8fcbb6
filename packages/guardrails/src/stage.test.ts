import { createContract } from "@toolcontract/core";
import { expect, test } from "vitest";
import { Outcome, type StateStore, createGuardrails, currentAttempt, slotStore } from "./index.ts";
import { endOf, loopOf, ownLoop } from "./testing/index.ts";

interface State {
  count: number;
}

const add = (): string => {
  currentAttempt<State>().state.count += 1;
  return "added";
};

const NO_BAD = {
  name: "no_bad",
  stage: "commit",
  check: ({ args }: { readonly args: { readonly bad?: boolean } }) => args.bad === true && "no",
} as const;

function open(guardrails: readonly object[] = [NO_BAD]) {
  const store = slotStore<State>({ count: 0 });
  const loop = ownLoop<State>({
    store,
    guardrails: guardrails as never,
    effects: { add: "state" },
  });
  return { ...loop, store };
}

test("a turn with a good and a bad call does not reset the count: the loop ends", async () => {
  const { turn, store } = open();
  const ends: string[][] = [];
  for (let index = 0; index < 4; index += 1) {
    ends.push(
      (
        await turn([
          ["add", add],
          ["add", add, { bad: true }],
        ])
      ).map(endOf),
    );
  }
  expect(ends).toEqual([
    ["added", "rejected guardrail 1/3"],
    ["added", "rejected guardrail 2/3"],
    ["added", "blocked guardrail 3/3 guardrail_retry_exhausted"],
    [
      "blocked guardrail 3/3 guardrail_retry_exhausted",
      "blocked guardrail 3/3 guardrail_retry_exhausted",
    ],
  ]);
  expect(store.state.count).toBe(3);
});

test("parallel calls of one turn have one number, and the next turn does not skip one", async () => {
  const { turn, call } = open();
  const bad = ["add", add, { bad: true }] as const;
  expect((await turn([bad, bad, bad])).map(endOf)).toEqual([
    "rejected guardrail 1/3",
    "rejected guardrail 1/3",
    "rejected guardrail 1/3",
  ]);
  expect(endOf(await call("add", add, { bad: true }))).toBe("rejected guardrail 2/3");
});

test("a closed tool answers first and does not run, also for a valid or an unreadable call", async () => {
  const { call, store, events } = open();
  for (let index = 0; index < 3; index += 1) await call("add", add, { bad: true });
  const before = events.length;
  for (const args of [{}, "{", { bad: true }]) {
    expect(endOf(await call("add", add, args))).toBe(
      "blocked guardrail 3/3 guardrail_retry_exhausted",
    );
  }
  expect(events).toHaveLength(before);
  expect(store.state.count).toBe(0);
});

test("a call that succeeds ends the counts of both lanes", async () => {
  const { call } = open();
  const sold = (): unknown => Outcome.error("sold_out", "sold out", { retriable: true });
  const script = [
    await call("add", add, { bad: true }),
    await call("add", sold),
    await call("add", add),
    await call("add", add, { bad: true }),
    await call("add", sold),
  ];
  expect(script.map(endOf)).toEqual([
    "rejected guardrail 1/3",
    "rejected outcome 1/2",
    "added",
    "rejected guardrail 1/3",
    "rejected outcome 1/2",
  ]);
});

test("a framework's control flow passes through: undone, not counted, and committed once after it resumes", async () => {
  const { call, store, events } = open();
  const interrupt = Object.assign(new Error("approve?"), { is_bubble_up: true });
  let approved = false;
  const ask = (): string => {
    add();
    if (!approved) throw interrupt;
    return "approved";
  };
  await expect(call("add", ask)).rejects.toBe(interrupt);
  expect(store.state.count).toBe(0);
  approved = true;
  expect(await call("add", ask)).toMatchObject({ status: "executed", attempt: 1 });
  expect(store.state.count).toBe(1);
  expect(events.at(-1)?.attempt_failures).toEqual([]);
});

test.each([
  [401, "missing_credentials"],
  [501, "unsupported_capability"],
])(
  "after http %s the tool is closed in that conversation, before its guardrails are asked",
  async (status, reason) => {
    const asked: unknown[] = [];
    const { call } = open([{ name: "notes", needs: "args", check: () => void asked.push(1) }]);
    const error = Object.assign(new Error("no"), { status });
    const refuse = (): never => {
      throw error;
    };
    await expect(call("add", refuse)).rejects.toBe(error);
    const answer = await call("add", add);
    expect(endOf(answer)).toBe(`blocked outcome 1/2 ${reason}`);
    expect(answer.result.content).toContain(
      "(GRD-003): The tool cannot be used until something outside is changed",
    );
    expect(asked).toHaveLength(1);
    expect(endOf(await call("add", add, {}, { conversationId: "thread-8" }))).toBe("added");
  },
);

test("a failure that classify() calls terminal closes the tool, also if it says that it is retriable", async () => {
  const { call } = ownLoop({
    guardrails: [],
    effects: { add: "state" },
    classify: () => ({
      class: "adaptive",
      error_type: "plan_expired",
      retriable: true,
      terminal: "missing_credentials",
    }),
  });
  const expired = new Error("the plan has expired");
  const fail = async (): Promise<never> => Promise.reject(expired);
  await expect(call("add", fail)).rejects.toBe(expired);
  expect(endOf(await call("add", fail))).toBe("blocked outcome 1/2 missing_credentials");
});

test("a store that is one part gives its state to tools whose effect is declared, and says so", async () => {
  const slots = slotStore<State>({ count: 0 });
  const store: StateStore<State> = {
    get state() {
      return slots.state;
    },
    slots: undefined,
    begin: (parent) => slots.begin(parent),
  };
  const { turn, call } = ownLoop({ store, guardrails: [], effects: { add: "state" } });
  await turn([
    ["add", add],
    ["add", add],
  ]);
  expect(store.state.count).toBe(2);
  const answer = await call("other", () => {
    expect(add).toThrow(
      "currentAttempt().state: say what 'other' does, such as createGuardrails({ effects: { other: \"state\" } }); until then it has no state.",
    );
    return "said";
  });
  expect(endOf(answer)).toBe("said");
});

test("two contracts may share guardrails: one state, and each hears of its own calls", async () => {
  const store = slotStore<State>({ count: 0 });
  const guardrails = createGuardrails<State>({ store, guardrails: [], effects: { add: "state" } });
  const [one, two] = [loopOf(guardrails), loopOf(guardrails)];
  await Promise.all([
    one.call("add", add, {}, { conversationId: "one" }),
    two.call("add", add, {}, { conversationId: "two" }),
  ]);
  expect(store.state.count).toBe(2);
  expect([one.events.length, two.events.length]).toEqual([3, 3]);
});

test("two guardrails may share a store: their attempts wait for each other, and join", async () => {
  const store: StateStore<State> = slotStore<State>({ count: 0 });
  const make = () =>
    loopOf(createGuardrails<State>({ store, guardrails: [], effects: { add: "state" } }));
  const [one, two] = [make(), make()];
  const slow = async (): Promise<void> => {
    const { count } = currentAttempt<State>().state;
    await Promise.resolve();
    currentAttempt<State>().state.count = count + 1;
  };
  await Promise.all([one.call("add", slow), two.call("add", slow), one.call("add", slow)]);
  expect(store.state.count).toBe(3);
  await one.call("add", async () => (add(), two.call("add", add)));
  expect(store.state.count).toBe(5);
});

test("a guardrail that reads the state judges a tool that runs elsewhere by what is committed", async () => {
  const { contract, store } = open([
    { name: "once", check: ({ state }: { readonly state: State }) => state.count > 0 && "once" },
  ]);
  const tool = { name: "add", inputSchema: { type: "object" } } as const;
  const admit = async (id: string) =>
    contract.admit(
      { id, name: "add", arguments: {} },
      { tool, conversationId: id, runsHere: false },
    );
  expect((await admit("call_1")).status).toBe("admitted");
  await contract.handle(
    { id: "call_2", name: "add", arguments: {} },
    { tool, conversationId: "c", execute: add },
  );
  expect(store.state.count).toBe(1);
  expect((await admit("call_3")).status).toBe("rejected");
});

test("a tool that runs elsewhere is not judged at commit, which is logged once", async () => {
  const { contract, lines } = open();
  const tool = { name: "add", inputSchema: { type: "object" } } as const;
  for (const id of ["call_1", "call_2"]) {
    const call = { id, name: "add", arguments: {} };
    await contract.admit(call, { tool, conversationId: "c", runsHere: false });
  }
  expect(lines.map(({ message, fields }) => [message, fields.tool_name])).toEqual([
    ["A tool runs elsewhere, so its commit guardrails are not asked", "add"],
  ]);
});

test("an approval that comes late is checked again against the state of then", async () => {
  const { contract, store, call } = open([
    { name: "once", check: ({ state }: { readonly state: State }) => state.count > 0 && "once" },
  ]);
  const tool = { name: "add", inputSchema: { type: "object" } } as const;
  const admission = await contract.admit(
    { id: "call_9", name: "add", arguments: {} },
    { tool, conversationId: "c" },
  );
  await call("add", add);
  if (admission.status !== "admitted") throw new Error(admission.status);
  expect(endOf(await admission.settle(add))).toBe("rejected guardrail 1/3");
  expect(store.state.count).toBe(1);
});

test("the text of a failed outcome is masked, and says what was undone", async () => {
  const { call, events } = open();
  const secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e";
  const answer = await call("add", () => {
    add();
    return Outcome.error("down", `the key ${secret} is refused`, { kind: "extrinsic" });
  });
  expect(endOf(answer)).toBe(
    "failed: Tool 'add' failed: the key [redacted] is refused\nAll its state changes were undone.",
  );
  expect(JSON.stringify(events)).not.toContain(secret);
});

test("a tool that the host does not have is an error as soon as the tools are known", async () => {
  const { contract } = open();
  const tools = [{ name: "ad_item", inputSchema: { type: "object" } }] as const;
  const call = { id: "call_1", name: "ad_item", arguments: {} };
  await expect(contract.handle(call, { tools, conversationId: "c", execute: add })).rejects.toThrow(
    "createGuardrails: the host has no tool 'add'",
  );
});

test("many conversations leave nothing behind but bounded counts", async () => {
  const { call, guardrails } = open();
  for (let index = 0; index < 300; index += 1) {
    await call("add", add, { bad: true }, { conversationId: `thread-${index}` });
  }
  expect(Object.keys(guardrails.health())).toEqual(["add"]);
  expect(guardrails.health()["add"]).toMatchObject({ calls: 300, sequences: 0, rollbacks: 300 });
});

test.each([
  ["a guardrail reads a state", slotStore({ left: 0 }), "invalid"],
  ["no guardrail reads a state", undefined, "valid"],
])("what is left to check when a person has approved a call, if %s", async (_, store, status) => {
  const guardrails = createGuardrails({
    guardrails: [
      {
        name: "stock",
        check: ({ state }: { readonly state: { readonly left: number } | undefined }) =>
          (state?.left ?? 0) < 1 && "none is left",
      },
    ],
    ...(store && { store }),
  });
  const contract = createContract({ guardrails, logger: false });
  const tool = { name: "order", inputSchema: { type: "object" } } as const;
  const place = { conversationId: "thread-7", beforeApproval: "rest" } as const;
  expect((await contract.checkAsync(tool, {}, place)).status).toBe(status);
});
