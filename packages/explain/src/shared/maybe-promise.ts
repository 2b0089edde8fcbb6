/** A value or a promise of one. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** Checks for an object with a `then` method. */
export function isPromiseLike<T>(value: MaybePromise<T>): value is PromiseLike<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { readonly then?: unknown }).then === "function"
  );
}

/** Calls `next` with the value: at once, or when the promise resolves. */
export function chain<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return isPromiseLike(value) ? value.then(next) : next(value);
}

/** Collects values in order; synchronous if none of them is a promise. */
export function all<T>(values: readonly MaybePromise<T>[]): MaybePromise<readonly T[]> {
  return values.some(isPromiseLike) ? Promise.all(values) : (values as readonly T[]);
}
