/**
 * Whether a run takes everything, as `pnpm test:whole` does. `pnpm test` takes a part of what costs the most and has never
 * found a fault alone.
 */
export const isWhole: boolean = process.env["TEST_WHOLE"] === "1";
