import type { SchemaObject } from "@toolcontract/core";
import { REPORT_TOOL, type ReportFormat } from "../shared/index.ts";
import { nestSchema } from "./nest-schema.ts";

/** The field that carries the answer. */
export type ContentField = "content" | "content_json" | "messages";

/** The tool that ends a run, as a model is shown it. */
export interface ReportTool {
  readonly name: typeof REPORT_TOOL;
  /** What the model reads about it. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly inputSchema: SchemaObject;
}

const DESCRIPTIONS: Readonly<Record<ReportFormat, string>> = {
  markdown: "The whole answer, in Markdown.",
  text: "The whole answer, as plain text.",
  json: "The whole answer, as a JSON object.",
  "slack-block-kit": 'The whole answer, as Slack messages: [{"blocks": [...]}, ...].',
  "sub-agent": "The whole answer, in the form that was asked for.",
};

/**
 * Whether a call of this name means the report tool, if no tool of that name is offered. The contract's own notice says
 * `final_report`, and models drop or change what stands before it.
 */
export function isReportName(name: string): boolean {
  return /^(?:agent)?finalreport$/.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""));
}

/** Which field carries the answer in a format. */
export function contentFieldOf(format: ReportFormat): ContentField {
  if (format === "json") return "content_json";
  return format === "slack-block-kit" ? "messages" : "content";
}

/**
 * The tool with which a model gives its final report in the session's format.
 *
 * @example
 * ```ts
 * const tools = [...own, reportTool("markdown")];
 * ```
 * @see packages/session/README.md
 */
export function reportTool(format: ReportFormat, outputSchema?: SchemaObject): ReportTool {
  const field = contentFieldOf(format);
  const { properties, ...rest } = answerSchema(format, outputSchema);
  const encoding = {
    type: "string",
    enum: ["raw", "base64"],
    description: "How content is written; raw by default.",
  };
  return {
    name: REPORT_TOOL,
    description: "Gives the final answer and ends the run. Call it once, when the task is done.",
    inputSchema: {
      ...rest,
      properties: {
        format: { type: "string", const: format },
        ...properties,
        ...(field === "content" && { encoding }),
        metadata: {
          type: "object",
          description: "Anything about the answer that is not part of it.",
        },
      },
      required: ["format", field],
    },
  };
}

/** What an answer must look like: an object with the format's content field alone. */
export function answerSchema(
  format: ReportFormat,
  outputSchema?: SchemaObject,
): SchemaObject & { readonly properties: Readonly<Record<string, unknown>> } {
  const field = contentFieldOf(format);
  const { schema, root } = nestSchema(contentSchema(format, outputSchema), field);
  // A schema that says what it is for knows it better.
  const described = { description: DESCRIPTIONS[format], ...schema };
  return {
    ...root,
    type: "object",
    properties: { [field]: described },
    required: [field],
    additionalProperties: false,
  };
}

function contentSchema(format: ReportFormat, outputSchema?: SchemaObject): SchemaObject {
  if (format === "json") return outputSchema ?? { type: "object" };
  if (format === "slack-block-kit") {
    return { type: "array", minItems: 1, items: { type: "object" } };
  }
  return format === "sub-agent" ? { type: "string" } : { type: "string", minLength: 1 };
}
