import type { Contract } from "@toolcontract/core";
import {
  createGuardrails,
  currentAttempt,
  type Guardrail,
  type Guardrails,
  slotStore,
} from "@toolcontract/guardrails";

/** What the shop knows, by article. */
export interface ShopState {
  readonly cart: Record<string, number>;
  readonly stock: Record<string, number>;
}

/** An order of the model. */
export interface Order {
  readonly sku: string;
  readonly qty: number;
}

/** A shop whose tool also reserves at a supplier, who has 3 pieces; one for each run. */
export interface Shop {
  /** None in a plain loop, where the tool changes what is there. */
  readonly guardrails?: Guardrails<ShopState>;
  /** What happened at the supplier and in the mailbox, oldest first. */
  readonly outside: readonly string[];
  addItem(order: Order): string;
  /** The state as it is for everybody, in words. */
  read(): string;
  /** What each call did to the state, in words, by the id of the call. */
  readonly history: ReadonlyMap<string, string>;
  /** Keeps the history of the calls of a contract. */
  watch(contract: Contract): void;
}

/** Opens a shop with five pieces; with guardrails, its tool works on the state of an attempt. */
export function openShop(policies?: readonly Guardrail<ShopState, Order>[]): Shop {
  const opening: ShopState = { cart: {}, stock: { A1: 5 } };
  const store = slotStore(opening);
  const outside: string[] = [];
  const history = new Map<string, string>();
  const before = new Map<string, string>();
  const during = new Map<string, string>();
  const read = (): string => inWords(policies ? store.state : opening);

  function addItem({ sku, qty }: Order): string {
    const attempt = policies && currentAttempt<ShopState>();
    const state = attempt?.state ?? opening;
    const left = (state.stock[sku] ?? 0) - qty;
    state.stock[sku] = left;
    state.cart[sku] = (state.cart[sku] ?? 0) + qty;
    outside.push(`reserve ${qty}`);
    attempt?.onRollback(() => outside.push(`release ${qty}`), "reservation");
    attempt?.onCommit(() => outside.push("mail"));
    if (attempt) during.set(attempt.callId, inWords(state));
    if (qty === 4) throw new Error("the supplier has only 3 of A1");
    return `Added ${qty} of ${sku}, ${left} left`;
  }

  function watch(contract: Contract): void {
    contract.on("attempt", ({ attempt_stage, committed, call_id, tool }) => {
      if (tool !== "add_item") return;
      if (attempt_stage === "generated") before.set(call_id, read());
      if (attempt_stage !== "rolled_back" && !committed) return;
      const ran = during.get(call_id);
      const steps = [`before: ${before.get(call_id)}`, ran && `during: ${ran}`, `after: ${read()}`];
      history.set(call_id, steps.filter((step) => step !== undefined).join("\n"));
    });
  }

  const guardrails =
    policies &&
    createGuardrails({
      store,
      effects: { add_item: "compensable", list_items: "none" },
      guardrails: policies,
    });
  return { ...(guardrails && { guardrails }), outside, addItem, read, history, watch };
}

function inWords({ cart, stock }: ShopState): string {
  const list = (pieces: Readonly<Record<string, number>>): string =>
    Object.entries(pieces)
      .map(([sku, count]) => `${count} of ${sku}`)
      .join(", ") || "nothing";
  return `${list(stock)} in stock, ${list(cart)} in the cart`;
}
