import { isPromiseLike } from "@toolcontract/explain/adapter";

/** Wraps a host callback: reports what it throws or rejects with, then rethrows. */
export function watchCallback<Arguments extends readonly unknown[], Result>(
  callback: (...args: Arguments) => Result,
  onThrow: (thrown: unknown, args: Arguments) => void,
): (...args: Arguments) => Result {
  return (...args) => {
    const fail = (thrown: unknown): never => {
      onThrow(thrown, args);
      throw thrown;
    };
    try {
      const answer = callback(...args);
      // Call `then` only once: a lazy promise runs again for every call.
      return isPromiseLike(answer) ? (Promise.resolve(answer).catch(fail) as Result) : answer;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
