import type { AgentMiddleware } from "langchain";
import { createContract } from "@toolcontract/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { ToolContractMiddlewareOptions } from "./index.ts";
import { LABS } from "./testing/both-ends.ts";
import { codeOf } from "./testing/read-messages.ts";
import { contractOf, toRan } from "./testing/run-agent.ts";
import { spied } from "./testing/tools.ts";

const RENT = z.object({ days: z.number(), note: z.string().optional() });
const config = { configurable: { thread_id: "1" } };

// humanInTheLoopMiddleware has `when` since LangChain 1.5.
describe.each(LABS.filter(({ isRecent }) => isRecent))(
  "a person's approval on langchain $version",
  (lab) => {
    const { adapter, langchain, langgraph, messages } = lab;

    interface Reviewed {
      readonly args: string;
      readonly options?: ToolContractMiddlewareOptions;
      /** Other middleware, between the model and the contract. */
      readonly more?: readonly AgentMiddleware<undefined, undefined>[];
      readonly isArmed?: boolean;
    }

    /** Runs one call, up to the question about it. */
    async function review({ args, options, more = [], isArmed = true }: Reviewed) {
      const { tool, runs } = spied(lab, "rent", RENT);
      const when = adapter.validCallsOnly(isArmed ? [tool] : []);
      const interruptOn = { rent: { allowedDecisions: ["approve", "edit"], when } };
      const asking: unknown = langchain.humanInTheLoopMiddleware({ interruptOn } as never);
      const script = lab.script([{ calls: [{ id: "a", name: "rent", args }] }]);
      const agent = langchain.createAgent({
        model: script.model,
        tools: [tool],
        middleware: [contractOf(lab, options), asking as (typeof more)[number], ...more],
        checkpointer: new langgraph.MemorySaver(),
      });
      const state = (await agent.invoke(
        { messages: [new messages.HumanMessage("Go.")] },
        config,
      )) as {
        readonly __interrupt__?: unknown;
      };
      const { results } = toRan(lab, state, script);
      const resume = async (decision: object): Promise<unknown> =>
        agent.invoke(new langgraph.Command({ resume: { decisions: [decision] } }), config);
      return { isAsked: state.__interrupt__ !== undefined, runs, results, resume };
    }

    test.each<[string, Reviewed, isAsked: boolean, code: string | undefined]>([
      ["valid", { args: '{"days":2}' }, true, undefined],
      ["of the wrong type", { args: '{"days":"two"}' }, false, "VAL-002"],
      ["not JSON", { args: '{"days":' }, false, "VAL-011"],
      [
        "valid without its nulls",
        { args: '{"days":2,"note":null}', options: { dropNulls: true } },
        true,
        undefined,
      ],
      ["invalid with its nulls", { args: '{"days":2,"note":null}' }, false, "VAL-002"],
      ["with a field more", { args: '{"days":2,"colour":"red"}' }, true, undefined],
      [
        "with a field too many",
        { args: '{"days":2,"colour":"red"}', options: { unknownFields: "reject" } },
        false,
        "VAL-005",
      ],
      [
        "of a tool that was not passed on",
        { args: '{"days":"two"}', isArmed: false },
        true,
        undefined,
      ],
    ])(
      "is asked for if the contract of the middleware takes a call: one %s",
      async (_, given, asked, code) => {
        const { isAsked, runs, results, resume } = await review(given);
        expect([isAsked, codeOf(results[0]), runs]).toEqual([asked, code, []]);
        if (!asked) return;
        await resume({ type: "approve" });
        expect(runs).toHaveLength(given.isArmed === false ? 0 : 1);
      },
    );

    test("is needed for a call that was invalid when it was made, and is valid when it is to run", async () => {
      let isOpen = false;
      const contract = createContract({
        logger: () => undefined,
        rules: { rent: [() => (isOpen ? undefined : [{ path: ["days"], message: "closed" }])] },
      });
      const opening: unknown = langchain.createMiddleware({
        name: "opening",
        afterModel: () => {
          isOpen = true;
          return undefined;
        },
      });
      const more = [opening as AgentMiddleware<undefined, undefined>];
      const { isAsked, runs, results } = await review({
        args: '{"days":2}',
        options: { contract },
        more,
      });
      expect([isAsked, runs, codeOf(results[0])]).toEqual([false, [], "VAL-016"]);
      expect(results[0]?.content).toContain("nobody was asked about it");
    });

    test("is that of the arguments which a person wrote", async () => {
      const { resume, runs } = await review({ args: '{"days":2}' });
      await resume({ type: "edit", editedAction: { name: "rent", args: { days: 3 } } });
      expect(runs).toEqual([{ days: 3 }]);
    });
  },
);
