import {
  type CallToolResult,
  fromJsonSchema,
  inputRequired,
  type McpServer,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Json } from "../surface/tool.ts";

/** Notifies subscribed clients that a list has changed. */
export interface ListChanges {
  tools(): void;
  prompts(): void;
}

const NO_ARGUMENTS = z.object({});
const DONE: CallToolResult = { content: [{ type: "text", text: "Done" }] };

/** The tools that the suite uses to test the stateless protocol. */
export function addDiagnosticTools(server: McpServer, changes: ListChanges): void {
  const config = (description: string) => ({ description, inputSchema: NO_ARGUMENTS });
  const needsSampling = config("Needs a client with a model");
  // The SDK rejects a request for a capability that the client has not declared.
  server.registerTool("test_missing_capability", needsSampling, () =>
    inputRequired({
      inputRequests: {
        word: inputRequired.createMessage({
          messages: [{ role: "user", content: { type: "text", text: "Say a word" } }],
          maxTokens: 10,
        }),
      },
    }),
  );
  server.registerTool("test_streaming_elicitation", config("Asks the user"), () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: "What are you called?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } } },
        }),
      },
    }),
  );
  server.registerTool("test_logging_tool", config("Logs"), async (_, { mcpReq }) => {
    await mcpReq.log("info", "Only for those who asked");
    return DONE;
  });
  server.registerTool("test_trigger_tool_change", config("Changes the tools"), () => {
    changes.tools();
    return DONE;
  });
  server.registerTool("test_trigger_prompt_change", config("Changes the prompts"), () => {
    changes.prompts();
    return DONE;
  });
  addHeaderTool(server);
}

/** A tool with an argument that a header repeats. */
function addHeaderTool(server: McpServer): void {
  const region: Json = { type: "string", "x-mcp-header": "Region" };
  const inputSchema = fromJsonSchema<Json>({
    type: "object",
    properties: { region },
    required: ["region"],
  });
  const config = { description: "Takes a region", inputSchema };
  server.registerTool("test_header_argument", config, () => DONE);
}
