import { type Example, type ExampleParts, exampleState } from "./example.ts";

const WRITE_FILE = {
  name: "write_file",
  description: "Writes a file",
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string" },
      content: { type: "string", maxLength: 1_048_576 },
      encoding: { enum: ["utf-8", "ascii", "utf-16"] },
      mode: { type: "integer", minimum: 0, maximum: 511 },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
};

const NOTIFY = {
  name: "notify",
  description: "Sends a message to a person",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string", maxLength: 500 },
      channel: {
        oneOf: [
          {
            type: "object",
            properties: {
              type: { const: "email" },
              address: { type: "string", format: "email" },
              cc: { type: "array", items: { type: "string", format: "email" } },
            },
            required: ["type", "address"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              type: { const: "sms" },
              number: { type: "string", pattern: "^\\+[0-9]{6,15}$" },
            },
            required: ["type", "number"],
            additionalProperties: false,
          },
          {
            type: "object",
            properties: {
              type: { const: "webhook" },
              url: { type: "string", format: "uri" },
            },
            required: ["type", "url"],
            additionalProperties: false,
          },
        ],
      },
    },
    required: ["text", "channel"],
  },
};

const DEPLOY = {
  name: "deploy",
  description: "Deploys a version",
  inputSchema: {
    type: "object",
    properties: {
      version: { type: "string" },
      database: { enum: ["staging", "production"] },
      token: { type: "string" },
      replicas: { type: "integer", minimum: 1, maximum: 20 },
    },
    required: ["version", "database", "token"],
  },
};

const CREATE_ISSUE = {
  name: "create_issue",
  description: "Creates an issue",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", minLength: 5 },
      labels: { type: "array", items: { type: "string" }, maxItems: 5 },
      fields: {
        type: "object",
        properties: { priority: { enum: ["low", "high"] }, points: { type: "integer" } },
      },
    },
    required: ["title", "labels"],
  },
};

const BOOK_TABLE = {
  name: "book_table",
  description: "Books a table in a restaurant",
  inputSchema: {
    type: "object",
    properties: {
      date: { type: "string", format: "date" },
      time: { type: "string", pattern: "^[0-2][0-9]:[0-5][0-9]$" },
      guests: { type: "integer", minimum: 1, maximum: 12 },
    },
    required: ["date", "time", "guests"],
  },
};

const SET_TEMPERATURE = `{
  name: "set_temperature",
  inputSchema: z
    .object({
      room: z.enum(["kitchen", "bedroom", "office"]),
      degrees: z.number(),
      unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
      until: z.iso.time().optional(),
    })
    .refine(({ degrees, unit }) => unit === "fahrenheit" || degrees <= 30, {
      path: ["degrees"],
      message: "at most 30 in celsius",
    }),
}`;

// From parts, so that no scanner takes this file for a leak.
const TOKEN = ["ghp", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"].join("_");

const NOTION_CALL = {
  page_id: "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
  type: "update-content",
  update_content: {
    content_updates: { old_str: "Draft", new_str: "Final", replace_all_matches: "yes" },
  },
};

/** The examples, in the order in which they are offered. */
export const EXAMPLES: readonly [Example, ...Example[]] = [
  example("misspelt-key", "A misspelt key", "Four faults at once, each with its fix.", {
    tool: WRITE_FILE,
    call: { pth: "notes.md", contents: "# Notes", encoding: "uft8", mode: "420" },
  }),
  example(
    "union-tag",
    "A union with a wrong tag",
    "Only the variant that was meant is explained.",
    {
      tool: NOTIFY,
      call: {
        text: "The build is green",
        channel: { type: "e-mail", adress: "ana@example.com", cc: "bo@example.com" },
      },
    },
  ),
  example("cut-output", "An output that was cut", "Half a file is never written.", {
    tool: WRITE_FILE,
    call: '{"path": "notes.md", "content": "# Notes\\n\\nThe release is on Frid',
  }),
  example("secret", "A secret in the arguments", "The answer and the log never repeat a token.", {
    tool: DEPLOY,
    call: {
      version: "1.4.0",
      database: "postgres://deploy:hunter2@db.internal/staging",
      token: [TOKEN],
      replicas: "3",
    },
  }),
  example(
    "json-in-string",
    "JSON in a string",
    "A string is read as the JSON in it, where only an array or object fits.",
    {
      tool: CREATE_ISSUE,
      call: {
        title: "The build is red",
        labels: '["bug", "build"]',
        fields: '{"priority": "high", "points": 3}',
      },
    },
  ),
  example("fenced-json", "JSON as a model writes it", "What has one clear reading is repaired.", {
    tool: CREATE_ISSUE,
    call: "```json\n{\n  title: 'The build is red', // since Monday\n  \"labels\": ['bug'],\n}\n```",
  }),
  example("broken-json", "Broken JSON", "What has no clear reading is not guessed.", {
    tool: WRITE_FILE,
    call: '{"path": notes.md, "content": "The release is on Friday"}',
  }),
  example(
    "escalation",
    "Arguments that stay invalid",
    "After the last attempt there are no more, and a person gets a summary.",
    {
      tool: BOOK_TABLE,
      sent: [
        { date: "next Friday", time: "evening", guests: 4 },
        { date: "Friday", time: "8pm", guests: 4 },
      ],
      call: { date: "this Friday", time: "20:00", guests: "a few" },
    },
  ),
  example(
    "zod-refine",
    "A zod schema with a rule",
    "The schema alone decides, and what its refine says is shown.",
    {
      tool: SET_TEMPERATURE,
      call: { room: "Kitchen", degrees: "72" },
    },
  ),
  {
    id: "notion",
    title: "A schema of a real MCP server",
    sentence:
      "The largest schema of Notion's server: unions, references, and three slips of a model.",
    load: async () => {
      const { default: tool } = await import("./notion-tool.json");
      return exampleState({ tool, call: NOTION_CALL });
    },
  },
];

function example(id: string, title: string, sentence: string, parts: ExampleParts): Example {
  return { id, title, sentence, load: () => Promise.resolve(exampleState(parts)) };
}
