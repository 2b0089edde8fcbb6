import { ToolContractError, defineTool } from "@toolcontract/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeVersions } from "../testing/both-ends.ts";
import { quiet } from "../testing/travel.ts";

describeVersions((sdk) => {
  const ran: unknown[] = [];
  const rent = sdk.ai.tool({
    inputSchema: z.object({ days: z.number() }),
    execute: async (input) => {
      ran.push(input);
      return "rented";
    },
  });
  const sessionOf = () => {
    const { model } = sdk.script([
      { calls: [{ id: "a", name: "rent", input: '{"days":"x"}' }] },
      { text: "done" },
    ]);
    return sdk.session.agentSession({
      ...quiet,
      targets: [{ model }],
      tools: { rent },
    });
  };

  test.each(["generateText", "streamText"] as const)(
    "tools after the session's spread reject the run of %s, and nothing runs",
    async (name) => {
      const run = sessionOf().run((options) =>
        sdk.ai[name]({ ...options, tools: { rent }, prompt: "Go." } as never),
      );
      await expect(run).rejects.toThrow("spread the options of run() last");
      expect(ran).toEqual([]);
    },
  );

  test("a run without a function rejects", async () => {
    await expect(sessionOf().run(undefined as never)).rejects.toThrow("run() needs a function");
  });

  test("a queue for a tool that the session does not have throws, with the name that was meant", () => {
    const { model } = sdk.script([]);
    const create = () =>
      sdk.session.agentSession({
        ...quiet,
        targets: [{ model }],
        tools: { rent },
        queueOf: { retn: "default" },
      });
    expect(create).toThrow(ToolContractError);
    expect(create).toThrow("'queueOf' binds 'retn', which is not one of its tools. Write rent.");
  });

  test("a tool of the core throws, with what to write", () => {
    const tool = defineTool({ name: "rent", inputSchema: { type: "object" }, execute: () => 1 });
    const create = () => sdk.adapter.withContract({ ...quiet, tools: { rent: tool as never } });
    expect(create).toThrow(ToolContractError);
    expect(create).toThrow("jsonSchema({ … })");
  });
});
