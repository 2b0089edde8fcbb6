const ids = new WeakMap<object, string>();
let last = 0;

/** Names a model turn by its message: by its id, or else by the object. */
export function turnIdOf(message: { readonly id?: string | undefined }): string {
  if (message.id !== undefined) return message.id;
  const known = ids.get(message);
  if (known !== undefined) return known;
  last += 1;
  const id = `turn ${last}`;
  ids.set(message, id);
  return id;
}
