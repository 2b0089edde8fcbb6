const SLICES = 5;

/**
 * Waits for an answer, at most so many milliseconds; undefined if it did not come.
 *
 * @remarks A busy event loop is not a slow answer. The limit is waited for in slices, so that one long pause of the loop
 * uses up one of them, and after the last the loop may read once more what has arrived meanwhile.
 */
export async function inTime<T>(
  answer: PromiseLike<T>,
  limit: number,
): Promise<{ readonly value: T } | undefined> {
  return new Promise((resolve, reject) => {
    let left = SLICES;
    let timer = setTimeout(wait, limit / SLICES);

    function wait(): void {
      left -= 1;
      if (left < 0) return resolve(undefined);
      timer = setTimeout(wait, left === 0 ? 0 : limit / SLICES);
    }

    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve({ value });
      },
      (thrown: unknown) => {
        clearTimeout(timer);
        reject(thrown);
      },
    );
  });
}
