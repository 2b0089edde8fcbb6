import type { ToolSet } from "ai";
import { isMcpTool, mcpFailure } from "./mcp-tool.ts";

type AnyTool = ToolSet[string];
type ToModelOutput = NonNullable<AnyTool["toModelOutput"]>;
type Given = Parameters<ToModelOutput>[0];
type Output = Awaited<ReturnType<ToModelOutput>>;

/**
 * What the model reads of a result: a failed MCP result keeps its error flag, and a note on advisories follows
 * the tool's own answer.
 */
export function withModelOutput(
  tool: AnyTool,
  noteOf: (input: object) => Promise<string> | undefined,
): ToModelOutput {
  return (given: Given) => {
    // Version 5 passes the bare output.
    const call = isCall(given) ? given : undefined;
    const output: unknown = call ? call.output : given;
    // The MCP client's own conversion drops the flag; that of any other tool is its author's word.
    const failure = isMcpTool(tool) || !tool.toModelOutput ? mcpFailure(output) : undefined;
    if (failure) return failure;
    const own = tool.toModelOutput ? tool.toModelOutput(given) : defaultOutput(output);
    const input: unknown = call?.input;
    const note = typeof input === "object" && input !== null ? noteOf(input) : undefined;
    return note === undefined ? own : addNote(own, note);
  };
}

function isCall(given: unknown): given is Given {
  if (typeof given !== "object" || given === null) return false;
  return ["toolCallId", "input", "output"].every((name) => Object.hasOwn(given, name));
}

/** As the SDK does for tools that leave it to it. */
function defaultOutput(output: unknown): Output {
  if (typeof output === "string") return { type: "text", value: output };
  const text = JSON.stringify(output) as string | undefined;
  return { type: "json", value: text === undefined ? null : JSON.parse(text) };
}

async function addNote(own: ReturnType<ToModelOutput>, note: Promise<string>): Promise<Output> {
  const [output, text] = await Promise.all([own, note]);
  if (text === "") return output;
  switch (output.type) {
    case "text":
      return { ...output, value: `${output.value}\n\n${text}` };
    case "json":
      return { type: "text", value: `${JSON.stringify(output.value)}\n\n${text}` };
    case "content":
      return { ...output, value: [...output.value, { type: "text", text }] };
    default:
      return output;
  }
}
