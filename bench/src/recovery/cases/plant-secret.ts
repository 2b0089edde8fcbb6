import type { Random } from "../random.ts";
import type { Site } from "./sites.ts";

/** A text with a secret in it, and the part of it that must not leave. */
export interface Planted {
  readonly text: string;
  readonly secret: string;
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";

/** Makes a text in which a secret stands, in the shapes in which models hand them on. */
export function plantSecret(random: Random): Planted {
  const body = (length: number): string =>
    Array.from({ length }, () => LETTERS.charAt(random.below(LETTERS.length))).join("");
  const upper = body(16).toUpperCase();
  const forms: readonly Planted[] = [
    known("sk-proj-", body(40)),
    known("ghp_", body(36)),
    known("AKIA", upper),
    known("xoxb-", `${random.below(1e9)}-${body(24)}`),
    known("Authorization: Bearer ", body(32)),
    known("curl -H 'X-Api-Key: sk_live_", body(24), "' https://api.example.com"),
    known("postgres://app:", body(18), "@db.example.com:5432/main"),
    known("glpat-", body(20)),
    known(`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI`, `${body(20)}.${body(40)}`),
    known("use the key AIzaSy", body(33), " for maps"),
  ];
  return random.pick(forms);
}

function known(before: string, secret: string, after = ""): Planted {
  return { text: before + secret + after, secret };
}

/** Whether a text can stand at a place as well as the one that is there. */
export function isFreeText({ schema, value, pointer }: Site): boolean {
  return (
    typeof value === "string" &&
    pointer !== "" &&
    ["enum", "const", "pattern", "format", "maxLength"].every((keyword) => !(keyword in schema))
  );
}
