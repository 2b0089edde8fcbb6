/** What to do instead, by option name. */
type Elsewhere = Readonly<Record<string, string>>;

const MIDDLEWARE = "Pass it to toolContractMiddleware.";
const AGENT = "Pass it to createAgent.";
const INVOKE = "Pass it to invoke, such as agent.invoke(input, { recursionLimit: 25 }).";
const ERRORS = "Pass 'toolErrors' to toolContractMiddleware, or handleToolErrors to ToolNode.";

function withAdvice(names: string, advice: string): Elsewhere {
  return Object.fromEntries(names.split(" ").map((name) => [name, advice]));
}

/** Options of LangChain's own functions and of other entry points, and where they go. */
export const ELSEWHERE: Elsewhere = {
  tools:
    "The tools go to createAgent, or before the options, such as wrapTools(tools, { maxAttempts: 3 }).",
  ...withAdvice(
    "model llm prompt systemPrompt responseFormat middleware checkpointer stateSchema contextSchema",
    AGENT,
  ),
  ...withAdvice("messages callbacks tags metadata signal recursionLimit", INVOKE),
  ...withAdvice(
    "maxSteps maxIterations stopWhen",
    INVOKE.replace("Pass it", "Pass recursionLimit"),
  ),
  ...withAdvice(
    "configurable threadId thread_id",
    "Pass { configurable: { thread_id } } to invoke, or 'conversationId' here.",
  ),
  ...withAdvice("handleToolErrors onError onFailure", ERRORS),
  ...withAdvice("maxRetries retries", "Pass 'maxAttempts', which counts the first call too."),
  ...withAdvice("interruptOn when", "Pass it to humanInTheLoopMiddleware."),
  ...withAdvice("escalate toolErrors name", MIDDLEWARE),
};
