import { type ToolDefinition, createContract, ToolContractError } from "@toolcontract/core";
import { describe, expect, test, vi } from "vitest";
import { type Effect, createGuardrails, currentAttempt, slotStore } from "./index.ts";

/** Five calls of 80 under a budget of 100, as the model sends them. */
const FIVE = Array.from({ length: 5 }, (_, index) => {
  return { id: `call_${index}`, name: "buy", arguments: { price: 80 } };
});

const tool = (name: string) =>
  ({ name, inputSchema: { properties: { price: { type: "number" } } } }) as const;

function shop(effects?: Record<string, Effect>) {
  const store = slotStore({ spent: 0 });
  const guardrails = createGuardrails({
    store,
    ...(effects && { effects }),
    guardrails: [
      {
        name: "budget",
        stage: "commit",
        check: ({ state }) => state.spent > 100 && { message: "over the budget of 100" },
      },
    ],
  });
  const contract = createContract({ guardrails, logger: false });
  const execute = vi.fn((args: unknown) => {
    const { price } = args as { readonly price: number };
    currentAttempt<{ spent: number }>().state.spent += price;
    return "bought";
  });
  const context = { conversationId: "thread-7", execute };
  return { store, guardrails, contract, execute, context };
}

const UNDECLARED =
  "createGuardrails: guardrail 'budget' runs at commit for every tool, and 'buy' has no declared effect, so it could not be undone. Declare effects: { buy: \"compensable\" }, name its `tools`, or check before it runs.";

test("a budget that is checked at commit holds: five calls of 80 spend 80 of 100", async () => {
  const { store, contract, context } = shop({ buy: "state" });
  for (const call of FIVE) await contract.handle(call, { ...context, tool: tool("buy") });
  expect(store.state.spent).toBe(80);
});

test("the same budget without effects is an error at once, so that nothing is spent", () => {
  expect(() => shop()).toThrow(
    new ToolContractError(
      "createGuardrails: guardrail 'budget' runs at commit for every tool, and no effect is declared, so nothing could be undone. Declare what each tool does, such as effects: { add_item: \"compensable\" }, name its `tools`, or check before it runs.",
    ),
  );
});

describe("effects that lack a tool which a commit guardrail covers", () => {
  const open = () => shop({ search: "none" });
  const both: readonly ToolDefinition[] = [tool("search"), tool("buy")];
  const mistake = new ToolContractError(UNDECLARED);

  test.each<[string, (opened: ReturnType<typeof open>) => Promise<unknown>]>([
    [
      "handle, five times",
      async ({ contract, context }) => {
        for (const call of FIVE.slice(1)) {
          await expect(contract.handle(call, { ...context, tool: tool("buy") })).rejects.toThrow(
            mistake,
          );
        }
        return contract.handle(FIVE[0]!, { ...context, tool: tool("buy") });
      },
    ],
    [
      "handle with all tools, of another one",
      async ({ contract, context }) =>
        contract.handle({ ...FIVE[0]!, name: "search" }, { ...context, tools: both }),
    ],
    [
      "handle with tools that grew",
      async ({ contract, context }) => {
        const tools = [tool("search")];
        await contract.handle(
          { ...FIVE[0]!, name: "search" },
          { ...context, tools, execute: () => "found" },
        );
        tools.push(tool("buy"));
        return contract.handle(FIVE[1]!, { ...context, tools });
      },
    ],
    [
      "handleTurn",
      async ({ contract, context }) => contract.handleTurn(FIVE, { ...context, tools: both }),
    ],
    [
      "handleTurn with calls of another tool",
      async ({ contract, context }) =>
        contract.handleTurn([{ ...FIVE[0]!, name: "search" }, FIVE[1]!], {
          ...context,
          tools: both,
        }),
    ],
    [
      "handleTurn with tools that grew",
      async ({ contract, context }) => {
        const tools = [tool("search")];
        const search = { ...FIVE[0]!, name: "search" };
        await contract.handleTurn([search], { ...context, tools, execute: () => "found" });
        tools.push(tool("buy"));
        return contract.handleTurn([search, FIVE[1]!], { ...context, tools });
      },
    ],
    [
      "admit",
      async ({ contract, context }) => contract.admit(FIVE[0]!, { ...context, tool: tool("buy") }),
    ],
    [
      "admit with invalid arguments",
      async ({ contract, context }) =>
        contract.admit(
          { ...FIVE[0]!, arguments: { price: "80" } },
          { ...context, tool: tool("buy") },
        ),
    ],
    [
      "run",
      async ({ guardrails, execute }) =>
        guardrails.run({ tool: "buy", generate: () => ({ price: 80 }), execute }),
    ],
    [
      "a stage that is called by itself",
      async ({ guardrails, execute }) =>
        guardrails.around?.({ tool: "buy", run: execute } as never),
    ],
    [
      "an adapter that gets its tools",
      async ({ contract }) => contract.settings.checkTools(["search", "buy"]),
    ],
    [
      "an adapter that gets one of them",
      async ({ contract }) => contract.settings.checkTools(["buy"], false),
    ],
  ])("%s: an error, and nothing runs", async (_, act) => {
    const opened = open();
    await expect(act(opened)).rejects.toThrow(mistake);
    expect(opened.execute).not.toHaveBeenCalled();
    expect(opened.store.state.spent).toBe(0);
  });

  test("a name that the model invented is answered: VAL-012", async () => {
    const { contract, context } = open();
    const call = { ...FIVE[0]!, name: "buuy" };
    const { status, result } = await contract.handle(call, { ...context, tools: both });
    expect(status).toBe("rejected");
    expect(result.content).toContain("(VAL-012)");
    // As hosts say that there is no such tool, and that they found the call invalid.
    const known = contract.check(tool("search"), { price: "80" });
    for (const given of [{ name: "(unknown)" }, { name: "buuy" }]) {
      const { status: other } = await contract.handle(call, {
        ...context,
        tool: given,
        checked: known,
      });
      expect(other).toBe("rejected");
    }
  });

  test("a tool that has no definition runs for no guardrail that covers every tool", async () => {
    const { contract, context, execute } = open();
    await expect(
      contract.handle({ ...FIVE[0]!, name: "buuy" }, { ...context, tool: { name: "(unknown)" } }),
    ).rejects.toThrow("'(unknown)' has no declared effect");
    expect(execute).not.toHaveBeenCalled();
  });

  test("the other tools run", async () => {
    const { contract, context } = open();
    const call = { ...FIVE[0]!, name: "search" };
    const handled = await contract.handle(call, {
      ...context,
      tool: tool("search"),
      execute: () => "found",
    });
    expect(handled.result.content).toBe("found");
  });
});

test("effects that are changed later change nothing", async () => {
  const effects: Record<string, Effect> = { buy: "state", pay: "state" };
  const { store, contract, context } = shop(effects);
  effects["buy"] = "irreversible";
  delete effects["pay"];
  for (const name of ["buy", "pay"]) {
    for (const call of FIVE) {
      await contract.handle({ ...call, name }, { ...context, tool: tool(name) });
    }
  }
  expect(store.state.spent).toBe(80);
});

test("a commit guardrail of some tools leaves the others alone", async () => {
  const guardrails = createGuardrails({
    guardrails: [{ name: "g", tools: ["buy"], stage: "commit", check: () => "no" }],
    effects: { buy: "compensable" },
  });
  const contract = createContract({ guardrails, logger: false });
  const tools = [tool("buy"), tool("pay")];
  const context = { tools, conversationId: "thread-7", execute: () => "done" };
  const call = { id: "call_1", name: "pay", arguments: {} };
  expect((await contract.handle(call, context)).result.content).toBe("done");
});
