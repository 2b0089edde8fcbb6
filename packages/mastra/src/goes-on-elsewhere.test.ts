import { isWhole } from "@toolcontract/case-table/whole";
import { createContract, createMemoryStore } from "@toolcontract/core";
import { createGuardrails } from "@toolcontract/guardrails";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { loadMastra } from "./testing/mastra.ts";
import { answersIn, scriptedModel } from "./testing/scripted-model.ts";

const LABS = [await loadMastra("1.71"), ...(isWhole ? [await loadMastra("1.42")] : [])];

interface PayContext {
  readonly agent: { readonly resumeData?: unknown; readonly suspend: (why: object) => unknown };
}

const never = async (): Promise<never> => new Promise(() => undefined);
const CALL = { id: "call_0", name: "pay", args: '{"to":"Lee","memo":null}' };

describe.each(LABS)("a run of Mastra $version that goes on in another process", (lab) => {
  /** Processes that share what Mastra and the guardrails keep. */
  function openWorld(more: object, pay: (context: PayContext) => unknown) {
    const storage = new lab.InMemoryStore();
    const records = createMemoryStore();
    const startProcess = (model: ReturnType<typeof scriptedModel>) => {
      const tool = lab.tools.createTool({
        id: "pay",
        description: "Pays",
        inputSchema: z.object({ to: z.string(), memo: z.string().optional() }),
        ...more,
        execute: async (_: unknown, context: PayContext) => pay(context),
      } as never);
      const guardrails = createGuardrails({
        guardrails: [],
        effects: { pay: "irreversible" },
        records,
      });
      const contract = createContract({ guardrails, dropNulls: true, logger: false });
      const config = { id: "a", name: "a", instructions: "Pay.", model, tools: { pay: tool } };
      const guarded = lab.adapter.withContract(config as never, { contract, conversationId: "t" });
      const agent = new lab.agent.Agent(guarded);
      const mastra = new lab.Mastra({ agents: { a: agent }, storage, logger: false });
      expect(mastra.getStorage()).toBeDefined();
      return agent;
    };
    return startProcess;
  }

  test("does not make a call again whose arguments were repaired", async () => {
    let paid = 0;
    const start = openWorld({ requireApproval: true }, async () => {
      paid += 1;
      return never();
    });
    const here = start(scriptedModel([CALL]));
    const first = await here.stream("Pay.");
    await first.consumeStream();
    const approved = { runId: first.runId, toolCallId: CALL.id };
    void (await here.approveToolCall(approved)).consumeStream();
    await expect.poll(() => paid).toBe(1);
    const model = scriptedModel();
    await (await start(model).approveToolCall(approved)).consumeStream();
    expect(answersIn(model)[CALL.id]).toContain("GRD-006");
    expect(paid).toBe(1);
  });

  test("hands a tool what it waited for", async () => {
    const seen: unknown[] = [];
    const schemas = {
      suspendSchema: z.object({ why: z.string() }),
      resumeSchema: z.object({ key: z.string() }),
    };
    const start = openWorld(schemas, ({ agent: { resumeData, suspend } }) => {
      seen.push(resumeData);
      return resumeData === undefined ? suspend({ why: "a key" }) : "sent";
    });
    const first = await start(scriptedModel([CALL])).stream("Pay.");
    await first.consumeStream();
    const model = scriptedModel();
    const waited = { runId: first.runId, toolCallId: CALL.id };
    await (await start(model).resumeStream({ key: "k" }, waited)).consumeStream();
    expect(seen).toEqual([undefined, { key: "k" }]);
    expect(answersIn(model)[CALL.id]).toBe("sent");
  });
});
