const ERRORS: ReadonlySet<unknown> = new Set<unknown>([
  Error.prototype,
  AggregateError.prototype,
  EvalError.prototype,
  RangeError.prototype,
  ReferenceError.prototype,
  SyntaxError.prototype,
  TypeError.prototype,
  URIError.prototype,
]);

const VIEWS = new Map<unknown, unknown>(
  [
    DataView,
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
  ].map((View) => [View.prototype, View]),
);

/** Whether it is the prototype of an error of the language, rather than of a class of somebody's own. */
export function isErrorPrototype(prototype: unknown): prototype is object {
  return ERRORS.has(prototype);
}

/** What makes a view of a buffer; all of them are made the same way. */
export function viewConstructor(prototype: unknown): typeof Uint8Array | undefined {
  return VIEWS.get(prototype) as typeof Uint8Array | undefined;
}

/** The name of a class, for an error. */
export function classOf(prototype: unknown): string {
  const { constructor } = prototype as { readonly constructor?: unknown };
  return typeof constructor === "function" && constructor.name !== ""
    ? constructor.name
    : "object with a prototype of its own";
}
