import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** What a seal is for: one for a request is never accepted as a grant. */
type Purpose = "request" | "grant";

/** Proves that a text comes from whoever knows the secret. */
export interface Seals {
  of(purpose: Purpose, text: string): string;
  isOf(purpose: Purpose, text: string, seal: unknown): boolean;
}

/** Creates seals with a secret. */
export function createSeals(secret: string | Uint8Array): Seals {
  const of = (purpose: Purpose, text: string): string =>
    createHmac("sha256", secret).update(`${purpose}\n${text}`).digest("base64url");
  return {
    of,
    isOf(purpose, text, seal) {
      if (typeof seal !== "string") return false;
      const [expected, given] = [of(purpose, text), seal].map((one) => Buffer.from(one));
      return (
        expected !== undefined &&
        given?.length === expected.length &&
        timingSafeEqual(expected, given)
      );
    },
  };
}

/** A digest of a text. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
