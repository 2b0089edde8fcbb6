import { expectEntries } from "@toolcontract/case-table/entries";
import type { AIAgentResult } from "@toolcontract/session";
import { expect } from "vitest";
import type { Ended } from "./agent-process.ts";

/** A message of the conversation in a result. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** The result that `--output json` printed: it has the fields of the contract and no others. */
export function resultOf({ stdout }: Ended): AIAgentResult<Message> {
  const result = JSON.parse(stdout) as AIAgentResult<Message>;
  const { success, finalReport, error } = result;
  const fields = [
    "accounting",
    "conversation",
    ...(error === undefined ? [] : ["error"]),
    ...(finalReport ? ["finalReport"] : []),
    "success",
  ];
  expect(Object.keys(result).toSorted()).toEqual(fields);
  expect([success, Array.isArray(result.conversation), Array.isArray(result.accounting)]).toEqual([
    expect.any(Boolean),
    true,
    true,
  ]);
  if (finalReport) {
    const { format, metadata } = finalReport;
    expect(Object.keys(finalReport).toSorted()).toEqual(
      [
        CONTENT[format] ?? "content",
        "format",
        ...(metadata ? ["metadata"] : []),
        "status",
        "ts",
      ].toSorted(),
    );
    expect(finalReport.status).toBe(success ? "success" : "failure");
  }
  if (success) expect(finalReport).toBeDefined();
  else expect(error ?? finalReport?.metadata).toBeDefined();
  return result;
}

const CONTENT: Readonly<Record<string, string>> = {
  json: "content_json",
  "slack-block-kit": "messages",
};

/** Expects the entries of a result, each as `name status`, and `: error` after a failed one. */
export function expectAccounting(
  { accounting }: Pick<AIAgentResult<unknown>, "accounting">,
  ...lines: readonly string[]
): void {
  expectEntries(expect, accounting, lines);
}

/** What the model read of tools, in order. */
export function toolTexts({ conversation }: AIAgentResult<Message>): readonly string[] {
  return conversation.flatMap(({ role, content }) =>
    role === "tool" && Array.isArray(content) ? content.map(textOf) : [],
  );
}

function textOf({ output }: { readonly output: Output }): string {
  if (typeof output.value === "string") return output.value;
  return output.value.map(({ text = "" }) => text).join("\n");
}

interface Output {
  readonly value: string | readonly { readonly text?: string }[];
}
