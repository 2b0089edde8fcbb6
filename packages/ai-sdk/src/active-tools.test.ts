import type { ToolSet } from "ai";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { steps, textOf } from "./testing/describe-on.ts";
import { describeModes } from "./testing/every-sdk.ts";
import type { Mode, Sdk } from "./testing/sdk.ts";

const quiet = { logger: () => undefined };
const wrong = (id: string, name = "refund") => ({ calls: [{ id, name, input: '{"euros":"x"}' }] });
const called = (id: string, name: string, input = "{}") => ({ calls: [{ id, name, input }] });

/** Three tools, and what ran. */
function desk({ ai }: Sdk, more: object = {}) {
  const ran: string[] = [];
  const toolOf = (name: string, shape: z.ZodRawShape): ToolSet[string] =>
    ai.tool({
      inputSchema: z.object(shape),
      execute: async () => (ran.push(name), name),
      ...more,
    }) as ToolSet[string];
  const tools = {
    lookup: toolOf("lookup", {}),
    refund: toolOf("refund", { euros: z.number() }),
    purge: toolOf("purge", {}),
  };
  return { ran, tools };
}

interface Way {
  readonly settingsOf: (guarded: object, activeTools: readonly string[]) => object;
  /** The modes that have it. */
  readonly isFor?: (mode: Mode, sdk: Sdk) => boolean;
}

const isAgent = (mode: Mode): boolean => mode === "agent" || mode === "streaming agent";

/** Where an application leaves tools out without telling the contract. */
const WAYS: Readonly<Record<string, Way>> = {
  "beside the spread": { settingsOf: (guarded, activeTools) => ({ ...guarded, activeTools }) },
  "by prepareCall": {
    settingsOf: (guarded, activeTools) => ({
      ...guarded,
      prepareCall: (options: object) => ({ ...options, activeTools }),
    }),
    isFor: (mode, { version }) => isAgent(mode) && version > 5,
  },
};

function offered(model: ReturnType<Sdk["script"]>): readonly string[] {
  return model.requests.map(({ tools }) => (tools ?? []).map(({ name }) => name).join(" "));
}

describeModes((sdk, mode) => {
  const { withContract } = sdk.adapter;

  describe.each(Object.entries(WAYS).filter(([, { isFor }]) => isFor?.(mode, sdk) ?? true))(
    "tools left out %s",
    (_, { settingsOf }) => {
      const few = ["lookup", "refund"];

      test.each([
        ["that drops a tool", [wrong("1"), wrong("2"), wrong("3")], {}],
        [
          "that continues one",
          [wrong("1"), wrong("2"), wrong("3")],
          { prepareStep: () => ({ temperature: 0 }) },
        ],
      ])("stay out of a run %s", async (_what, turns, own) => {
        const { tools, ran } = desk(sdk);
        const model = sdk.script([...turns, called("4", "purge"), { text: "end" }]);
        const guarded = withContract({ ...quiet, tools, ...own, stopWhen: steps(6) });
        const settings = settingsOf(guarded, few);
        const { messages } = await sdk.run(mode, { model, settings });
        const all = "lookup refund";
        expect(offered(model)).toEqual([all, all, all, "lookup", "lookup"]);
        expect(textOf(messages, "4")).toContain("Tool 'purge' is not available now");
        expect(ran).toEqual([]);
      });

      test("stay out of the request after the one in which the tool was spent", async () => {
        const { tools, ran } = desk(sdk);
        const settings = (count: number) =>
          settingsOf(
            withContract({ ...quiet, tools, maxAttempts: 1, stopWhen: steps(count) }),
            few,
          );
        const before = await sdk.run(mode, {
          model: sdk.script([wrong("1")]),
          settings: settings(1),
        });
        const model = sdk.script([called("2", "purge"), { text: "end" }]);
        const { messages } = before;
        await sdk.run(mode, { model, messages, settings: settings(3) });
        expect(offered(model)).toEqual(["lookup", "lookup"]);
        expect(ran).toEqual([]);
      });

      test("stay out if the dropped tool is the only one that was let in", async () => {
        const { tools, ran } = desk(sdk);
        const model = sdk.script([wrong("1"), called("2", "lookup"), { text: "end" }]);
        const guarded = withContract({ ...quiet, tools, maxAttempts: 1, stopWhen: steps(4) });
        const settings = settingsOf(guarded, ["refund"]);
        await sdk.run(mode, { model, settings });
        expect(offered(model)).toEqual(["refund", "refund", "refund"]);
        expect(ran).toEqual([]);
      });

      test("stay out if all are", async () => {
        const { tools, ran } = desk(sdk);
        const model = sdk.script([wrong("1"), called("2", "purge"), { text: "end" }]);
        const guarded = withContract({ ...quiet, tools, maxAttempts: 1, stopWhen: steps(4) });
        await sdk.run(mode, { model, settings: settingsOf(guarded, []) });
        expect(offered(model).join("")).toBe("");
        expect(ran).toEqual([]);
      });
    },
  );

  test("a call of a run without active tools reads nothing of a list", async () => {
    const { tools, ran } = desk(sdk);
    const model = sdk.script([called("1", "lookup"), { text: "end" }]);
    const settings = withContract({ ...quiet, tools, activeTools: [], stopWhen: steps(4) });
    const { messages } = await sdk.run(mode, { model, settings });
    const lines = textOf(messages, "1").split("\n");
    expect(lines.at(-1)).toBe("Answer without a tool.");
    expect(lines.join("\n")).not.toContain("list");
    expect(ran).toEqual([]);
  });

  test("each phase of prepareStep has its own tools without the dropped one", async () => {
    const { tools, ran } = desk(sdk);
    const phases = [["lookup", "refund"], ["lookup", "refund"], undefined, ["purge"]] as const;
    const prepareStep = ({ stepNumber }: { readonly stepNumber: number }) => ({
      activeTools: [...(phases[stepNumber] ?? [])],
    });
    const asked = phases.map((_, index) =>
      index === 0 ? wrong("0") : called(`${index}`, "lookup"),
    );
    const model = sdk.script([...asked, { text: "end" }]);
    const guarded = withContract({
      ...quiet,
      tools,
      maxAttempts: 1,
      prepareStep: (options) => (phases[options.stepNumber] ? prepareStep(options) : {}) as never,
      stopWhen: steps(4),
    });
    await sdk.run(mode, { model, settings: guarded });
    expect(offered(model)).toEqual(["lookup refund", "lookup", "lookup purge", "purge"]);
    expect(ran).toEqual(["lookup", "lookup"]);
  });

  test("a tool that is called before its phase runs in it, with all its attempts", async () => {
    const { tools, ran } = desk(sdk);
    const early = ["1", "2", "3"].map((id) => called(id, "refund", '{"euros":1}'));
    const late = [wrong("4"), wrong("5"), called("6", "refund", '{"euros":5}')];
    const model = sdk.script([...early, ...late, { text: "end" }]);
    const prepareStep = ({ stepNumber }: { readonly stepNumber: number }) => ({
      activeTools: stepNumber < 3 ? ["lookup"] : ["refund"],
    });
    const guarded = withContract({
      ...quiet,
      tools,
      prepareStep: prepareStep as never,
      stopWhen: steps(7),
    });
    const { messages } = await sdk.run(mode, { model, settings: guarded });
    const first = textOf(messages, "1");
    expect(first).toContain("(attempt 1/3)");
    expect(first).toContain("Tool 'refund' is not available now");
    expect(first).not.toContain("Hint");
    expect(textOf(messages, "3")).toContain("Do not call 'refund' again until it is offered:");
    expect(["4", "5"].map((id) => textOf(messages, id)?.match(/\(.*?\)/)?.[0])).toEqual([
      "(attempt 1/3)",
      "(attempt 2/3)",
    ]);
    expect(ran).toEqual(["refund"]);
  });

  test.runIf(sdk.version === 7)(
    "a deferred tool that is called too early is found and runs",
    async () => {
      const { tools, ran } = desk(sdk, { deferLoading: true, description: "refund money" });
      const find = (sdk.ai as unknown as { toolSearch: () => ToolSet[string] }).toolSearch();
      const early = ["1", "2", "3"].map((id) => called(id, "refund", '{"euros":1}'));
      const found = called("4", "find", '{"query":"refund"}');
      const late = called("5", "refund", '{"euros":5}');
      const model = sdk.script([...early, found, late, { text: "end" }]);
      const guarded = withContract({ ...quiet, tools: { ...tools, find }, stopWhen: steps(7) });
      const { messages } = await sdk.run(mode, { model, settings: guarded });
      expect(textOf(messages, "1")).toContain('Hint: search for it with "find" first');
      expect(ran).toEqual(["refund"]);
    },
  );

  test("a valid call of a dropped tool reaches no client, and is kept as the model wrote it", async () => {
    const { tools } = desk(sdk, { execute: undefined });
    const model = sdk.script([wrong("1"), called("2", "refund", '{"euros":5}'), { text: "end" }]);
    const repaired: unknown[] = [];
    const settings = withContract({
      ...quiet,
      tools,
      maxAttempts: 1,
      repairToolCall: async (given) => (repaired.push(seenBy(given)), null),
      stopWhen: steps(3),
    });
    const { messages } = await sdk.run(mode, { model, settings });
    expect(textOf(messages, "2")).toContain("(blocked after 1/1)");
    expect(JSON.stringify(messages)).toContain('"input":{"euros":5}');
    expect(JSON.stringify(messages)).not.toContain("\u00A0");
    expect(repaired).toEqual([
      ["AI_InvalidToolInputError", '{"euros":"x"}', "lookup purge refund"],
      ["AI_NoSuchToolError", '{"euros":5}', "lookup purge"],
    ]);
  });
});

interface GivenToRepair {
  readonly error: Error;
  readonly toolCall: { readonly input: string };
  readonly tools: object;
}

function seenBy({ error, toolCall, tools }: GivenToRepair): readonly string[] {
  return [error.name, toolCall.input, Object.keys(tools).toSorted().join(" ")];
}
