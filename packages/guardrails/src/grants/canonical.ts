/**
 * Writes a value so that two that differ in anything never read alike: what the tool would get is what a person has agreed to.
 *
 * @throws TypeError for what cannot be compared, such as a function or an instance of a class.
 */
export function canonical(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TypeError("The arguments are too deep to be granted");
  const inner = (member: unknown): string => canonical(member, depth + 1);
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "boolean":
    case "undefined":
      return String(value);
    case "bigint":
      return `${value}n`;
    case "object":
      return value === null ? "null" : object(value, inner);
    default:
      throw new TypeError(`A ${typeof value} cannot be granted`);
  }
}

const MAX_DEPTH = 200;

function object(value: object, inner: (member: unknown) => string): string {
  if (Array.isArray(value)) return `[${value.map(inner).join()}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Map) {
    return `Map(${[...value].map(([key, member]) => `${inner(key)}:${inner(member)}`).join()})`;
  }
  if (value instanceof Set) return `Set(${[...value].map(inner).join()})`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new TypeError("An instance of a class cannot be granted");
  }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${inner(member)}`).join()}}`;
}
