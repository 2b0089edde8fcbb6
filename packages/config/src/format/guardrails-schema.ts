import type { SchemaObject } from "@toolcontract/core";

/** The keys above the guardrails. */
export const GUARDRAILS_TREE: readonly [string, string] = ["tools", "guardrails"];

/** The options of guardrails that can only be set in code. */
export const GUARDRAILS_IN_CODE: readonly string[] = [
  "guardrails",
  "store",
  "compensate",
  "stateChanges",
  "classify",
  "clock",
  "timeLimits",
];

const nonBlankText: SchemaObject = { type: "string", pattern: String.raw`\S` };
const nameList: SchemaObject = { type: "array", items: { type: "string", minLength: 1 } };
const retries: SchemaObject = { type: "integer", minimum: 0 };

const about = (description: string, schema: SchemaObject): SchemaObject => {
  return { description, ...schema };
};

const policyMembers: Readonly<Record<string, SchemaObject>> = {
  tools: about("The tools that it applies to; all of them by default.", nameList),
  stage: about("Before the tool runs (validate), or after it ran, on the staged state (commit).", {
    type: "string",
    enum: ["validate", "commit"],
    default: "validate",
  }),
};

const rule: SchemaObject = {
  description: "A condition in CEL, as `allow` or as `deny`.",
  type: "object",
  properties: {
    name: about("The violation's type.", nonBlankText),
    allow: about("True for the calls that may run.", nonBlankText),
    deny: about("True for the calls that may not.", nonBlankText),
    message: about("What is wrong with a call that is not allowed, for the model.", nonBlankText),
    hint: about("What to do instead.", nonBlankText),
    field_path: about("Where in the arguments: a JSON Pointer, such as /qty.", {
      type: "string",
      pattern: "^/",
    }),
    reason: about("Closes the tool for this reason; without one, the model can correct the call.", {
      type: "string",
      enum: ["missing_credentials", "dependency_unavailable", "unsupported_capability"],
    }),
    ...policyMembers,
  },
  required: ["name", "message"],
  oneOf: [{ required: ["allow"] }, { required: ["deny"] }],
  additionalProperties: false,
};

const cedar: SchemaObject = {
  description: "A file with policies in Cedar.",
  type: "object",
  properties: {
    name: about("The violation's type.", { ...nonBlankText, default: "cedar" }),
    policies: about("The file with the policies, relative to this one.", nonBlankText),
    schema: about("The file with their schema, relative to this one.", nonBlankText),
    ...policyMembers,
  },
  required: ["policies"],
  additionalProperties: false,
};

/** The JSON Schema of `tools.guardrails`; its strings are not expanded, so no placeholders. */
export const GUARDRAILS_SCHEMA: SchemaObject = {
  description: "Guardrails around tool calls, for @toolcontract/guardrails.",
  type: ["object", "null"],
  properties: {
    budgets: {
      description: "How many retries each lane grants.",
      type: ["object", "null"],
      properties: {
        guardrail: about("Calls that guardrails refuse.", { ...retries, default: 2 }),
        outcome: about("Calls whose tool fails.", { ...retries, default: 1 }),
        generation: about("Invalid generations, in a loop of `run`.", { ...retries, default: 2 }),
      },
      additionalProperties: false,
    },
    effects: {
      description:
        "What each tool does to the world; a tool that is not named is irreversible. Policies that run at commit need it for each of their tools.",
      type: ["object", "null"],
      additionalProperties: {
        type: "string",
        enum: ["none", "state", "idempotent", "compensable", "irreversible"],
      },
    },
    locks: {
      description: "The slots of the state that each tool touches; all of them by default.",
      type: ["object", "null"],
      additionalProperties: nameList,
    },
    rules: { description: "Conditions in CEL.", type: ["array", "null"], items: rule },
    cedar: { description: "Policies in Cedar.", type: ["array", "null"], items: cedar },
  },
  additionalProperties: false,
};
