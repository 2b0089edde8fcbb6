import type { SchemaObject, ValidationError } from "@toolcontract/core";
import { type ExplainOptions, explain, formatFindings } from "@toolcontract/explain";
import { type Message, readResponse } from "../wire/index.ts";
import type { ToolCallRequest } from "./call.ts";
import type { Link } from "./link.ts";
import type { GateServices } from "./options.ts";

const MAX_LOGGED = 10;

/** Judges the results of one call; gives the message that the client gets instead, if any. */
export type ResultCheck = (message: Message) => Message | undefined;

/** Creates the check of a call's result; undefined if its tool declares nothing, or nobody wants to know. */
export function resultCheckOf(
  { call, link }: { readonly call: ToolCallRequest; readonly link: Link },
  { lists, settings, contract, invalidResults }: GateServices,
): ResultCheck | undefined {
  if (settings.results === "off" || call.isTask) return undefined;
  const tool = lists.of(link).find(call.name);
  const schema = tool && lists.outputSchemaOf(tool);
  if (tool === undefined || schema === undefined) return undefined;
  return (message) => {
    const result = resultIn(message);
    if (result === undefined) return undefined;
    const { overBudget } = contract.settings;
    const findings = resultErrors(schema, result["structuredContent"], {
      name: tool.name,
      overBudget,
    });
    if (findings.length === 0) return undefined;
    const replaces = settings.results === "enforce" && settings.mode === "enforce";
    invalidResults[replaces ? "replaced" : "reported"] += 1;
    contract.settings.log(
      {
        level: "warn",
        package: "mcp",
        tool_name: tool.name,
        error_count: findings.length,
        errors: findings
          .slice(0, MAX_LOGGED)
          .map(({ fieldPath: path, errorCode: code }) => ({ path, code })),
      },
      "Tool result does not fit its output schema",
    );
    if (!replaces) return undefined;
    const { structuredContent: _, content, ...rest } = result;
    const text = `The tool '${tool.name}' ran, but its result ${resultFaults(findings)}`;
    // What the tool did may be said nowhere else, such as the number of an order.
    const own: readonly unknown[] = isTooMuch(findings) || !Array.isArray(content) ? [] : content;
    const shown = [{ type: "text", text }, ...own];
    return { ...message, result: { ...rest, isError: true, content: shown } };
  };
}

/** Whether nobody knows if a result fits. */
function isTooMuch(findings: readonly ValidationError[]): boolean {
  return findings.some(({ errorCode }) => errorCode === "VAL-016");
}

/** What is wrong with a result, as the end of a sentence. */
function resultFaults(findings: readonly ValidationError[]): string {
  if (isTooMuch(findings))
    return "is too much to check against the output schema that its server declares, so it is not shown. Ask for less of it.";
  // Hints say what to send, and nobody here sends it.
  const faults = findings.map((finding) => {
    const { hint: _, fieldPath, ...fault } = finding;
    return { ...fault, fieldPath: fieldPath === "" ? RESULT : fieldPath };
  });
  return `does not fit the output schema that its server declares. That is the server's fault, and other arguments do not repair it:\n${formatFindings(faults, { style: "compact" })}`;
}

/** The result of a call that says that it succeeded and is complete. */
function resultIn(message: Message): Message | undefined {
  const response = readResponse(message);
  if (response?.kind !== "result") return undefined;
  const { isError, resultType = "complete" } = response.result;
  return isError === true || resultType !== "complete" ? undefined : response.result;
}

/** What is wrong with a result; a tool that declares a schema must return structured content. */
function resultErrors(
  schema: SchemaObject,
  value: unknown,
  options: Pick<ExplainOptions, "name" | "overBudget">,
): readonly ValidationError[] {
  if (value === undefined) return [MISSING];
  const findings = explain(schema, value, { ...options, onDegraded: () => undefined });
  return findings.filter(({ severity }) => severity === "error");
}

/** Where a result as a whole is. */
const RESULT = "/structuredContent";

const MISSING: ValidationError = {
  errorCode: "VAL-001",
  fieldPath: RESULT,
  message: "Required field 'structuredContent' is missing",
  severity: "error",
};
