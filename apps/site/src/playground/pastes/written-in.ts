import { argumentsIn, type Span } from "../json/index.ts";

/**
 * Where a paste holds the arguments of each call, in their order. Those of a stream are in several pieces, so they have no
 * place.
 *
 * @param args - Each call's arguments: a string of JSON, or a value.
 */
export function writtenIn(text: string, args: readonly unknown[]): readonly (Span | undefined)[] {
  const held = argumentsIn(text);
  let end = 0;
  return args.map((one) => {
    const wanted = JSON.stringify(one);
    const found =
      held.find(({ from, value }) => from >= end && JSON.stringify(value) === wanted) ??
      literally(text, one, end);
    if (found !== undefined) end = found.to;
    return found && { from: found.from, to: found.to };
  });
}

/** Between tags, arguments are as the model wrote them. */
function literally(text: string, args: unknown, after: number): Span | undefined {
  if (typeof args !== "string" || args === "") return undefined;
  const from = text.indexOf(args, after);
  return from === -1 ? undefined : { from, to: from + args.length };
}
