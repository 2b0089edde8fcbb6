import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type Answered, EscalationError } from "@toolcontract/core";
import { isRecord } from "@toolcontract/core/adapter";
import { escalationMessage } from "./escalation.ts";
import { contextIn } from "./guarded-run.ts";
import type { HookedRequest, ModelHandler } from "./hooks.ts";
import { finishReasonOf, type NativeCall, textOfMessage } from "./messages.ts";
import type { MiddlewareGuard } from "./options.ts";
import { originOfHook } from "./runs.ts";
import { isStrategy, withStrategy } from "./output-strategy.ts";

/**
 * A handler whose structured output the contract judges: what does not fit is asked for again, in the contract's words, until its
 * attempts are spent.
 *
 * @remarks LangChain reads structured output before any middleware sees it. For a tool strategy it repeats its own words without end, and
 * for a provider's it ends the run. So its own check is left out, and made here.
 */
export function judgingOutput(handler: ModelHandler, guard: MiddlewareGuard): ModelHandler {
  return async (request) => {
    const { format, strategies } = unchecked(await withStrategy(request));
    if (strategies.length === 0) return handler(request);
    let { messages } = request;
    for (;;) {
      const asked = { ...request, messages, responseFormat: format } as AskedRequest;
      const said = await askOnce(asked, handler, strategies);
      if ("reply" in said) return said.reply;
      const answer = await judge(said, request, guard);
      if (answer.status === "valid") return said.accept(answer.input);
      if (answer.status === "blocked") {
        if (guard.escalate === "throw") throw new EscalationError(answer.escalation);
        return escalationMessage([answer.escalation]);
      }
      messages = [...messages, ...askedAgain(said, answer.content)];
    }
  };
}

type AskedRequest = Parameters<ModelHandler>[0];
type Reply = Awaited<ReturnType<ModelHandler>>;

/** Structured output that nothing has checked. */
interface Output {
  /** What the model has said; undefined if its client threw it away. */
  readonly message: AIMessage | undefined;
  /** The call, if the output is one. */
  readonly call: NativeCall | undefined;
  /** A text, or the arguments of the call. */
  readonly output: unknown;
  /** Why the text ended, if the message is lost. */
  readonly finishReason?: string;
  readonly schema: object;
  /** What LangChain makes of output that fits. */
  readonly accept: (structuredResponse: unknown) => Reply;
}

async function askOnce(
  request: AskedRequest,
  handler: ModelHandler,
  strategies: readonly Strategy[],
): Promise<Output | { readonly reply: Reply }> {
  try {
    const reply: unknown = await handler(request);
    return outputIn(reply, strategies) ?? { reply: reply as Reply };
  } catch (thrown) {
    const [strategy] = strategies.filter(({ isNative }) => isNative);
    const unread = strategy && unreadOutput(thrown);
    if (unread === undefined) throw thrown;
    const accept = (): never => {
      throw thrown;
    };
    const { schema } = strategy as Strategy;
    return { message: undefined, call: undefined, ...unread, schema, accept };
  }
}

function outputIn(reply: unknown, strategies: readonly Strategy[]): Output | undefined {
  if (!isRecord(reply) || !Array.isArray(reply["messages"])) return undefined;
  const { structuredResponse } = reply;
  const [message, told] = reply["messages"] as readonly unknown[];
  if (!AIMessage.isInstance(message)) return undefined;
  const isNative = structuredResponse instanceof SaidText;
  const call = ToolMessage.isInstance(told)
    ? message.tool_calls?.find(({ id }) => (id ?? "") === told.tool_call_id)
    : undefined;
  const strategy = strategies.find((one) =>
    isNative ? one.isNative : !one.isNative && one.name === call?.name,
  );
  if (strategy === undefined) return undefined;
  const output = isNative ? structuredResponse.text : structuredResponse;
  const accept = (input: unknown): Reply =>
    ({ ...reply, structuredResponse: input }) as unknown as Reply;
  return { message, call, output, schema: strategy.schema, accept };
}

/** What an error says about text that a client did not keep: that it was cut, or how it begins. */
function unreadOutput(thrown: unknown): Pick<Output, "output" | "finishReason"> | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { message } = thrown;
  // OpenAI's client for Node throws this one if the limit of tokens ended the text.
  const isCut = message.includes("length limit was reached");
  if (!isCut && !(thrown instanceof SyntaxError)) return undefined;
  if (isCut || /^Un(?:terminated|expected end)/.test(message)) {
    return { output: "", finishReason: "length" };
  }
  const [, text = "", isBeginning] = /"([^]*)"(\.\.\.)? is not valid JSON/.exec(message) ?? [];
  // A beginning with an open fence or brace would be taken for JSON that was cut.
  return { output: isBeginning ? text.replaceAll(/[`{["]/g, "") : text };
}

async function judge(
  { output, message, schema, ...said }: Output,
  { runtime }: Pick<HookedRequest, "runtime">,
  guard: MiddlewareGuard,
): Promise<Answered> {
  const finishReason = message ? finishReasonOf(message) : said.finishReason;
  return guard.contract.answer(output, {
    schema,
    ...contextIn(originOfHook(guard, runtime)),
    ...(finishReason !== undefined && { finishReason }),
    ...(runtime.signal && { signal: runtime.signal }),
  });
}

function askedAgain({ message, call }: Output, content: string): readonly BaseMessage[] {
  if (message === undefined) return [new HumanMessage(content)];
  const calls = message.tool_calls ?? [];
  if (call === undefined || calls.length === 0) return [message, new HumanMessage(content)];
  const answers = calls.map(
    ({ id = "", name }) => new ToolMessage({ content, tool_call_id: id, name, status: "error" }),
  );
  return [message, ...answers];
}

/** The text of an answer in the provider's own format. */
class SaidText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A strategy of LangChain, and what its output must be. */
interface Strategy {
  readonly name: unknown;
  readonly schema: object;
  /** True for the provider's own format. */
  readonly isNative: boolean;
}

/** The format with strategies that take whatever comes. */
function unchecked(given: unknown): {
  readonly format: unknown;
  readonly strategies: readonly Strategy[];
} {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const strategies: Strategy[] = [];
  const format = list.map((one) => {
    if (!isStrategy(one)) return one;
    const isNative = !("tool" in one);
    strategies.push({ name: isNative ? undefined : one.name, schema: one.schema, isNative });
    const parse = isNative
      ? (message: AIMessage): unknown =>
          // The run goes on with its calls.
          (message.tool_calls ?? []).length > 0
            ? one.parse(message)
            : new SaidText(textOfMessage(message))
      : (args: unknown): unknown => args;
    return Object.create(one, { parse: { value: parse } }) as unknown;
  });
  return { format: Array.isArray(given) ? format : format[0], strategies };
}
