import type { SchemaObject } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { type FinalReport, jsonText, type ReportFormat, toolFailed } from "../shared/index.ts";
import { type CallFields, callAsContent, withoutWrapper } from "./call-as-content.ts";
import { decodeBase64 } from "./decode-base64.ts";
import { readIfJson, unwrapJson } from "./read-json.ts";
import type { ReportOptions } from "./report-options.ts";
import { type ContentField, answerSchema, contentFieldOf } from "./report-tool.ts";
import { defaultValidator } from "./report-validator.ts";
import { readMessages } from "./slack-messages.ts";

/** The content field of a report and the arguments around it, or what the model reads if there is none. */
export type ReadReport =
  | {
      readonly ok: true;
      readonly content: Pick<FinalReport, ContentField>;
      readonly fields: CallFields;
    }
  | { readonly ok: false; readonly message: string };

/** A JSON answer without a schema of its own. */
const ANY_JSON: SchemaObject = { type: ["object", "array"] };
/** Names that models use for an encoding that changes nothing. */
const RAW: ReadonlySet<unknown> = new Set([undefined, null, "", "raw", "utf-8", "utf8"]);

/** Finds the answer in the arguments of a call, normalises it for the format and validates it. */
export function readAnswer(args: unknown, options: ReportOptions): ReadReport {
  const { format, outputSchema = ANY_JSON, validate = defaultValidator() } = options;
  const field = contentFieldOf(format);
  const schema = answerSchema(format, outputSchema);
  const fail = (value: unknown): ReadReport => {
    const message =
      validate(value, schema) ?? toolFailed(`'${field}' is missing or has a wrong type`);
    return { ok: false, message };
  };

  const call = readIfJson(args);
  if (!isRecord(call)) return fail(args);
  const fields = innermostFields(call, options, schema);
  const sent = findContent(fields, format);
  if (sent === undefined) return fail(withoutWrapper(fields));
  const decoded = decode(sent, fields["encoding"]);
  if (!decoded.ok) return { ok: false, message: toolFailed(`'${field}' ${decoded.fault}`) };

  const answer = { [field]: normalise(decoded.value, format, schema) };
  if (!isReportContent(answer)) return fail(answer);
  const message = validate(answer, schema);
  return message === undefined ? { ok: true, content: answer, fields } : { ok: false, message };
}

/** The arguments themselves, or the call of the tool that they hold as their answer. */
function innermostFields(
  call: CallFields,
  { format, outputSchema }: ReportOptions,
  schema: SchemaObject,
): CallFields {
  const field = contentFieldOf(format);
  const sent = format === "sub-agent" ? undefined : call[field];
  const inner = callAsContent(sent, field);
  if (inner === undefined) return call;
  // A schema may have fields of these names.
  const isAnswer =
    outputSchema !== undefined && unwrapJson({ [field]: readIfJson(sent) }, schema) !== undefined;
  return isAnswer ? call : inner;
}

/** The answer, also in a field of another format if it can only be the answer there. */
function findContent(fields: CallFields, format: ReportFormat): unknown {
  const { content, content_json, messages } = fields;
  const own = fields[contentFieldOf(format)] ?? undefined;
  if (own !== undefined) return own;
  switch (format) {
    case "markdown":
    case "text":
      return typeof content_json === "string" ? content_json : undefined;
    case "json":
      return typeof readIfJson(content) === "object" ? (content ?? undefined) : undefined;
    case "slack-block-kit":
      return [content, content_json, withoutWrapper(fields)].find(
        (value) => readMessages(value) !== undefined,
      );
    case "sub-agent":
      return content_json ?? messages ?? undefined;
  }
}

type Decoded =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

function decode(sent: unknown, encoding: unknown): Decoded {
  const name = typeof encoding === "string" ? encoding.trim().toLowerCase() : encoding;
  if (RAW.has(name)) return { ok: true, value: sent };
  if (name !== "base64")
    return { ok: false, fault: 'has an unknown encoding: use "raw" or "base64"' };
  // What is not a string was not encoded.
  if (typeof sent !== "string") return { ok: true, value: sent };
  const value = decodeBase64(sent);
  return value === undefined
    ? { ok: false, fault: "is not base64 of UTF-8 text: send it raw" }
    : { ok: true, value };
}

function normalise(value: unknown, format: ReportFormat, schema: SchemaObject): unknown {
  switch (format) {
    case "markdown":
    case "text":
      return typeof value === "string" && value.trim() === "" ? "" : value;
    case "json":
      return normaliseJson(value, schema);
    case "slack-block-kit":
      return readMessages(value) ?? value;
    case "sub-agent":
      return jsonText(value);
  }
}

/** The value as it is, if the schema accepts it; else what it holds as a string of JSON. */
function normaliseJson(value: unknown, schema: SchemaObject): unknown {
  const parsed = { content_json: readIfJson(value) };
  return (unwrapJson({ content_json: value }, schema) ?? unwrapJson(parsed, schema) ?? parsed)
    .content_json;
}

function isReportContent(answer: CallFields): answer is Pick<FinalReport, ContentField> {
  const [value] = Object.values(answer);
  if (value === undefined) return false;
  const { content = "", messages = [] } = answer;
  return typeof content === "string" && Array.isArray(messages);
}
