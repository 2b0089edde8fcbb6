import type { Finding } from "../../shared/index.ts";
import { wordsOf } from "./near-name.ts";

/**
 * Fields that models and their frameworks add to a call to say why or under which number they make it. No tool acts on
 * them. The list is closed: of 135 unknown names in 1,000 real calls, most would have changed what the call does.
 */
const NOTES: ReadonlySet<string> = new Set(
  (
    "reason reasons reasoning rationale explanation justification thought thoughts thinking chainofthought " +
    "requestid callid toolcallid traceid correlationid toolname functionname requiresapproval securityrisk"
  ).split(" "),
);

/** What stands in a call beside its arguments. */
const ENVELOPE: ReadonlySet<string> = new Set(["name", "tool", "function", "method", "type", "id"]);

/** Whether a field belongs to the call that was sent around its arguments (`{"name": …, "arguments": {…}}`). */
export function isOfEnvelope(name: string, value: unknown): boolean {
  return typeof value === "string" && ENVELOPE.has(name.toLowerCase());
}

/** Hints to leave out a field that a call means the same without: an empty one, or a note of the model's. */
export function hintForNeedless(name: string, value: unknown): Pick<Finding, "hint"> {
  const isEmpty = value === null || (typeof value === "string" && value.trim() === "");
  // `requires_approval: true` holds the call back.
  const isNote = value !== true && NOTES.has(wordsOf(name).join(""));
  return isEmpty || isNote ? { hint: { kind: "leave-out" } } : {};
}
