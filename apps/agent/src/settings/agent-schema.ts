import type { SchemaObject } from "@toolcontract/core";
import { fileSchema, isSection } from "@toolcontract/config/adapter";
import { type AgentOption, MODEL_SETTINGS, SESSION_FILE_OPTIONS } from "./session-table.ts";

const text: SchemaObject = { type: "string", minLength: 1 };
const texts: SchemaObject = { type: ["object", "null"], additionalProperties: { type: "string" } };
const whole: SchemaObject = { type: "integer", minimum: 1 };

const dollars: SchemaObject = { type: "number", minimum: 0 };

const about = (description: string, schema: SchemaObject): SchemaObject => {
  return { description, ...schema };
};

const mapping = (
  description: string,
  properties: Readonly<Record<string, SchemaObject>>,
): SchemaObject => {
  return { description, type: ["object", "null"], properties, additionalProperties: false };
};

/** A mapping whose keys are names that the user chooses. */
const named = (description: string, member: SchemaObject): SchemaObject => {
  return { description, type: ["object", "null"], additionalProperties: member };
};

const limitOf = (name: string): SchemaObject => SESSION_FILE_OPTIONS.get(name)?.schema ?? {};

const settings = optionSchemas(Object.values(MODEL_SETTINGS));

const provider = mapping("An endpoint with models.", {
  type: about("What kind of endpoint it is.", {
    type: "string",
    enum: ["openai", "anthropic", "openai-compatible", "scripted"],
  }),
  base_url: about("Where it is; the provider's own address by default.", text),
  api_key: about("The key, as ${NAME}.", { type: "string" }),
  api: about("Which API of OpenAI is used.", {
    type: "string",
    enum: ["chat", "responses"],
    default: "chat",
  }),
  headers: about("Headers of every request.", texts),
  script: about("The file with the answers of a scripted model, relative to this one.", text),
  ...settings,
});

const target: SchemaObject = {
  ...mapping("A model of a provider.", {
    provider: about("The provider's name, as below providers.", text),
    model: about("The model's name, as the provider calls it.", text),
    context_window: about("The model's capacity in tokens; nothing is checked without it.", whole),
    context_window_buffer_tokens: about("Kept free; 10 % of the window by default.", {
      type: "integer",
      minimum: 0,
    }),
    request_timeout: about("As below session, for this target.", limitOf("requestTimeout")),
    price: mapping("US dollars for a million tokens, for a model that no list has.", {
      input: about("Tokens of the prompt.", dollars),
      output: about("Tokens of the answer.", dollars),
      cached_input: about("Tokens read from a cache; as input by default.", dollars),
    }),
    ...settings,
  }),
  type: "object",
  required: ["provider", "model"],
};

const server = mapping("A server over stdio (command) or HTTP (url).", {
  command: about("The program that is started.", text),
  args: about("Its arguments.", { type: ["array", "null"], items: { type: "string" } }),
  env: about("Its environment variables; ${NAME} is replaced when it is started.", texts),
  inherit_env: about("Variables of this process that it gets too.", {
    type: ["array", "null"],
    items: text,
  }),
  start_timeout: about("Milliseconds until it must have started.", {
    ...limitOf("toolTimeout"),
    default: 30_000,
  }),
  cwd: about("Its working directory, relative to the folder of this file.", text),
  url: about("The address of a server over HTTP.", text),
  headers: about(
    "Headers of every request; ${NAME} is replaced when the server is connected.",
    texts,
  ),
  queue: about("The queue that its tools wait in.", { ...text, default: "default" }),
  tool_timeout: about("As below session, for its tools.", limitOf("toolTimeout")),
  tool_response_max_bytes: about(
    "As below session, for its tools.",
    limitOf("toolResponseMaxBytes"),
  ),
});

const SECTIONS: Readonly<Record<string, SchemaObject>> = {
  session: mapping("The limits of a run, and settings for every model.", {
    ...optionSchemas([...SESSION_FILE_OPTIONS.values()]),
    ...settings,
  }),
  providers: named("The endpoints with models, by name.", provider),
  targets: about("The models to ask, in turn.", { type: ["array", "null"], items: target }),
  mcp_servers: named("The MCP servers with tools, by name.", server),
  queues: named("How many tools of one queue run at once, by name.", {
    ...mapping("A queue.", { concurrent: about("How many tools run at once.", whole) }),
  }),
};

/** The sections of an agent's file beside `tools`. */
export const AGENT_SECTIONS: readonly string[] = Object.keys(SECTIONS);

/** The JSON Schema of an agent's file; with `placeholders`, for editors. */
export function agentSchema(placeholders: boolean): SchemaObject {
  const { properties, definitions, ...file } = fileSchema(placeholders) as {
    readonly properties: Readonly<Record<string, SchemaObject>>;
    readonly definitions?: SchemaObject;
  };
  const sections = Object.entries(SECTIONS).map(([name, schema]) => [
    name,
    placeholders ? withPlaceholders(schema) : schema,
  ]);
  return {
    ...file,
    title: "Toolcontract agent configuration",
    description:
      "What .agent/config.yml may hold for an agent. Other keys are read by other programs.",
    properties: { ...(Object.fromEntries(sections) as object), ...properties },
    ...(definitions && { definitions }),
  };
}

function optionSchemas(options: readonly AgentOption[]): Readonly<Record<string, SchemaObject>> {
  return Object.fromEntries(
    options.map(({ key, schema, about: description, fallback }) => [
      key,
      { description, ...schema, ...(fallback !== undefined && { default: fallback }) },
    ]),
  );
}

/** Accepts `${VARIABLE}` for every value but those that are any string anyway. */
function withPlaceholders(schema: SchemaObject): SchemaObject {
  const { properties, additionalProperties, items, description, default: fallback } = schema;
  if (isSection(schema)) {
    return {
      ...schema,
      ...(isRecord(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, one]) => [key, withPlaceholders(one)]),
        ),
      }),
      ...(isRecord(additionalProperties) && {
        additionalProperties: withPlaceholders(additionalProperties),
      }),
      ...(isRecord(items) && { items: withPlaceholders(items) }),
    };
  }
  const { type, enum: values } = schema;
  if (type === undefined || (type === "string" && values === undefined)) return schema;
  const { description: _, default: __, ...rest } = schema;
  const notes = {
    ...(description !== undefined && { description }),
    ...(fallback !== undefined && { default: fallback }),
  };
  return { ...notes, anyOf: [rest, { $ref: "#/definitions/placeholder" }] };
}

function isRecord(value: unknown): value is Readonly<Record<string, SchemaObject>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
