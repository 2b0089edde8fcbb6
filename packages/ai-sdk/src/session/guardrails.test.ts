import { createGuardrails, currentAttempt, Outcome, slotStore } from "@toolcontract/guardrails";
import { expect, test } from "vitest";
import { z } from "zod";
import { describeModes } from "../testing/every-sdk.ts";
import { call, type RawAnswer, rawModel, report } from "../testing/raw-model.ts";
import { runSession } from "../testing/run-session.ts";
import type { Mode, Sdk } from "../testing/sdk.ts";
import type { AgentSessionOptions, SessionResult } from "./index.ts";

interface Shop {
  readonly cart: string[];
  readonly stock: Record<string, number>;
}

/** Quantities for which the tool does something else than to add an item. */
const [SOLD_OUT, HANGS, THROWS] = [3, 4, 2];

function openShop({ ai }: Sdk) {
  const store = slotStore<Shop>({ cart: [], stock: { A1: 5 } });
  const guardrails = createGuardrails({
    store,
    effects: { add_item: "state" },
    guardrails: [
      {
        name: "stock_not_negative",
        stage: "commit",
        check: ({ state }) => Object.values(state.stock).some((left) => left < 0) && "too many",
      },
    ],
  });
  const add_item = ai.tool({
    inputSchema: z.object({ qty: z.number() }),
    execute: async ({ qty }) => {
      const { state } = currentAttempt<Shop>();
      state.stock["A1"] = (state.stock["A1"] ?? 0) - qty;
      state.cart.push(`${qty} A1`);
      if (qty === SOLD_OUT) {
        return Outcome.error("sold_out", "the supplier refused", { retriable: false });
      }
      if (qty === HANGS) await new Promise(() => undefined);
      if (qty === THROWS) throw new Error("the till is closed");
      return "added";
    },
  });
  return { store, guardrails, tools: { add_item } };
}

async function order(
  sdk: Sdk,
  mode: Mode,
  answers: readonly RawAnswer[],
  options: Partial<AgentSessionOptions<never>> = {},
): Promise<{
  readonly result: SessionResult<unknown>;
  readonly state: Shop;
  readonly read: string;
}> {
  const { store, guardrails, tools } = openShop(sdk);
  const { model, requests } = rawModel(sdk.version, answers);
  const session = sdk.session.agentSession({
    targets: [{ model }],
    tools,
    guardrails,
    logger: false,
    ...(options as object),
  });
  const result = await runSession(sdk, mode, session as never);
  return { result, state: store.state as Shop, read: JSON.stringify(requests.at(-1)?.prompt) };
}

const add = (id: string, qty: number): RawAnswer => ({ content: [call(id, "add_item", { qty })] });
const DONE: RawAnswer = { content: [report("ordered")] };
const HONEST: RawAnswer = { content: [report("It was not ordered.")] };
const UNTOUCHED = { cart: [], stock: { A1: 5 } };

describeModes((sdk, mode) => {
  test("a violation undoes what the tool did, and the corrected call commits", async () => {
    const { result, state, read } = await order(sdk, mode, [add("c1", 9), add("c2", 1), DONE]);
    expect(state).toEqual({ cart: ["1 A1"], stock: { A1: 4 } });
    expect(read).toContain("Guardrail failed for tool 'add_item' (attempt 1/3):");
    expect(result).toMatchObject({ success: true, finalReport: { content: "ordered" } });
  });

  test("a name that the model invented is answered, and the session's own tool needs no effect", async () => {
    const { result, read } = await order(sdk, mode, [
      { content: [call("c1", "add_itme", { qty: 1 })] },
      add("c2", 1),
      DONE,
    ]);
    expect(read).toContain("(VAL-012)");
    expect(result).toMatchObject({ success: true, finalReport: { content: "ordered" } });
  });

  test("a tool that has no time left is undone", async () => {
    const { result, state, read } = await order(sdk, mode, [add("c1", HANGS), HONEST], {
      toolTimeout: 20,
    });
    expect(state).toEqual(UNTOUCHED);
    expect(read).toContain("timeout");
    expect(result.accounting[1]).toMatchObject({ command: "add_item", status: "failed" });
    expect(result.success).toBe(true);
  });

  test.each([
    ["an outcome", SOLD_OUT, "the supplier refused"],
    ["an exception", THROWS, "the till is closed"],
  ])("a tool that fails with %s is undone, and the model reads why", async (_, qty, reason) => {
    const { result, state, read } = await order(sdk, mode, [add("c1", qty), HONEST]);
    expect(state).toEqual(UNTOUCHED);
    expect(read).toContain(reason);
    expect(result.accounting[1]).toMatchObject({ command: "add_item", status: "failed" });
    expect(result.success).toBe(true);
  });

  test("a report that is silent about it is asked about once, and is then not a success", async () => {
    const { result, read } = await order(sdk, mode, [add("c1", THROWS), DONE, DONE]);
    expect(read).toContain("your report does not say so");
    expect(result).toMatchObject({
      success: false,
      unverified: true,
      finalReport: {
        content: "ordered",
        unverified: true,
        effects: [{ tool: "add_item", callId: "c1", outcome: "failed" }],
      },
    });
    const honest = await order(sdk, mode, [add("c1", THROWS), DONE, HONEST]);
    expect(honest.result).toMatchObject({
      success: true,
      finalReport: { content: "It was not ordered." },
    });
  });

  test("an output that does not fit is dropped, and what was done stays", async () => {
    const { result, state, read } = await order(sdk, mode, [add("c1", 1), DONE], {
      toolResponseMaxBytes: 3,
    });
    expect(state.cart).toEqual(["1 A1"]);
    expect(read).toContain("[TRUNCATED] Original size 5 bytes; truncated to 3 bytes.\\nadd");
    expect(result.success).toBe(true);
  });
});
