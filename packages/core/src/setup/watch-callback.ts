import { isPromiseLike } from "../maybe-promise.ts";

/** Makes of a host's function one that tells what it throws or rejects with, and then does so all the same. */
export function watchCallback<Arguments extends readonly unknown[], Result>(
  callback: (...args: Arguments) => Result,
  onFault: (thrown: unknown, args: Arguments) => void,
): (...args: Arguments) => Result {
  return (...args) => {
    const fail = (thrown: unknown): never => {
      onFault(thrown, args);
      throw thrown;
    };
    try {
      const answer = callback(...args);
      // Asked once only, because a lazy promise runs for everyone who asks.
      return isPromiseLike(answer) ? (Promise.resolve(answer).catch(fail) as Result) : answer;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
