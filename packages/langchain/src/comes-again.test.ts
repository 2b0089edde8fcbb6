import type { BaseMessage } from "@langchain/core/messages";
import type { AskRequest } from "@toolcontract/core";
import { createGuardrails, Outcome } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { LABS } from "./testing/every-langchain.ts";
import { spied } from "./testing/tools.ts";

interface Paused {
  readonly __interrupt__?: readonly { readonly value: { readonly request: AskRequest } }[];
  readonly messages: readonly BaseMessage[];
}

interface Payment {
  readonly to: string;
  readonly amount: number;
}

const KIM: Payment = { to: "Kim", amount: 20 };
const LEE: Payment = { to: "Lee", amount: 800 };

describe.each(LABS)("a node that is restarted on langchain $version", (lab) => {
  const { adapter, langgraph, messages, prebuilt } = lab;

  /** A graph that runs the calls of one message in one node, which restarts after an interrupt. */
  function open({
    run = ({ to }) => `sent to ${to}`,
    hasIds = true,
  }: { readonly run?: (payment: Payment) => unknown; readonly hasIds?: boolean } = {}) {
    const world: string[] = [];
    const guardrails = createGuardrails({
      effects: { transfer: "irreversible" },
      guardrails: [
        { name: "large", check: ({ args }) => args.amount > 300 && { ask: "more than 300" } },
      ],
      limits: { money: { max: 9_000 } },
      spends: { transfer: ({ args }) => ({ money: args.amount }) },
    });
    const { tool } = spied(lab, "transfer", { type: "object" }, (input: unknown) => {
      const payment = input as Payment;
      world.push(`${payment.to} ${payment.amount}`);
      return run(payment);
    });
    const { interrupt } = langgraph;
    const options = { guardrails, repeatedCalls: "run", logger: false, ask: interrupt } as const;
    const tools = adapter.wrapTools([tool], options);
    const reducer = (before: BaseMessage[], after: BaseMessage[]) => before.concat(after);
    const state = hasIds
      ? langgraph.MessagesAnnotation
      : langgraph.Annotation.Root({
          messages: langgraph.Annotation<BaseMessage[]>({ reducer, default: () => [] }),
        });
    const graph = new langgraph.StateGraph(state)
      .addNode("tools", new prebuilt.ToolNode(tools as never) as never)
      .addEdge(langgraph.START, "tools")
      .compile({ checkpointer: new langgraph.MemorySaver() });
    const config = { configurable: { thread_id: "t" } };
    const send = async (payments: readonly Payment[], ids: readonly string[]): Promise<Paused> => {
      const calls = payments.map((args, index) => ({
        id: ids[index] ?? `call_${index}`,
        name: "transfer",
        args: { ...args },
        type: "tool_call" as const,
      }));
      const sent = new messages.AIMessage({ content: "", tool_calls: calls });
      return await graph.invoke({ messages: [sent] }, config);
    };
    return {
      world,
      graph,
      config,
      spent: async () => (await guardrails.usage("money", { conversationId: "t" })).spent,
      /** What the model reads of the calls of one message, after everything that was asked is granted. */
      pay: async (payments: readonly Payment[], ids: readonly string[] = []) => {
        let out = await send(payments, ids);
        while (out.__interrupt__?.[0]) {
          const { request } = out.__interrupt__[0].value;
          const grant = await guardrails.grant(request, { by: "op", expiresIn: 60_000 });
          const command = new langgraph.Command({ resume: { grant } });
          out = await graph.invoke(command as never, config);
        }
        return out.messages.slice(-payments.length).map(({ content }) => content);
      },
    };
  }

  describe.each([true, false])("whose messages have ids: %s", (hasIds) => {
    test.each<[string, readonly Payment[], string[]?]>([
      ["that ran before the one that asks", [KIM, LEE]],
      ["with the id of the one that asks", [KIM, LEE], ["", ""]],
      ["two equal ones with one id", [KIM, KIM, LEE], ["a", "a", "b"]],
    ])("answers the call %s with its result", async (_, payments, ids) => {
      const { pay, world, spent } = open({ hasIds });
      expect(await pay(payments, ids)).toEqual(payments.map(({ to }) => `sent to ${to}`));
      const written = payments.map(({ to, amount }) => `${to} ${amount}`);
      expect(world.toSorted()).toEqual(written.toSorted());
      expect(await spent()).toBe(payments.reduce((sum, { amount }) => sum + amount, 0));
    });

    test("runs the same calls of a later message", async () => {
      const { pay, world } = open({ hasIds });
      await pay([KIM, LEE], ["a", "b"]);
      await pay([KIM, LEE], hasIds ? ["c", "d"] : ["a2", "b2"]);
      expect(world.toSorted()).toEqual(["Kim 20", "Kim 20", "Lee 800", "Lee 800"]);
    });
  });

  test.each<[string, () => unknown, unknown]>([
    ["an outcome", () => Outcome.ok({ receipt: 7 }), '{"receipt":7}'],
    [
      "a failed outcome",
      () => Outcome.error("closed", "The bank is closed"),
      expect.stringContaining("closed"),
    ],
    ["an object", () => ({ receipt: 7 }), expect.stringContaining("receipt")],
    [
      "an error",
      () => {
        throw new Error("read timeout");
      },
      expect.stringContaining("nobody knows what it has done"),
    ],
  ])("answers with %s again", async (_, end, expected) => {
    const { pay, world } = open({ run: ({ to }) => (to === "Kim" ? end() : "sent") });
    const [kim] = await pay([KIM, LEE]);
    expect(kim).toEqual(expected);
    expect(world.filter((one) => one.startsWith("Kim"))).toHaveLength(1);
  });

  test("waits for a call that is still under way", async () => {
    let finish = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const run = async ({ to }: Payment): Promise<string> => {
      if (to === "Kim") await slow;
      else finish();
      return `sent to ${to}`;
    };
    const { pay, world } = open({ run });
    expect(await pay([KIM, LEE])).toEqual(["sent to Kim", "sent to Lee"]);
    expect(world).toEqual(["Kim 20", "Lee 800"]);
  });

  test("after a crash of another call runs no call twice", async () => {
    const { graph, config, world } = open();
    let isDown = true;
    const { tool } = spied(lab, "book", { type: "object" }, () => {
      if (isDown) throw new Error("the process is going down");
      return "booked";
    });
    const guardrails = createGuardrails({ guardrails: [], effects: { transfer: "irreversible" } });
    const transfer = spied(lab, "transfer", { type: "object" }, () => (world.push("Kim"), "sent"));
    const tools = adapter.wrapTools([transfer.tool, tool], { guardrails, logger: false });
    const crashing = new langgraph.StateGraph(langgraph.MessagesAnnotation)
      .addNode("tools", new prebuilt.ToolNode(tools as never, { handleToolErrors: false }) as never)
      .addEdge(langgraph.START, "tools")
      .compile({ checkpointer: new langgraph.MemorySaver() });
    const calls = ["transfer", "book"].map((name) => ({
      id: name,
      name,
      args: {},
      type: "tool_call" as const,
    }));
    const sent = new messages.AIMessage({ content: "", tool_calls: calls });
    const first = crashing.invoke({ messages: [sent] }, config).catch((error: unknown) => error);
    await first;
    isDown = false;
    const out = (await crashing.invoke(null, config)) as Paused;
    expect(out.messages.at(-2)?.content).toBe("sent");
    expect(world).toEqual(["Kim"]);
    expect(graph).toBeDefined();
  });
});
