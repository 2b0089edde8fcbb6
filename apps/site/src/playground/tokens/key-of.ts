/** A short key for a string: its length and a hash of 53 bits (cyrb53), which two strings do not share by accident. */
export function keyOf(text: string): string {
  let one = 0xdeadbeef;
  let other = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
  }
  const low = mix(one, other) >>> 0;
  const high = mix(other, one) & 0x1fffff;
  return `${text.length}-${(high * 0x1_0000_0000 + low).toString(36)}`;
}

function mix(one: number, other: number): number {
  const mixed = Math.imul(one ^ (one >>> 15), 0x735a2d97);
  return mixed ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
}
