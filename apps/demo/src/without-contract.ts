import { jsonrepair } from "jsonrepair";
import type { ToolCall } from "@toolcontract/core";
import { countTokens } from "./count-tokens.ts";
import { type McpServer, resultText } from "./mcp-server.ts";

/** What a loop without the contract sends back to the model for a call. */
export interface PlainAnswer {
  /** `plain`: JSON.parse and the server; `lenient`: the text is repaired first, as many loops do. */
  readonly loop: "plain" | "lenient";
  readonly text: string;
  readonly tokens: number;
  /** True where the call ran. */
  readonly ran: boolean;
}

/** Sends a call as loops without the contract do, to a real server, and tells what the model would read. */
export async function answerWithoutContract(
  call: ToolCall,
  server: McpServer,
): Promise<readonly PlainAnswer[]> {
  const text = String(call.arguments);
  try {
    return [await send("plain", call.name, JSON.parse(text), server)];
  } catch (error) {
    const plain = answer("plain", `Error: ${(error as Error).message}`, false);
    return [plain, await send("lenient", call.name, repair(text), server)];
  }
}

function repair(text: string): unknown {
  return JSON.parse(jsonrepair(text));
}

type Loop = PlainAnswer["loop"];

async function send(loop: Loop, name: string, args: unknown, server: McpServer) {
  const result = await server.call(name, args as Readonly<Record<string, unknown>>);
  return answer(loop, resultText(result), result.isError !== true);
}

function answer(loop: Loop, text: string, ran: boolean): PlainAnswer {
  return { loop, text, ran, tokens: countTokens(text) };
}
