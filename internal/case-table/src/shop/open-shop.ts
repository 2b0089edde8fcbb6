import type { CaseGuardrails, CaseTool, MadeGuardrails } from "../conformance-case.ts";
import { shopGuardrails, shopTools } from "../tools/shop.ts";

/** The contract's own functions. */
export interface ShopKit<Contract, Guardrails> {
  readonly createContract: (options: {
    readonly guardrails: Guardrails;
    readonly logger: () => void;
    readonly onEscalation?: (escalation: { readonly outcome?: unknown }) => void;
  }) => Contract;
  /** Makes guardrails whose store begins with the state. */
  readonly createGuardrails: (given: CaseGuardrails) => Guardrails;
  readonly currentAttempt: () => {
    readonly callId: string;
    // oxlint-disable-next-line typescript/no-explicit-any -- the type parameter of the real function says what it is
    readonly state: any;
    readonly onRollback: (undo: () => void) => void;
  };
  readonly Outcome: {
    readonly ok: (value: unknown) => unknown;
    readonly error: (type: string, message: string, more?: { readonly retriable: true }) => unknown;
  };
}

/** What the shop needs of a contract. */
export interface ContractOfShop {
  on(type: "attempt", listener: (event: AttemptOfShop) => void): unknown;
  metrics(): object;
}

/** What the shop reads of the event of an attempt. */
interface AttemptOfShop {
  readonly attempt_stage: string;
  readonly attempt_failures: readonly { readonly stage: string; readonly error_class: string }[];
}

/** A tool, and what it does with its arguments and whatever its framework passes on. */
export interface ShopTool extends CaseTool {
  readonly run: (args: unknown, context?: unknown) => unknown;
}

/** A call as the model of a shop makes it. */
export interface ShopCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** A call of `add_item`. */
export function addItem(id: string, sku: string, qty: number, name = "add_item"): ShopCall {
  return { id, name, arguments: JSON.stringify({ sku, qty }) };
}

/** Changes the state as a tool's author would: four are refused for now, three for good, and one is an outcome. */
export function stage(
  kit: Pick<ShopKit<never, never>, "currentAttempt" | "Outcome">,
  args: unknown,
): unknown {
  const { sku, qty } = args as { readonly sku: string; readonly qty: number };
  const { state, onRollback } = kit.currentAttempt();
  state.stock[sku] = (state.stock[sku] ?? 0) - qty;
  state.cart.push(`${qty} ${sku}`);
  onRollback(() => undefined);
  if (qty === 4) return kit.Outcome.error("sold_out", "the supplier refused", { retriable: true });
  if (qty === 3) return kit.Outcome.error("closed", "the supplier is closed");
  return qty === 1 ? kit.Outcome.ok({ added: sku }) : "added";
}

/** A shop with a contract of its own, and what came of its calls. */
export type Shop<Contract extends ContractOfShop, Guardrails extends MadeGuardrails> = ReturnType<
  typeof openShop<Contract, Guardrails>
>;

/** What the conformance table's shop keeps. */
interface StateOfShop {
  readonly cart: readonly string[];
  readonly stock: Readonly<Record<string, number>>;
}

/** Opens the shop of the conformance table; `add_item` changes the state itself, or does what is given. */
export function openShop<Contract extends ContractOfShop, Guardrails extends MadeGuardrails>(
  kit: ShopKit<Contract, Guardrails>,
  run: ShopTool["run"] = (args) => stage(kit, args),
) {
  const guardrails = kit.createGuardrails({ ...shopGuardrails, stateChanges: {} });
  // The typed outcomes of the escalations.
  const outcomes: unknown[] = [];
  const contract = kit.createContract({
    guardrails,
    logger: () => undefined,
    onEscalation: ({ outcome }) => void outcomes.push(outcome),
  });
  const events: AttemptOfShop[] = [];
  contract.on("attempt", (event) => events.push(event));
  const runs: unknown[] = [];
  const added: ShopTool["run"] = (args, context) => {
    runs.push(args);
    return run(args, context);
  };
  const tools = shopTools.map((tool) => ({
    ...tool,
    run: tool.name === "add_item" ? added : () => "noted",
  }));
  const state = () => committedIn(guardrails) as StateOfShop;
  return { contract, guardrails, state, events, outcomes, runs, tools };
}

/** The budget of the README: a tool that spends 80 of 100, and what the host declares of its effects. */
export function openBudget<Contract, Guardrails extends MadeGuardrails>(
  kit: ShopKit<Contract, Guardrails>,
  effects: CaseGuardrails["effects"],
) {
  const guardrails = kit.createGuardrails({
    state: { spent: 0 },
    effects,
    guardrails: [
      {
        name: "budget",
        stage: "commit",
        check: ({ state }) => state.spent > 100 && { message: "over the budget of 100" },
      },
    ],
  });
  const runs: unknown[] = [];
  const buy: ShopTool = {
    name: "buy",
    inputSchema: { type: "object" },
    run(args) {
      runs.push(args);
      kit.currentAttempt().state.spent += 80;
      return "bought";
    },
  };
  const calls = [1, 2, 3, 4, 5].map((id) => ({ id: `call_${id}`, name: "buy", arguments: "{}" }));
  const spent = () => (committedIn(guardrails) as { readonly spent: number }).spent;
  return { guardrails, buy, runs, calls, spent };
}

function committedIn({ store }: MadeGuardrails): unknown {
  return store?.state;
}
