import { setTimeout as wait } from "node:timers/promises";
import { ASKED_DEFAULTS, ASKED_ENUMS, ASKED_USER } from "./asked-schemas.ts";
import { document, PICTURE, SOUND } from "./media.ts";
import { type Content, type Exchange, type Json, type ReferenceTool, text } from "./tool.ts";

const NO_ARGUMENTS: Json = { type: "object", properties: {} };
const STEP_MS = 20;

function tool(
  name: string,
  description: string,
  run: ReferenceTool["run"],
  inputSchema = NO_ARGUMENTS,
): ReferenceTool {
  return { name, description, inputSchema, run };
}

function oneText(name: string): Json {
  return { type: "object", properties: { [name]: { type: "string" } }, required: [name] };
}

async function askUser(
  exchange: Exchange,
  message: string,
  requestedSchema: Json,
): Promise<Content> {
  const answer = await exchange.ask("elicitation/create", { message, requestedSchema });
  return [text(`The user answered: ${JSON.stringify(answer)}`)];
}

async function sample({ ask, args }: Exchange): Promise<Content> {
  const content = text(String(args["prompt"]));
  const messages = [{ role: "user", content }];
  const answer = await ask("sampling/createMessage", { messages, maxTokens: 100 });
  return [text(`The model answered: ${JSON.stringify(answer["content"])}`)];
}

async function inThreeSteps(step: (index: number) => Promise<void>): Promise<Content> {
  for (const index of [0, 1, 2]) {
    if (index > 0) await wait(STEP_MS);
    await step(index);
  }
  return [text("Three steps done")];
}

const LOGS = ["Started", "Half way", "Finished"];

/** A schema with keywords of the 2020-12 dialect. */
const MODERN_SCHEMA: Json = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "address",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

/** The tools that the suite asks of every server. */
export const TOOLS: readonly ReferenceTool[] = [
  tool("test_simple_text", "Gives a text", () => [text("A plain text")]),
  tool("test_image_content", "Gives a picture", () => [PICTURE]),
  tool("test_audio_content", "Gives a sound", () => [SOUND]),
  tool("test_embedded_resource", "Gives a document", () => [document("test://embedded-resource")]),
  tool("test_multiple_content_types", "Gives a text, a picture and a document", () => [
    text("Three parts"),
    PICTURE,
    document("test://mixed-content-resource", "application/json"),
  ]),
  tool("test_error_handling", "Always fails", () => {
    throw new Error("This tool fails on purpose");
  }),
  tool("test_tool_with_logging", "Logs while it runs", async ({ log }) =>
    inThreeSteps(async (index) => log(LOGS[index] ?? "")),
  ),
  tool("test_tool_with_progress", "Reports progress while it runs", async ({ progress }) =>
    inThreeSteps(async (index) => progress(index * 50)),
  ),
  tool("test_sampling", "Asks the client's model", sample, oneText("prompt")),
  tool(
    "test_elicitation",
    "Asks the user",
    async (exchange) => askUser(exchange, String(exchange.args["message"]), ASKED_USER),
    oneText("message"),
  ),
  tool("test_elicitation_sep1034_defaults", "Asks the user, with defaults", async (exchange) =>
    askUser(exchange, "Check these values", ASKED_DEFAULTS),
  ),
  tool("test_elicitation_sep1330_enums", "Asks the user to choose", async (exchange) =>
    askUser(exchange, "Choose some values", ASKED_ENUMS),
  ),
  tool("test_reconnection", "Cuts its stream before it answers", async ({ closeStream }) => {
    closeStream();
    await wait(STEP_MS);
    return [text("Answered after the cut")];
  }),
  tool(
    "json_schema_2020_12_tool",
    "Has a schema of many keywords",
    () => [text("Called")],
    MODERN_SCHEMA,
  ),
];
