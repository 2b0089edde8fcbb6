import { type Message, readRequestId, readResponse } from "../wire/index.ts";
import type { Link, Ruling } from "./link.ts";
import type { GateServices } from "./options.ts";
import type { LinkState } from "./route.ts";

/** A message from a client. */
interface FromClient {
  readonly message: Message;
  readonly link: Link;
  readonly state: LinkState;
}

/** Decides on a message; if it is a tool call, the time until its answer is measured. */
export function measureCall(
  { message, link, state }: FromClient,
  { operations, lists }: GateServices,
  decide: () => Ruling | Promise<Ruling>,
): Ruling | Promise<Ruling> {
  const id = message["method"] === "tools/call" ? readRequestId(message["id"]) : undefined;
  if (operations === undefined || id === undefined) return decide();
  const end = operations.begin();
  const { name } = Object(message["params"]) as { readonly name?: unknown };
  const record = (answer: Message): void => {
    const listed = typeof name === "string" ? lists.of(link).find(name) : undefined;
    end({ tool: listed?.name, transport: link.transport, answer });
  };
  const watch = (ruling: Ruling): Ruling => {
    if (ruling.kind === "answer") record(ruling.message);
    if (ruling.kind !== "forward") return ruling;
    state.measured.set(id, record);
    void ruling.limited?.givenUp?.then((answer) => state.measured.take(id)?.(answer));
    return ruling;
  };
  const ruling = decide();
  return ruling instanceof Promise ? ruling.then(watch) : watch(ruling);
}

/** Records the end of a call that a server's message answers, as the client reads it. */
export function measureAnswer<R extends Message | null | undefined>(
  message: Message,
  { measured }: LinkState,
  replacement: R | Promise<R>,
): R | Promise<R> {
  if (measured.size === 0) return replacement;
  const id = readResponse(message)?.id;
  const record = id === undefined ? undefined : measured.take(id);
  if (record === undefined) return replacement;
  const watch = (shown: R): R => {
    record(shown ?? message);
    return shown;
  };
  return replacement instanceof Promise ? replacement.then(watch) : watch(replacement);
}
