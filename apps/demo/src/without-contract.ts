import { jsonrepair } from "jsonrepair";
import type { ToolCall } from "@toolcontract/core";
import { countTokens } from "./count-tokens.ts";
import { type McpServer, resultText } from "./mcp-server.ts";

/** What a loop without the contract answers to a call. */
export interface PlainAnswer {
  /** `plain`: JSON.parse, then the server; `lenient`: the JSON is repaired first, as in many loops. */
  readonly loop: "plain" | "lenient";
  readonly text: string;
  readonly tokens: number;
  /** True if the call ran. */
  readonly ran: boolean;
}

/** Sends a call to a real server, as loops without the contract do, and returns what the model would read. */
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
