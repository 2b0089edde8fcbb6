import { createContract, type MessageStyle, type ToolDefinition } from "@toolcontract/core";
import type { CorpusTool } from "../../corpus.ts";
import { zodOfTool } from "../../zod-of-tool.ts";
import { readContract } from "../reading/readers.ts";
import type { MakeCall, SchemaKind, System } from "./system.ts";

/** The contract without a framework. */
export function coreContract(schema: SchemaKind, style: MessageStyle): System {
  return {
    name: `Toolcontract ${style}, core`,
    schema,
    packages: ["@toolcontract/core"],
    read: readContract,
    readsText: true,
    offer: (tool) => makeCall(definitionOf(tool, schema), style),
  };
}

function makeCall(tool: ToolDefinition, style: MessageStyle): MakeCall {
  const contract = createContract({ format: { style }, logger: () => undefined });
  let conversations = 0;
  return async (text) => {
    conversations += 1;
    const call = { id: "call_1", name: tool.name, arguments: text };
    const conversationId = String(conversations);
    const admission = await contract.admit(call, { tool, conversationId });
    if (admission.status !== "admitted")
      return { status: "answered", text: admission.result.content };
    let args: unknown;
    await Promise.resolve(
      admission.run((input) => {
        args = input;
        return "done";
      }),
    );
    return { status: "ran", args };
  };
}

function definitionOf(tool: CorpusTool, schema: SchemaKind): ToolDefinition {
  const validator = schema === "zod" ? zodOfTool(tool) : undefined;
  return validator === undefined ? tool : { name: tool.name, validator };
}
