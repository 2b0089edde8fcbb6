import { slotStore, type StateStore } from "@toolcontract/guardrails";
import type { Benchmark, Table } from "../benchmark.ts";
import type { Row } from "../row.ts";
import { type Contestant, pointsOf, race, shortened } from "../race.ts";

const SIZES = { full: [1_000, 10_000, 100_000, 1_000_000], quick: [1_000, 10_000] } as const;
const CHANGES = 10;
const MOST = 3;
const BESIDE = "slotStore, a slot of 1 KB beside it";

/** Measures what it costs that the changes of an attempt can be dropped. */
export const isolation: Benchmark = {
  name: "isolation",
  about: `an attempt that changes ${CHANGES} orders in place, by the bytes of the state as JSON`,
  async run({ length, isQuick }) {
    const ends: readonly End[] = ["committed", "rolled back"];
    const tables: Table[] = [];
    for (const end of ends) {
      const rows: Row[] = [];
      for (const size of SIZES[isQuick ? "quick" : "full"]) {
        const state = stateOfSize(size);
        const timings = await race(waysTo(end, state), shortened(length));
        rows.push(...pointsOf(timings, JSON.stringify(state).length));
      }
      tables.push({ title: end, axis: "bytes of state", rows, target: targetOf(rows) });
    }
    return tables;
  },
};

type End = "committed" | "rolled back";

interface Order {
  id: string;
  total: number;
  lines: { sku: string; qty: number; note: string }[];
}

interface Shop {
  orders: Order[];
}

function stateOfSize(bytes: number): Shop {
  const orders: Order[] = [];
  const order = (index: number): Order => ({
    id: `order-${index}`,
    total: index * 10,
    lines: ["A", "B"].map((sku) => ({ sku: `${sku}${index}`, qty: 1, note: "as ordered" })),
  });
  const each = JSON.stringify(order(1_000)).length + 1;
  for (let index = 0; index < bytes / each; index += 1) orders.push(order(index));
  return { orders };
}

/** Each change reads three fields and writes one. */
function change({ orders }: Shop): void {
  for (let index = 0; index < CHANGES; index += 1) {
    const order = orders[(index * 7_919) % orders.length];
    const line = order?.lines[0];
    if (order !== undefined && line !== undefined) order.total = line.qty + order.id.length;
  }
}

function waysTo(end: End, shop: Shop): readonly Contestant[] {
  let held = structuredClone(shop);
  return [
    {
      name: "structuredClone, all of it",
      run() {
        const copy = structuredClone(held);
        change(copy);
        if (end === "committed") held = copy;
      },
    },
    attempting("slotStore, one slot", end, slotStore({ shop }), (state) => change(state.shop)),
    attempting(BESIDE, end, slotStore({ shop, cart: stateOfSize(1_000) }), (state) =>
      change(state.cart),
    ),
  ];
}

function attempting<State>(
  name: string,
  end: End,
  store: StateStore<State>,
  work: (state: State) => void,
): Contestant {
  return {
    name,
    async run() {
      const stage = store.begin();
      work(stage.state);
      await (end === "committed" ? stage.commit() : stage.rollback());
    },
  };
}

function targetOf(rows: readonly Row[]): { readonly words: string; readonly met: boolean } {
  const own = rows.filter(({ name }) => name === BESIDE).map(({ value }) => value);
  const met = (own.at(-1) ?? Number.NaN) <= MOST * (own[0] ?? Number.NaN);
  return { words: `what is not touched costs nothing: at most ${MOST} times at the largest`, met };
}
