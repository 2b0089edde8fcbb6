// What each provider refuses of the answers in a request, as its documentation, its SDK and public reports quote it.
type Json = Readonly<Record<string, unknown>>;

/** Returns what the provider says against a request, if anything. */
export type Rule = (history: readonly unknown[]) => string | undefined;

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** The calls of each message and the messages of the role `tool` right after it. */
function paired(
  history: readonly unknown[],
  calls: string,
  check: (answer: Json, call: Json) => string | undefined,
): string | undefined {
  const messages = history as readonly Json[];
  for (const [at, message] of messages.entries()) {
    const made = list(message[calls]);
    const rest = messages.slice(at + 1);
    const end = rest.findIndex(({ role }) => role !== "tool");
    const answers = end < 0 ? rest : rest.slice(0, end);
    if (made.length > 0 && answers.length !== made.length)
      return `${made.length} calls, ${answers.length} answers`;
    for (const [index, call] of made.entries()) {
      const fault = check(answers[index] ?? {}, call);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

const sameId =
  (name: string): ((answer: Json, call: Json) => string | undefined) =>
  (answer, call) =>
    answer[name] === call["id"]
      ? undefined
      : `${String(answer[name])} does not answer ${String(call["id"])}`;

const OUTPUTS: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
};

/** By the name of the API in `@toolcontract/core/wire`; a history is what is sent as messages, contents or input. */
export const PROVIDER_RULES: Readonly<Record<string, Rule>> = {
  openai: (history) => paired(history, "tool_calls", sameId("tool_call_id")),
  cohere: (history) => paired(history, "toolCalls", sameId("toolCallId")),
  ollama: (history) =>
    paired(history, "tool_calls", ({ tool_name }, call) =>
      tool_name === (call["function"] as Json)["name"] ? undefined : "no tool_name",
    ),
  mistral: (history) =>
    paired(history, "toolCalls", ({ toolCallId }) =>
      /^[a-zA-Z0-9]{9}$/.test(String(toolCallId))
        ? undefined
        : `Tool call id was ${String(toolCallId)} but must be a-z, A-Z, 0-9, with a length of 9`,
    ),
  responses(history) {
    const items = history as readonly Json[];
    for (const call of items.filter(({ type }) => String(type) in OUTPUTS)) {
      const own = items.filter(
        ({ type, call_id }) => String(type).endsWith("_output") && call_id === call["call_id"],
      );
      if (own[0]?.["type"] !== OUTPUTS[String(call["type"])])
        return `No tool output found for ${String(call["call_id"])}.`;
      const caller = (one: Json | undefined): unknown =>
        (one?.["caller"] as Json | undefined)?.["caller_id"];
      if (caller(own[0]) !== caller(call)) return "the output lacks its caller";
    }
    return undefined;
  },
  realtime: (history) =>
    PROVIDER_RULES["responses"]?.(
      (history as readonly Json[]).map((event) => event["item"] ?? event),
    ),
  anthropic(history) {
    for (const [at, { content }] of (history as readonly Json[]).entries()) {
      const uses = list(content).filter(({ type }) => type === "tool_use");
      const next = list((history[at + 1] as Json | undefined)?.["content"]);
      const results = next.filter(({ type }) => type === "tool_result");
      if (uses.length !== results.length && uses.length > 0)
        return `${uses.length} tool_use, ${results.length} tool_result`;
      for (const [index, { id }] of uses.entries()) {
        const result = results[index];
        if (result === undefined || result["tool_use_id"] !== id)
          return `tool_use ${String(id)} without a tool_result`;
        if (
          result["is_error"] === true &&
          list(result["content"]).length === 0 &&
          !result["content"]
        )
          return "content cannot be empty if `is_error` is true";
      }
    }
    return undefined;
  },
  gemini(history) {
    for (const [at, content] of (history as readonly Json[]).entries()) {
      const of = (one: unknown, name: string): readonly Json[] =>
        list((one as Json | undefined)?.["parts"])
          .map((part) => part[name])
          .filter(isJson);
      const calls = of(content, "functionCall");
      const answers = of(history[at + 1], "functionResponse");
      if (calls.length > 0 && calls.length !== answers.length)
        return `${answers.length} function responses for ${calls.length} calls`;
      for (const [index, call] of calls.entries()) {
        const { id, name, response } = answers[index] ?? {};
        if (id !== call["id"] || name !== call["name"] || typeof response !== "object")
          return `function_response does not answer ${JSON.stringify(call)}`;
      }
    }
    return undefined;
  },
};
