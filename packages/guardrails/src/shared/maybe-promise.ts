/** A value, or a promise of one. */
export type MaybePromise<T> = T | Promise<T>;
