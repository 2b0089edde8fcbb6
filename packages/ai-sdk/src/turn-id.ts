// Of the whole module, because several guarded sets may share one contract.
const ids = new WeakMap<object, string>();
let last = 0;

/** Begins a model turn that is sent one of these lists of messages, also where an earlier turn was sent the same. */
export function beginTurn(...messages: readonly object[]): string {
  last += 1;
  const id = `turn ${last}`;
  for (const list of messages) ids.set(list, id);
  return id;
}

/** Names a model turn by the messages before it: the SDK hands the same list to all calls of one step. */
export function turnIdOf(messages: object): string {
  return ids.get(messages) ?? beginTurn(messages);
}
