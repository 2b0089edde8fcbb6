import { isRecord } from "@toolcontract/core/adapter";
import { readIfJson } from "./read-json.ts";
import type { ContentField } from "./report-tool.ts";

/** The arguments of a call of the report tool. */
export type CallFields = Readonly<Record<string, unknown>>;

/** What is around the answer. */
const WRAPPER: ReadonlySet<string> = new Set(["format", "encoding", "metadata"]);
const CONTENT: ReadonlySet<string> = new Set(["content", "content_json", "messages"]);

/** The arguments of the report tool in what should be the answer, or in a text; undefined if it is something else. */
export function callAsContent(value: unknown, field: ContentField): CallFields | undefined {
  const fields = readIfJson(value);
  const isCall =
    isRecord(fields) &&
    typeof fields["format"] === "string" &&
    field in fields &&
    Object.keys(fields).every((name) => WRAPPER.has(name) || CONTENT.has(name));
  return isCall ? fields : undefined;
}

/** The arguments that may be an answer. */
export function withoutWrapper(fields: CallFields): CallFields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !WRAPPER.has(name)));
}
