import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { DetailedError } from "@cedar-policy/cedar-wasm/nodejs";

import { type PolicyProblem, PolicySyntaxError, whereIn } from "../policy-syntax-error.ts";
import { positionOf } from "../position.ts";

/** Policies that Cedar has read, and what their annotations say. */
export interface PolicySet {
  /** Under which Cedar keeps the policies. */
  readonly id: string;
  /** Under which Cedar keeps the schema, if there is one. */
  readonly schemaId?: string;
  /** The annotations of each policy, by its id. */
  readonly annotations: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/**
 * Has Cedar read policies and their schema, once.
 *
 * @throws ToolContractError with the place and Cedar's own words.
 */
export function readPolicies(policies: string, schema: string | undefined): PolicySet {
  const parts = cedar.policySetTextToParts(policies);
  if (parts.type === "failure") throw syntaxFault("policies", policies, parts.errors);
  if (parts.policy_templates.length > 0) {
    throw misuse("the policies contain a template. Write its principal and resource out.");
  }
  if (parts.policies.length === 0) {
    throw misuse(
      "there is no policy, so every call would be refused. Pass policies in Cedar's language, such as 'permit(principal, action, resource);'.",
    );
  }
  if (schema !== undefined) checkSchema(schema, policies);
  const set = withIds(parts.policies);
  const id = crypto.randomUUID();
  const kept = cedar.preparsePolicySet(id, { staticPolicies: Object.fromEntries(set.texts) });
  if (kept.type === "failure") throw syntaxFault("policies", policies, kept.errors);
  if (schema === undefined) return { id, annotations: set.annotations };
  const keptSchema = cedar.preparseSchema(id, schema);
  if (keptSchema.type === "failure") throw syntaxFault("schema", schema, keptSchema.errors);
  return { id, schemaId: id, annotations: set.annotations };
}

/** Names each policy by its `@id`, or else by its place in a list of Cedar's own. */
function withIds(texts: readonly string[]): {
  readonly texts: ReadonlyMap<string, string>;
  readonly annotations: PolicySet["annotations"];
} {
  const byId = new Map<string, string>();
  const annotations = new Map<string, Readonly<Record<string, string>>>();
  for (const [index, text] of texts.entries()) {
    const read = cedar.policyToJson(text);
    if (read.type === "failure") throw syntaxFault("policies", text, read.errors);
    const own = read.json.annotations ?? {};
    const id = own["id"] ?? `policy${index}`;
    if (byId.has(id)) {
      throw misuse(`two policies have the id '${id}'. Give each @id once.`);
    }
    byId.set(id, text);
    annotations.set(id, own);
  }
  return { texts: byId, annotations };
}

function checkSchema(schema: string, policies: string): void {
  const parsed = cedar.checkParseSchema(schema);
  if (parsed.type === "failure") throw syntaxFault("schema", schema, parsed.errors);
  const checked = cedar.validate({ schema, policies: { staticPolicies: policies } });
  const errors =
    checked.type === "failure"
      ? checked.errors
      : checked.validationErrors.map(({ error }) => error);
  if (errors.length > 0) throw syntaxFault("policies", policies, errors);
}

/** A fault of the whole text, in our own words. */
function misuse(message: string): PolicySyntaxError {
  const problem = message.replace(/\.$/, "");
  return new PolicySyntaxError(`cedarGuardrails: ${message}`, { part: "policies", problem });
}

function syntaxFault(
  part: PolicyProblem["part"],
  text: string,
  errors: readonly DetailedError[],
): PolicySyntaxError {
  const [error] = errors;
  const start = error?.sourceLocations?.[0]?.start;
  const said = error?.message.replace(/^failed to parse (?:policies|schema) from string: /, "");
  const help = typeof error?.help === "string" ? ` (${error.help})` : "";
  const problem = `${said ?? "not valid"}${help}`;
  const found: PolicyProblem = {
    part,
    problem,
    ...(start !== undefined && { at: positionOf(text, indexOfByte(text, start)) }),
  };
  const place = [part, whereIn(found)].filter((each) => each !== "").join(", ");
  const more = errors.length > 1 ? ` There are ${errors.length - 1} more.` : "";
  return new PolicySyntaxError(`cedarGuardrails: ${place}: ${problem}.${more}`, found);
}

/** Cedar counts in bytes of UTF-8. */
function indexOfByte(text: string, byte: number): number {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, byte)).length;
}
