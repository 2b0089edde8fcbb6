/**
 * Tells whether JSON that was read can be written again without changing a number: some integers of the wire are
 * larger than JavaScript can hold.
 */
export function holdsExactNumbers(value: unknown): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    if (typeof one === "number") {
      if (!isExact(one)) return false;
    } else if (typeof one === "object" && one !== null) {
      for (const member of Object.values(one)) waiting.push(member);
    }
  }
  return true;
}

function isExact(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
