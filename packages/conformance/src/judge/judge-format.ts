import { parseRejection } from "@toolcontract/core";
import type { SeenAnswer } from "./find-answer.ts";
import { isRefused } from "./judge-answers.ts";
import { withUnseen } from "./judge-runs.ts";
import type { SeenCallResult } from "./seen-calls.ts";
import { shownValue } from "./text.ts";
import type { ClauseVerdict } from "./verdict.ts";

type ParsedMessage = NonNullable<ReturnType<typeof parseRejection>>;

/** The message of an answer; some frameworks put it into JSON. */
function messageIn(answer: SeenAnswer | undefined): ParsedMessage | undefined {
  if (answer === undefined) return undefined;
  return stringsInJson(answer.text)
    .map((one) => parseRejection(one))
    .find((message) => message !== undefined);
}

function stringsInJson(text: string): readonly string[] {
  // Some frameworks put a mark of their own before the answer, such as `[ERROR] `.
  const strings = [text, text.replace(/^\[?\w+\]?:? /, "")];
  try {
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === "string") strings.push(value);
      return value;
    });
  } catch {
    // It is not JSON.
  }
  return strings;
}

/** Whether any answer is in Toolcontract's format. */
export function speaksFormat(calls: readonly SeenCallResult[]): boolean {
  return calls.some(({ answer }) => messageIn(answer) !== undefined);
}

/** Whether the answers to refused calls are messages of Toolcontract's format, with the right codes. */
export function judgeFormat(calls: readonly SeenCallResult[]): readonly ClauseVerdict[] {
  const refused = calls.filter(isRefused);
  if (refused.length === 0) return [];
  const verdicts: ClauseVerdict[] = [withUnseen("format", refused, refused.flatMap(formatFaults))];
  const coded = refused.filter(({ call }) => call.codes !== undefined);
  if (coded.length > 0) verdicts.push(withUnseen("codes", coded, coded.flatMap(codeFaults)));
  return verdicts;
}

function formatFaults({ call, answer }: SeenCallResult): readonly string[] {
  if (answer === undefined || messageIn(answer) !== undefined) return [];
  return [`the answer to ${call.tool} is not in the format: ${shownValue(answer.text)}`];
}

function codeFaults({ call, answer }: SeenCallResult): readonly string[] {
  const message = messageIn(answer);
  if (message === undefined) return [];
  const found = message.errors.map(
    ({ errorCode, fieldPath }) => `${errorCode} ${fieldPath === "" ? "(arguments)" : fieldPath}`,
  );
  const missing = (call.codes ?? []).filter((code) => !found.includes(code));
  return missing.length === 0 ? [] : [`${missing.join(", ")} missing, ${found.join(", ")} found`];
}
