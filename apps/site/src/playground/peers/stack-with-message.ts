import type { StructuredToolInterface } from "@langchain/core/tools";

/**
 * Makes the stack of what a tool throws begin with the error's message, as everywhere LangChain runs in production:
 * it puts the stack into what the model reads, and in Firefox and Safari a stack is without the message.
 */
export function stackWithMessage<Tool extends Pick<StructuredToolInterface, "invoke">>(
  tool: Tool,
  sample: Error = new Error("sample"),
): Tool {
  if (sample.stack?.includes(sample.message) === true) return tool;
  const invoke = tool.invoke.bind(tool);
  tool.invoke = async (...call) => {
    try {
      return await invoke(...call);
    } catch (thrown) {
      if (thrown instanceof Error) thrown.stack = `${String(thrown)}\n${thrown.stack ?? ""}`;
      throw thrown;
    }
  };
  return tool;
}
