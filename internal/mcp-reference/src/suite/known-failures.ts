import type { Row } from "./matrix.ts";

interface KnownFailure {
  readonly subject: RegExp;
  readonly revision?: Row["revision"];
  readonly checks: RegExp;
  readonly reason: string;
}

/** What fails directly too, and why; nothing else may. */
const KNOWN: readonly KnownFailure[] = [
  {
    subject: /^server v2/,
    revision: "2026-07-28",
    checks: /^server-tasks-/,
    reason: "Neither SDK line serves the extension for tasks, and no revision requires it.",
  },
  {
    subject: /^server v1/,
    revision: "2026-07-28",
    checks: /./,
    reason: "Version 1 of the SDK does not speak this revision.",
  },
  {
    subject: /^server-everything/,
    checks: /./,
    reason:
      "It has none of the tools, prompts and resources that the suite asks for, and speaks up to 2025-11-25.",
  },
  {
    subject: /bridged$/,
    checks: /^server-dns-rebinding-protection/,
    reason: "The bridge does not look at Host and Origin.",
  },
  {
    subject: /^server v2 on stdio, bridged$/,
    revision: "2026-07-28",
    checks: /^server-(server-stateless|http-|caching|input-required)/,
    reason:
      "The bridge has no status codes and no header checks of the newer revision, and a process for each request.",
  },
];

/** Why a check fails directly; undefined where it should not. */
export function reasonFor({ subject, revision }: Row, check: string): string | undefined {
  return KNOWN.find(
    (known) =>
      known.subject.test(subject) &&
      (known.revision ?? revision) === revision &&
      known.checks.test(check),
  )?.reason;
}
