import { REDACTED } from "./mask-text.ts";
import type { SecretPlace } from "./mask-value.ts";
import { isHiddenChild } from "./sensitive-name.ts";

const MAX_VISITS = 10_000;
const MAX_TEXTS = 100;
const MIN_LENGTH = 4;
const MAX_TEXT = 65_536;
const SHOWN = 4_096;

/** For a longer secret, only the beginning is searched for, and nothing after a match is shown. */
const LONG = 500;

interface SecretVisit {
  readonly value: unknown;
  readonly place: SecretPlace | undefined;
  readonly hidden: boolean;
}

/** Collects the secrets in a value, by name and by schema, that no message may repeat; bounded in number. */
export function sentSecrets(
  value: unknown,
  place: SecretPlace | undefined,
  hidden: boolean = false,
  isSecretName: typeof isHiddenChild = isHiddenChild,
): readonly string[] {
  const texts = new Set<string>();
  const seen = new Set<unknown>();
  const pending: SecretVisit[] = [{ value, place, hidden: hidden || place?.hidden === true }];
  // Breadth first, so that a huge array deep inside does not use up the visits of what is above it.
  for (let at = 0; at < pending.length && at < MAX_VISITS && texts.size < MAX_TEXTS; at += 1) {
    const visit = pending[at];
    if (!visit) break;
    if (typeof visit.value === "object" && visit.value !== null) {
      if (seen.has(visit.value)) continue;
      seen.add(visit.value);
      pending.push(...visitsBelow(visit, visit.value, MAX_VISITS - pending.length, isSecretName));
    } else if (visit.hidden) {
      for (const text of spellings(visit.value)) texts.add(text);
    }
  }
  return [...texts].toSorted((one, other) => other.length - one.length);
}

/** Collects what the schema alone marks as secrets: no message shows it, wherever else it stands. */
export function markedSecrets(value: unknown, place: SecretPlace | undefined): readonly string[] {
  return place === undefined ? [] : sentSecrets(value, place, false, () => false);
}

function visitsBelow(
  parent: SecretVisit,
  value: object,
  room: number,
  isSecretName: typeof isHiddenChild,
): readonly SecretVisit[] {
  const entries: SecretVisit[] = [];
  try {
    for (const key in value) {
      if (entries.length >= room) break;
      if (!Object.hasOwn(value, key)) continue;
      const child: unknown = Reflect.get(value, key);
      const place = parent.hidden ? undefined : parent.place?.inside(key);
      const hidden = parent.hidden || place?.hidden === true || isSecretName(value, key, child);
      entries.push({ value: child, place, hidden });
    }
  } catch {
    // A getter or proxy that throws: what cannot be read cannot be repeated either.
  }
  return entries;
}

/** The ways in which a message may repeat a secret. */
function spellings(value: unknown): readonly string[] {
  if (typeof value !== "string" && typeof value !== "number") return [];
  const text = String(value).slice(0, 2 * LONG);
  const all = [text, text.trim(), JSON.stringify(text).slice(1, -1)];
  return all.filter((spelling) => spelling.length >= MIN_LENGTH);
}

/** Replaces every secret that a string repeats. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const head = text.slice(0, MAX_TEXT);
  const clean = secrets.reduce(replace, head);
  // The end of the searched part may hold the beginning of a secret, so it must not get near what is shown.
  return head.length < text.length && clean !== head && clean.length < SHOWN ? REDACTED : clean;
}

function replace(text: string, secret: string): string {
  if (secret.length > LONG) {
    const at = text.indexOf(secret.slice(0, LONG));
    return at < 0 ? text : text.slice(0, at) + REDACTED;
  }
  if (!/^[\d.]+$/.test(secret)) return text.replaceAll(secret, REDACTED);
  const digits = secret.replaceAll(".", "\\.");
  return text.replaceAll(new RegExp(`(?<!\\d)${digits}(?!\\d)`, "g"), REDACTED);
}
