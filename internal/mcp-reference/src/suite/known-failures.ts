import type { Row } from "./matrix.ts";

interface KnownFailure {
  readonly subject: RegExp;
  readonly revision?: Row["revision"];
  readonly checks: RegExp;
  readonly reason: string;
  /** Some runs pass, both directly and through a route. */
  readonly fluctuates?: true;
}

/** What also fails directly, and why; nothing else may fail. */
const KNOWN: readonly KnownFailure[] = [
  {
    subject: /^server v2/,
    revision: "2026-07-28",
    checks: /^tasks-/,
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
    checks: /^dns-rebinding-protection/,
    reason: "The bridge does not look at Host and Origin.",
  },
  {
    subject: /bridged$/,
    revision: "2025-11-25",
    checks: /^server-sse-polling/,
    reason: "The bridge keeps no events, so no stream of it can be taken up again.",
  },
  {
    subject: /bridged$/,
    revision: "2026-07-28",
    checks: /^server-stateless .*(on-stream|no-log|subscription|notification-filter)/,
    reason:
      "These wait for a second or two at most, and the bridge starts a process for every request: with the relay, two.",
    fluctuates: true,
  },
];

/** Why a check fails directly; undefined if it should not. */
export function reasonFor(row: Row, check: string): string | undefined {
  return knownFailure(row, check)?.reason;
}

/** Whether a check depends on how long processes take to start, so that its outcome varies. */
export function fluctuates(row: Row, check: string): boolean {
  return knownFailure(row, check)?.fluctuates === true;
}

function knownFailure({ subject, revision }: Row, check: string): KnownFailure | undefined {
  return KNOWN.find(
    (known) =>
      known.subject.test(subject) &&
      (known.revision ?? revision) === revision &&
      known.checks.test(check),
  );
}
