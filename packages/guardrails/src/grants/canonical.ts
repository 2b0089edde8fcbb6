/** A value as it was read, once. */
export interface CanonicalForm {
  /** Two values that differ in anything have different texts: what the tool would get is what a person has agreed to. */
  readonly text: string;
  /** All of the value as JSON, for the person: sets and maps as lists, and what JSON does not know as strings. */
  readonly shown: unknown;
}

/**
 * Reads a value once, into what it is compared by and what is shown of it, so that nothing is in the one and not in the other.
 *
 * @throws TypeError for what could not be compared or shown, such as a function, an instance of a class or a hidden member.
 */
export function canonicalForm(value: unknown, depth = 0): CanonicalForm {
  if (depth > MAX_DEPTH) throw new TypeError("The arguments are too deep to be granted");
  const inner = (member: unknown): CanonicalForm => canonicalForm(member, depth + 1);
  switch (typeof value) {
    case "string":
      return { text: JSON.stringify(value), shown: value };
    case "boolean":
      return { text: String(value), shown: value };
    case "number":
      return number(value);
    case "undefined":
      return { text: "undefined", shown: "undefined" };
    case "bigint":
      return { text: `${value}n`, shown: String(value) };
    case "object":
      return value === null ? { text: "null", shown: null } : object(value, inner);
    default:
      throw new TypeError(`A ${typeof value} cannot be granted`);
  }
}

/** The text that a value is compared by. */
export function canonical(value: unknown): string {
  return canonicalForm(value).text;
}

const MAX_DEPTH = 200;

function number(value: number): CanonicalForm {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return { text, shown: JSON.stringify(value) === text ? value : text };
}

type Inner = (member: unknown) => CanonicalForm;

function object(value: object, inner: Inner): CanonicalForm {
  if (Array.isArray(value)) {
    const names = namesOf(value);
    if (names.length !== value.length || !names.every((name, index) => name === String(index))) {
      throw new TypeError("A list with holes or with members of its own cannot be granted");
    }
    return list("", value.map(inner));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!isPlain(prototype) && !BUILT_IN.has(prototype)) {
    throw new TypeError("An instance of a class cannot be granted");
  }
  const names = namesOf(value);
  if (isPlain(prototype)) return plain(value, inner);
  if (names.length > 0) throw new TypeError("A member that JSON does not show cannot be granted");
  if (value instanceof Map) {
    const entries = [...value].map((entry) => entry.map(inner));
    const pairs = entries.map((pair) => pair.map(({ text }) => text).join(":"));
    return {
      text: `Map(${pairs.join()})`,
      shown: entries.map((pair) => pair.map(({ shown }) => shown)),
    };
  }
  if (value instanceof Set) return list("Set", [...value].map(inner));
  const time = (value as Date).getTime();
  const shown = Number.isNaN(time) ? "NaN" : new Date(time).toISOString();
  return { text: `Date(${time})`, shown };
}

/** Whether an object has it and inherits nothing else: of any realm, too. */
function isPlain(prototype: unknown): boolean {
  if (prototype === null) return true;
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf")
  );
}

const BUILT_IN: ReadonlySet<unknown> = new Set([Map.prototype, Set.prototype, Date.prototype]);

function list(kind: "" | "Set", members: readonly CanonicalForm[]): CanonicalForm {
  const text = members.map((member) => member.text).join();
  return {
    text: kind === "" ? `[${text}]` : `${kind}(${text})`,
    shown: members.map(({ shown }) => shown),
  };
}

function plain(value: object, inner: Inner): CanonicalForm {
  const members = Object.entries(value).map(([name, member]) => [name, inner(member)] as const);
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    text: `{${sorted.map(([name, { text }]) => `${JSON.stringify(name)}:${text}`).join()}}`,
    shown: Object.fromEntries(members.map(([name, { shown }]) => [name, shown])),
  };
}

/** The names of an object's members; throws if one is not plain data that JSON would show. */
function namesOf(value: object): readonly string[] {
  return Reflect.ownKeys(value).flatMap((name) => {
    if (name === "length" && Array.isArray(value)) return [];
    const member = Object.getOwnPropertyDescriptor(value, name);
    const isData = member?.enumerable === true && "value" in member;
    if (typeof name === "string" && isData) return [name];
    throw new TypeError("A member that JSON does not show cannot be granted");
  });
}
