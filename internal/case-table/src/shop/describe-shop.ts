import { describe, expect, test } from "vitest";
import type { MadeGuardrails } from "../conformance-case.ts";
import {
  addItem,
  type ContractOfShop,
  openBudget,
  openShop,
  type ShopCall,
  type ShopKit,
  type ShopTool,
  stage,
} from "./open-shop.ts";

/** A framework that runs an agent; a blocked tool is no longer offered. */
export interface ShopHost<Contract> {
  readonly run: (visit: Visit<Contract>) => Promise<ShopRun>;
}

/** A run of an agent. */
export interface Visit<Contract> {
  readonly contract: Contract;
  readonly tools: readonly ShopTool[];
  /** The calls of each answer of the model, which then says "Done.". */
  readonly turns: readonly (readonly ShopCall[])[];
  /** The earlier run that this one continues in a new process, without its last words. */
  readonly after?: ShopRun;
  readonly signal?: AbortSignal;
}

/** What came of a run. */
export interface ShopRun {
  readonly messages: readonly unknown[];
  /** What the model reads about a call. */
  readonly textOf: (id: string) => string;
  /** What the model says at last. */
  readonly last: string;
  /** The tools of each request. */
  readonly offered: readonly (readonly string[])[];
  /** All that the model, and whoever watches the run, gets. */
  readonly shown: string;
}

/** Registers the table of the shop for one host. */
export function describeShop<Contract extends ContractOfShop, Guardrails extends MadeGuardrails>(
  kit: ShopKit<Contract, Guardrails>,
  { run }: ShopHost<Contract>,
): void {
  const stageOne: ShopTool["run"] = (args) => stage(kit, args);
  const open = (add: ShopTool["run"] = stageOne) => {
    const shop = openShop(kit, add);
    const { contract, tools } = shop;
    const visit = async (turns: Visit<Contract>["turns"], more: object = {}) =>
      run({ contract, tools, turns, ...more });
    return { ...shop, visit };
  };
  const contractOf = (guardrails: Guardrails): Contract =>
    kit.createContract({ guardrails, logger: () => undefined });

  describe("a shop", () => {
    test("a tool stages its state, a violation undoes it, and the corrected call commits", async () => {
      const { state, events, visit } = open();
      const { last, shown, textOf } = await visit([
        [{ id: "call_0", name: "add_item", arguments: "{}" }],
        [addItem("call_1", "ZZ", 1)],
        [addItem("call_2", "A1", 9)],
        [addItem("call_3", "A1", 4)],
        [addItem("call_4", "A1", 2)],
      ]);
      expect(last).toBe("Done.");
      const headers = [0, 1, 2, 3, 4].map((id) => textOf(`call_${id}`).split("\n")[0]);
      expect(headers).toEqual([
        "Validation failed for tool 'add_item' (attempt 1/3):",
        "Guardrail failed for tool 'add_item' (attempt 1/3):",
        "Guardrail failed for tool 'add_item' (attempt 2/3):",
        "Outcome failed for tool 'add_item' (attempt 1/2):",
        "added",
      ]);
      expect(state()).toMatchObject({ cart: ["2 A1"], stock: { A1: 3 } });
      const failures = events.at(-1)?.attempt_failures ?? [];
      expect(failures.map((one) => `${one.stage}:${one.error_class}`)).toEqual([
        "validation:known_sku",
        "validation:stock_not_negative",
        "outcome_policy:sold_out",
      ]);
      // Neither the model nor a browser sees anything of the diagnosis.
      for (const word of ["known_sku", "sold_out", "attempt_failures", "validation_failure_type"]) {
        expect(shown).not.toContain(word);
      }
    });

    test("calls of one turn have attempts of their own: one commits while the other is rolled back", async () => {
      const { state, visit } = open(async (args) => {
        const { callId } = kit.currentAttempt();
        await new Promise((resolve) => setImmediate(resolve));
        expect(kit.currentAttempt().callId).toBe(callId);
        return stage(kit, args);
      });
      const quantities = [9, 2, 2];
      const { textOf } = await visit([
        quantities.map((qty, id) => addItem(`call_${id}`, "A1", qty)),
      ]);
      expect(textOf("call_0")).toContain("All its state changes were undone.");
      expect([textOf("call_1"), textOf("call_2")]).toEqual(["added", "added"]);
      expect(state()).toMatchObject({ cart: ["2 A1", "2 A1"], stock: { A1: 1 } });
    });

    test("a terminal guardrail: one attempt, the tool is not offered again, and the run still answers", async () => {
      const { outcomes, runs, visit } = open();
      const { last, offered } = await visit([[addItem("call_1", "G1", 1)]]);
      expect([last, runs]).toEqual(["Done.", []]);
      expect(offered).toEqual([["add_item", "add_note"], ["add_note"]]);
      expect(outcomes).toMatchObject([{ error_type: "missing_credentials", retriable: false }]);
    });

    test("a spent budget ends in a typed outcome, also with one good call in each turn, and the tool stays closed", async () => {
      const { outcomes, state, visit } = open();
      const bad = [60, 61, 62].map((qty, turn) => [
        addItem(`good_${turn}`, "A1", 1),
        addItem(`bad_${turn}`, "A1", qty),
      ]);
      const note = { id: "note", name: "add_note", arguments: '{"words":"a gift"}' };
      const { last, textOf } = await visit([...bad, [addItem("again", "A1", 1), note]]);
      expect(last).toBe("Done.");
      expect(outcomes).toEqual([
        {
          status: "error",
          error_type: "guardrail_retry_exhausted",
          error_message: "Recoverable guardrail retries exhausted for add_item",
          retriable: false,
          metadata: { guardrail_recovery_attempts: 2, last_violation_type: "order_limit" },
        },
      ]);
      expect(textOf("again")).toContain("(blocked after 3/3)");
      expect(textOf("note")).toBe("noted");
      expect(state().cart).toEqual(["1 A1", "1 A1", "1 A1"]);
    });

    test("an aborted call is rolled back and not counted", async () => {
      const controller = new AbortController();
      const { contract, events, state, visit } = open((args) => {
        void stage(kit, args);
        controller.abort(new Error("the user left"));
        throw controller.signal.reason;
      });
      const { signal } = controller;
      await visit([[addItem("call_1", "A1", 2)]], { signal }).catch(() => undefined);
      await expect.poll(() => events.at(-1)?.attempt_stage).toBe("rolled_back");
      expect(state().cart).toEqual([]);
      expect(contract.metrics()).toMatchObject({ rejected: 0, blocked: 0 });
      expect(events.at(-1)).toMatchObject({
        rollback_applied: true,
        retry_feedback_injected: false,
        attempt_failures: [],
      });
    });

    test("after a restart the attempts are counted from the messages", async () => {
      const after = await open().visit([
        [addItem("call_1", "A1", 9)],
        [addItem("call_2", "A1", 8)],
      ]);
      const { events, visit } = open();
      const { textOf } = await visit([[addItem("call_3", "A1", 7)]], { after });
      expect(textOf("call_3")).toContain("Guardrail failed for tool 'add_item' (attempt 3/3):");
      expect(events.at(-1)).toMatchObject({
        guardrail_retry_exhausted: true,
        outcome: { metadata: { guardrail_recovery_attempts: 2 } },
      });
    });

    test("`compensate` calls another tool if the commit is refused", async () => {
      const guardrails = kit.createGuardrails({
        state: {},
        effects: { pay: "compensable" },
        compensate: { pay: ({ args }) => ({ name: "pay_back", arguments: { ...args, qty: 0 } }) },
        guardrails: [
          { name: "no", tools: ["pay"], stage: "commit", check: () => ({ message: "refused" }) },
        ],
      });
      const runs: unknown[] = [];
      const payBack = (args: unknown) => {
        runs.push(args);
        return "paid back";
      };
      const inputSchema = { type: "object" };
      const { textOf } = await run({
        contract: contractOf(guardrails),
        tools: [
          { name: "pay", inputSchema, run: () => "paid" },
          { name: "pay_back", inputSchema, run: payBack },
        ],
        turns: [[addItem("call_1", "A1", 2, "pay")]],
      });
      expect(textOf("call_1")).toContain("All its state changes were undone.");
      expect(runs).toEqual([{ sku: "A1", qty: 0 }]);
    });

    test("a budget of 100: five calls of 80 spend 80", async () => {
      const { guardrails, buy, calls, spent } = openBudget(kit, { buy: "state" });
      const contract = contractOf(guardrails);
      await run({ contract, tools: [buy], turns: calls.map((call) => [call]) });
      expect(spent()).toBe(80);
    });
  });
}
