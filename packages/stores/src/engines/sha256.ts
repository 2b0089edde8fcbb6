const BLOCK = 64;

/** The first 32 bits of the fractional part of a root of the first primes. */
function rootsOfPrimes(count: number, root: (prime: number) => number): Int32Array {
  const roots = new Int32Array(count);
  for (let found = 0, candidate = 2; found < count; candidate += 1) {
    let divisor = 2;
    while (candidate % divisor !== 0) divisor += 1;
    if (divisor !== candidate) continue;
    const value = root(candidate);
    roots[found] = Math.floor((value - Math.floor(value)) * 2 ** 32);
    found += 1;
  }
  return roots;
}

const START = /* @__PURE__ */ rootsOfPrimes(8, Math.sqrt);
const ROUNDS = /* @__PURE__ */ rootsOfPrimes(64, Math.cbrt);

/**
 * Returns the SHA-256 of a string's UTF-8 as 64 hex digits.
 *
 * @remarks The runtime's own digest is asynchronous, and a synchronous store must not become asynchronous for its keys.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  // A byte that ends the content, and eight for its length.
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Int32Array.from(START);
  const words = new Int32Array(ROUNDS.length);
  for (let offset = 0; offset < padded.length; offset += BLOCK) {
    for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(offset + index * 4);
    absorb(state, words);
  }
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Mixes a block, the first 16 words, into the state. */
function absorb(state: Int32Array, words: Int32Array): void {
  for (let index = 16; index < words.length; index += 1) words[index] = extension(words, index);
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let index = 0; index < words.length; index += 1) {
    const chosen = (e & f) ^ (~e & g);
    const sum1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const mixed = (h + sum1 + chosen + at(ROUNDS, index) + at(words, index)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const sum0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    h = g;
    g = f;
    f = e;
    e = (d + mixed) | 0;
    d = c;
    c = b;
    b = a;
    a = (mixed + sum0 + majority) | 0;
  }
  // The elements of an Int32Array wrap around by themselves.
  [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = at(state, index) + word));
}

type Eight = [number, number, number, number, number, number, number, number];

function extension(words: Int32Array, index: number): number {
  const [near, far] = [at(words, index - 2), at(words, index - 15)];
  const small0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
  const small1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
  return at(words, index - 16) + small0 + at(words, index - 7) + small1;
}

function at(words: Int32Array, index: number): number {
  return words[index] as number;
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
