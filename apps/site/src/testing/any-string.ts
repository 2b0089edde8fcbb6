import fc from "fast-check";

/** Strings of any code points, among them halves of pairs, which fast-check's own units leave out. */
export const anyString: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x10ffff })))
  .map((points) => String.fromCodePoint(...points));

/** Short strings that JSON is made of. */
export const jsonPiece: fc.Arbitrary<string> = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  ":",
  ",",
  '"',
  "a",
  " ",
  "\n",
  "\\",
  "1",
  "-",
  "true",
);
