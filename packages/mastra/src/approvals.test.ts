import { isWhole } from "@toolcontract/case-table/whole";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import {
  answersIn,
  type ScriptedCall,
  type ScriptedModel,
  scriptedModel,
} from "./testing/scripted-model.ts";

// Loading a second Mastra takes seconds.
const LABS = [await loadMastra("1.71"), ...(isWhole ? [await loadMastra("1.42")] : [])];

const GIFT = '{"to":"Ann"}';
const gift = (id: string, args = GIFT, name = "send_gift") => ({ id, name, args });

/** Calls of which exactly `valid` may run, and the other may look like it once Mastra has read both. */
const PAIRS: readonly {
  readonly name: string;
  readonly calls: readonly ScriptedCall[];
  readonly valid: string;
  readonly options?: object;
  readonly finishReason?: string;
}[] = [
  { name: "one that is not JSON", calls: [gift("a", "{}"), gift("b", '{"to": Ann}')], valid: "a" },
  { name: "one that is not an object", calls: [gift("a", "{}"), gift("b", '["Ann"]')], valid: "a" },
  {
    name: "one that was cut",
    calls: [gift("a", "{}"), gift("b", '{"to":"An')],
    valid: "a",
    finishReason: "length",
  },
  {
    name: "an equal one, which is too many",
    calls: [gift("a"), gift("b")],
    valid: "a",
    options: { maxCallsPerTurn: 1 },
  },
  {
    name: "one that is equal but for what Mastra takes out",
    calls: [gift("a", '{"to":"Ann","resumeData":null}'), gift("b")],
    valid: "a",
    options: { maxCallsPerTurn: 1 },
  },
  { name: "one that is not valid", calls: [gift("a"), gift("b", '{"to":5}')], valid: "a" },
  {
    name: "one by the tool's id",
    calls: [gift("a"), gift("b", GIFT, "gift-tool")],
    valid: "a",
  },
];

const BOTH_ORDERS = PAIRS.flatMap((pair) => {
  const isBound = pair.finishReason !== undefined || pair.options !== undefined;
  const other = { ...pair, name: `${pair.name}, first`, calls: pair.calls.toReversed() };
  return isBound ? [pair] : [pair, other];
});

describe.each(LABS)("approvals of Mastra $version", (lab) => {
  const { Agent } = lab.agent;

  interface GiftParts {
    readonly requireApproval?: unknown;
    readonly options?: object;
    readonly storage?: InstanceType<typeof lab.InMemoryStore>;
  }

  function giftAgent(
    model: ScriptedModel,
    { requireApproval, options = {}, storage = new lab.InMemoryStore() }: GiftParts = {},
  ) {
    const runs: unknown[] = [];
    const send_gift = lab.tools.createTool({
      id: "gift-tool",
      description: "Sends a gift.",
      inputSchema: z.object({ to: z.string().optional() }),
      requireApproval: requireApproval ?? true,
      execute: async (input: unknown) => {
        runs.push(input);
        return "Sent";
      },
    } as never);
    const config = { id: "a", name: "a", instructions: "Help.", model, tools: { send_gift } };
    const agent = new Agent(
      lab.adapter.withContract(config as never, { logger: false, ...options }),
    );
    const mastra = new lab.Mastra({ agents: { a: agent }, storage, logger: false });
    expect(mastra.getStorage()).toBeDefined();
    return { agent, runs };
  }

  type Asking = Readonly<
    Record<"fullStream", AsyncIterable<{ readonly type: string; readonly payload: unknown }>>
  >;

  async function askedIn(stream: unknown): Promise<readonly string[]> {
    const asked: string[] = [];
    for await (const { type, payload } of (stream as Asking).fullStream) {
      if (type === "tool-call-approval")
        asked.push((payload as { readonly toolCallId: string }).toolCallId);
    }
    return asked;
  }

  const ways = {
    async stream(agent: ReturnType<typeof giftAgent>["agent"]) {
      const first = await agent.stream("Go.");
      const { runId } = first;
      const decide = async (isYes: boolean, toolCallId: string) =>
        askedIn(
          await (isYes
            ? agent.approveToolCall({ runId, toolCallId })
            : agent.declineToolCall({ runId, toolCallId })),
        );
      return { asked: await askedIn(first), decide };
    },
    async generate(agent: ReturnType<typeof giftAgent>["agent"]) {
      type Output = {
        readonly runId?: string;
        readonly suspendPayload?: { readonly toolCallId: string };
      };
      const askedBy = (output: unknown): readonly string[] => {
        const { suspendPayload } = output as Output;
        return suspendPayload ? [suspendPayload.toolCallId] : [];
      };
      const first = await agent.generate("Go.");
      const runId = (first as Output).runId ?? "";
      const decide = async (isYes: boolean, toolCallId: string) =>
        askedBy(
          await (isYes
            ? agent.approveToolCallGenerate({ runId, toolCallId })
            : agent.declineToolCallGenerate({ runId, toolCallId })),
        );
      return { asked: askedBy(first), decide };
    },
  };

  describe.each(["stream", "generate"] as const)("%s", (way) => {
    describe.each([
      ["true", true],
      ["a function", async () => true],
    ])("requireApproval is %s", (_, requireApproval) => {
      test.each(BOTH_ORDERS)(
        "a person is asked about the valid call alone, beside $name",
        async ({ calls, valid, options = {}, finishReason }) => {
          const model = scriptedModel();
          model.say(calls, finishReason);
          const { agent, runs } = giftAgent(model, { requireApproval, options });
          const { asked, decide } = await ways[way](agent);
          expect(asked).toEqual([valid]);
          expect(runs).toEqual([]);
          expect(await decide(true, valid)).toEqual([]);
          expect(runs).toHaveLength(1);
          const { a, b } = answersIn(model);
          expect(a).toBe("Sent");
          expect(b).toMatch(/^(?:Validation failed|\(tool failed: too many)/);
        },
      );
    });
  });

  test.each(BOTH_ORDERS)("a person says no beside $name: nothing runs", async (row) => {
    const model = scriptedModel();
    model.say(row.calls, row.finishReason);
    const { agent, runs } = giftAgent(model, row);
    const { decide } = await ways.stream(agent);
    expect(await decide(false, row.valid)).toEqual([]);
    expect(runs).toEqual([]);
    // The model reads both: what was refused, and that a person said no.
    expect(Object.keys(answersIn(model)).toSorted()).toEqual(["a", "b"]);
    expect(answersIn(model)[row.valid]).toBe("Tool call was not approved by the user");
    const calls = model.requests
      .at(-1)
      ?.prompt.flatMap(({ content }) =>
        typeof content === "string" ? [] : content.filter(({ type }) => type === "tool-call"),
      );
    expect(calls).toHaveLength(2);
  });

  test("a refused call runs in no case, also where one run brings hooks of its own", async () => {
    const model = scriptedModel([gift("a"), gift("b")]);
    const { agent, runs } = giftAgent(model, { options: { maxCallsPerTurn: 1 } });
    const hooks = { beforeToolCall: () => undefined };
    const first = await agent.stream("Go.", { hooks } as never);
    expect(await askedIn(first)).toEqual(["a"]);
    const { runId } = first;
    const resumed = await agent.approveToolCall({ runId, toolCallId: "a", hooks });
    expect(await askedIn(resumed)).toEqual([]);
    expect(runs).toHaveLength(1);
  });

  test("a refused call does not run in another process, whatever a person says there", async () => {
    const storage = new lab.InMemoryStore();
    const first = giftAgent(scriptedModel([gift("a", "{}"), gift("b", '{"to": Ann}')]), {
      storage,
    });
    const stream = await first.agent.stream("Go.");
    expect(await askedIn(stream)).toEqual(["a"]);
    const { runId } = stream;
    const model = scriptedModel();
    const second = giftAgent(model, { storage });
    for (const toolCallId of ["a", "b"]) {
      await askedIn(await second.agent.approveToolCall({ runId, toolCallId })).catch(() => []);
    }
    expect([first.runs, second.runs]).toEqual([[], [{}]]);
    expect(answersIn(model)["b"]).toContain("The call was refused when it was made");
  });

  test("the model reads its arguments as it sent them, and a mark of its own is none", async () => {
    const marked = '{"to":"Ann","@toolcontract/refused":"b"}';
    const model = scriptedModel([gift("a", '{"to":5}'), gift("b", marked)]);
    const { agent, runs } = giftAgent(model);
    const { asked, decide } = await ways.stream(agent);
    expect(asked).toEqual(["b"]);
    await decide(true, "b");
    expect(runs).toEqual([{ to: "Ann" }]);
    const sent = (model.requests.at(-1)?.prompt ?? []).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.filter(({ type }) => type === "tool-call"),
    );
    expect(sent.map(({ input }) => input)).toEqual([{ to: 5 }, { to: "Ann" }]);
  });

  test("each of many users is asked about valid calls of their own, whatever the ids", async () => {
    const model = scriptedModel();
    const { agent, runs } = giftAgent(model);
    const users = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? "{}" : '{"to": Ann}'));
    for (const args of users) model.say([gift("call_0", args)]);
    const asked = await Promise.all(users.map(async () => askedIn(await agent.stream("Go."))));
    expect(asked.flat()).toHaveLength(6);
    expect(new Set(asked.flat()).size).toBe(6);
    expect(runs).toEqual([]);
  });
});
