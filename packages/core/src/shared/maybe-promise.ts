/** A value that is there now, or a promise of it. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Tells whether a value must be awaited. */
export function isPromiseLike<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function"
  );
}

/** Goes on with a value at once where it is there, or when it comes. */
export function chain<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}

/** Collects values in order; synchronous as long as all of them are. */
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some(isPromiseLike) ? Promise.all(values) : (values as readonly T[]);
}
