import { createContract, type ToolDefinition } from "@toolcontract/core";
import type { CorpusTool } from "../corpus.ts";
import { zodOfTool } from "../zod-of-tool.ts";
import type { Reject, Rejecting } from "./rejecting.ts";

/** The contract on a tool that has a zod schema. */
export const contractOnZod: Rejecting = {
  name: "contract.admit, zod tool",
  prepare: (tool) => {
    const validator = zodOfTool(tool);
    if (validator === undefined) throw new Error(`zod cannot read the schema of ${tool.name}.`);
    return admitting({ name: tool.name, validator });
  },
};

/** The contract on a tool that has a JSON Schema only. */
export const contractOnJsonSchema: Rejecting = {
  name: "contract.admit, JSON Schema tool",
  prepare: (tool: CorpusTool) => admitting(tool),
};

let conversations = 0;

function admitting(tool: ToolDefinition): Reject {
  const contract = createContract({ logger: () => undefined });
  return async (text) => {
    conversations += 1;
    const call = { id: "call_1", name: tool.name, arguments: text };
    const context = { tool, conversationId: `${conversations}`, turnId: "1" };
    const admission = await contract.admit(call, context);
    if (admission.status !== "rejected") throw new Error(`It is ${admission.status}: ${text}.`);
    return admission.result.content;
  };
}
