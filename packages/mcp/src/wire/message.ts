import { createHash } from "node:crypto";
import { isRecord, type Message } from "@toolcontract/mcp-client/wire";

/** A JSON-RPC id that can be written back exactly as it was sent. */
export type RequestId = string | number;

/** A server's response to a request. */
export type ServerResponse =
  | { readonly id: RequestId; readonly kind: "result"; readonly result: Message }
  | { readonly id: RequestId; readonly kind: "error"; readonly error: Message };

/** Reads a request's id; undefined for a number that JavaScript cannot hold exactly, because the answer would carry another id. */
export function readRequestId(id: unknown): RequestId | undefined {
  if (typeof id === "string") return id;
  return typeof id === "number" && Math.abs(id) <= Number.MAX_SAFE_INTEGER ? id : undefined;
}

/** Reads a response; undefined for requests and notifications. */
export function readResponse(message: Message): ServerResponse | undefined {
  const id = readRequestId(message["id"]);
  if (id === undefined || "method" in message) return undefined;
  const { result, error } = message;
  if (isRecord(result)) return { id, kind: "result", result };
  return isRecord(error) ? { id, kind: "error", error } : undefined;
}

/** The `_meta` of a message's parameters; undefined if it has none. */
export function metaOf({ params }: Message): Message | undefined {
  const meta = isRecord(params) ? params["_meta"] : undefined;
  return isRecord(meta) ? meta : undefined;
}

/** The trace id in a W3C `traceparent`; undefined for anything else. */
export function traceIdOf(traceparent: unknown): string | undefined {
  if (typeof traceparent !== "string") return undefined;
  return /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1];
}

/** A short, stable name for a credential or session id, safe to write to a log. */
export function fingerprint(secret: string): string {
  // Not crypto.hash: worker runtimes lack it.
  return createHash("sha256").update(secret).digest("hex").slice(0, 16);
}

/** Whether parsed JSON can be serialized again without changing a number; JavaScript rounds large integers. */
export function holdsExactNumbers(value: unknown): boolean {
  return everyNumber(value, isExact);
}

/** Whether no number was too large to parse: one parser makes it infinite, another keeps it or refuses it. */
export function holdsFiniteNumbers(value: unknown): boolean {
  return everyNumber(value, Number.isFinite);
}

function everyNumber(value: unknown, fits: (number: number) => boolean): boolean {
  const containers: object[] = [];
  const isRight = (member: unknown): boolean => {
    if (typeof member === "number") return fits(member);
    if (typeof member === "object" && member !== null) containers.push(member);
    return true;
  };
  let next: object | undefined = [value];
  while (next !== undefined && everyMember(next, isRight)) next = containers.pop();
  return next === undefined;
}

/** Whether all members of parsed JSON pass. The values of a very large object take twice as long to list as its names. */
function everyMember(
  container: object,
  passes: (member: unknown, name?: string) => boolean,
): boolean {
  if (Array.isArray(container)) return container.every((member) => passes(member));
  const object = container as Message;
  for (const name in object) if (!passes(object[name], name)) return false;
  return true;
}

/** About how many characters a value is as JSON; stops counting above `most`. */
export function sizeWithin(value: unknown, most: number): number {
  const containers: object[] = [];
  let size = 0;
  const isWithin = (member: unknown, name?: string): boolean => {
    if (typeof member === "string") size += member.length;
    else if (typeof member === "object" && member !== null) containers.push(member);
    size += ABOUT + (name?.length ?? 0);
    return size <= most;
  };
  let next: object | undefined = [value];
  while (next !== undefined && everyMember(next, isWithin)) next = containers.pop();
  return size;
}

/** What a member takes beside its text. */
const ABOUT = 5;

function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
