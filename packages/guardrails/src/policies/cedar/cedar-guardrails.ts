import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { CedarValueJson, Context, Entities } from "@cedar-policy/cedar-wasm/nodejs";
import { ToolContractError } from "@toolcontract/core";
import {
  type OptionRule,
  type OptionTable,
  checkMembers,
  isFunction,
  isObject,
  oneOf,
} from "@toolcontract/core/adapter";

import {
  GUARDRAIL_ROWS,
  type Guardrail,
  type GuardrailContext,
  type Violation,
  isTerminalReason,
} from "../../shared/index.ts";
import { PolicyEvaluationError } from "../policy-evaluation-error.ts";
import { toCedar } from "./cedar-value.ts";
import { readPolicies } from "./policy-set.ts";
import type { PolicySet } from "./policy-set.ts";

/** Names an entity, such as `{ type: "User", id: "alice" }`. */
export interface CedarEntityId {
  /** The entity's type, with its namespace if it has one. */
  readonly type: string;
  readonly id: string;
}

/** An entity: its attributes, and the groups that it is in. */
export interface CedarEntity {
  /** Names the entity. */
  readonly uid: CedarEntityId;
  /** Its attributes, as plain data. */
  readonly attrs?: Readonly<Record<string, unknown>>;
  /** The entities that it belongs to. */
  readonly parents?: readonly CedarEntityId[];
}

/** A value, or how to find it for a call. */
type For<State, T> = T | ((context: GuardrailContext<State>) => T);

/**
 * What `cedarGuardrails` takes.
 *
 * @example
 * ```ts
 * const options: CedarOptions = { policies: "permit(principal, action, resource);", tools: ["pay"] };
 * ```
 * @see docs/guardrails-policies.md
 */
export interface CedarOptions<State = unknown> {
  /** Policies in Cedar's language. What no policy permits is refused, and `forbid` wins. */
  readonly policies: string;
  /** A schema in Cedar's language: policies are validated against it at once, calls before they are judged. */
  readonly schema?: string;
  /**
   * What policies know about principals and resources.
   *
   * @default nothing
   */
  readonly entities?: For<State, readonly CedarEntity[]>;
  /**
   * On whose behalf the tool is called.
   *
   * @default User::"agent"
   */
  readonly principal?: For<State, CedarEntityId>;
  /**
   * What is done.
   *
   * @default Action::"<tool>"
   */
  readonly action?: For<State, CedarEntityId>;
  /**
   * What it is done to.
   *
   * @default Tool::"<tool>"
   */
  readonly resource?: For<State, CedarEntityId>;
  /**
   * The `context` of policies.
   *
   * @default `{ args }`
   */
  readonly context?: (context: GuardrailContext<State>) => Readonly<Record<string, unknown>>;
  /**
   * The guardrail's name.
   *
   * @default "cedar"
   */
  readonly name?: string;
  /**
   * The tools that it applies to.
   *
   * @default all of them
   */
  readonly tools?: readonly string[];
  /**
   * `"validate"`: before the tool runs. `"commit"`: after it ran, on the staged state.
   *
   * @default "validate"
   */
  readonly stage?: "validate" | "commit";
}

const findsFor = (wants: string, { fits }: OptionRule = isObject): OptionRule => ({
  wants: `${wants}, or a function that finds it for a call`,
  fits: (value) => isFunction.fits(value) || fits(value),
});

const CEDAR_OPTIONS: OptionTable<keyof CedarOptions> = {
  policies: {
    wants: "policies in Cedar's language, such as the content of a .cedar file",
    fits: (value) => typeof value === "string",
    isRequired: true,
  },
  schema: { wants: "a schema in Cedar's language", fits: (value) => typeof value === "string" },
  entities: findsFor("an array of entities", { wants: "", fits: Array.isArray }),
  principal: findsFor('an entity such as { type: "User", id: "alice" }'),
  action: findsFor('an entity such as { type: "Action", id: "pay" }'),
  resource: findsFor('an entity such as { type: "Tool", id: "pay" }'),
  context: isFunction,
  name: { ...GUARDRAIL_ROWS.name, isRequired: false },
  tools: GUARDRAIL_ROWS.tools,
  stage: oneOf("validate", "commit"),
};

/**
 * Guardrails from policies in Cedar's language.
 *
 * A call that a policy forbids can be corrected only if that policy says how: `@correction("…")` is the hint,
 * `@message("…")` says what is wrong, `@fieldPath("/…")` where. Anything else that is not permitted closes the tool, with
 * the policy's `@reason` if that is one of the three reasons for it. A policy that cannot be evaluated refuses the call.
 *
 * @throws ToolContractError if policies, schema or entities are not valid; it says where, in Cedar's words.
 * @example
 * ```ts
 * const guardrails = cedarGuardrails({ policies: 'permit(principal, action, resource);' });
 * ```
 * @see docs/guardrails-policies.md
 */
export function cedarGuardrails<State = unknown>(
  options: CedarOptions<State>,
): readonly Guardrail<State>[] {
  const { name = "cedar", policies, schema, stage, tools } = options;
  checkMembers("cedarGuardrails", options, CEDAR_OPTIONS);
  const set = readPolicies(policies, schema);
  if (Array.isArray(options.entities)) checkEntities(writeEntities(options.entities));
  return [
    {
      name,
      ...(tools !== undefined && { tools }),
      ...(stage !== undefined && { stage }),
      check: (context) => decidePolicies(set, options, context) ?? null,
    },
  ];
}

function decidePolicies<State>(
  set: PolicySet,
  options: CedarOptions<State>,
  context: GuardrailContext<State>,
): readonly Violation[] | undefined {
  const { tool } = context;
  const written = toCedar(options.context?.(context) ?? { args: context.args });
  if ("unfit" in written) return [unfitViolation(written.unfit)];
  const answer = cedar.statefulIsAuthorized({
    principal: { ...valueFor(options.principal ?? { type: "User", id: "agent" }, context) },
    action: { ...valueFor(options.action ?? { type: "Action", id: tool }, context) },
    resource: { ...valueFor(options.resource ?? { type: "Tool", id: tool }, context) },
    context: written.value as Context,
    entities: writeEntities(valueFor(options.entities ?? [], context)),
    preparsedPolicySetId: set.id,
    ...(set.schemaId !== undefined && {
      preparsedSchemaName: set.schemaId,
      validateRequest: true,
    }),
  });
  if (answer.type === "failure") throw new PolicyEvaluationError(answer.errors[0]?.message);
  const { decision, diagnostics } = answer.response;
  // Cedar skips a policy that fails, also one that would have forbidden the call.
  const [failed] = diagnostics.errors;
  if (failed !== undefined) {
    throw new PolicyEvaluationError(`${failed.policyId}: ${failed.error.message}`);
  }
  return decision === "allow" ? undefined : violationsOf(set, diagnostics.reason);
}

/** What the policies that decided say: the model can correct the call only if each of them says how. */
function violationsOf(set: PolicySet, policyIds: readonly string[]): readonly Violation[] {
  const deciding = policyIds.toSorted().map((id) => set.annotations.get(id) ?? {});
  const final = deciding.filter(({ correction }) => correction === undefined);
  if (deciding.length === 0) return [terminal({ message: "no policy allows this call" })];
  return final.length === 0 ? deciding.map(recoverable) : final.map(terminal);
}

const FORBIDDEN = "a policy forbids this call";

type Annotations = Readonly<Record<string, string>>;

function recoverable({ correction = "", fieldPath, message, reason }: Annotations): Violation {
  return {
    message: message ?? reason ?? FORBIDDEN,
    hint: correction,
    ...(fieldPath !== undefined && { fieldPath }),
  };
}

function terminal({ message, reason }: Annotations): Violation {
  const known = isTerminalReason(reason) ? reason : undefined;
  const words = message ?? (known === undefined ? reason : undefined);
  return {
    message: words ?? FORBIDDEN,
    class: "terminal_guardrail",
    reason: known ?? "unsupported_capability",
  };
}

/** Policies cannot compare it, so nothing is known about the call. */
function unfitViolation(path: string): Violation {
  const fieldPath = path.replace(/^\/args(?=\/|$)/, "");
  return {
    message: "policies cannot check this value",
    hint: "send whole numbers, or at most 4 decimal places, and no names that begin with '__'",
    ...(fieldPath !== path && fieldPath !== "" && { fieldPath }),
  };
}

function valueFor<State, T>(value: For<State, T>, context: GuardrailContext<State>): T {
  return typeof value === "function"
    ? (value as (given: GuardrailContext<State>) => T)(context)
    : value;
}

function writeEntities(entities: readonly CedarEntity[]): Entities {
  return entities.map(({ attrs = {}, parents = [], uid }) => {
    const written = toCedar(attrs);
    if ("unfit" in written) {
      throw new PolicyEvaluationError(
        `the attribute ${written.unfit} of ${uid.type}::"${uid.id}" has no value in Cedar`,
      );
    }
    return {
      uid: { ...uid },
      attrs: written.value as Record<string, CedarValueJson>,
      parents: parents.map((parent) => ({ ...parent })),
    };
  });
}

function checkEntities(entities: Entities): void {
  const checked = cedar.checkParseEntities({ entities });
  if (checked.type === "success") return;
  throw new ToolContractError(
    `cedarGuardrails: entities: ${checked.errors[0]?.message ?? "not valid"}.`,
  );
}
