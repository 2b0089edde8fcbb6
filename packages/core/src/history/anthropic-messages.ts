import { isRecord } from "@toolcontract/explain/adapter";
import { FAILED_SILENTLY } from "../message/index.ts";
import { type Dialect, type Json, OUTCOME_UNKNOWN, jsonsOf } from "./dialect.ts";

function blocksOf(message: Json, type: string): readonly Json[] {
  return jsonsOf(message["content"]).filter((block) => block["type"] === type);
}

function isSilent({ content }: Json): boolean {
  if (typeof content === "string") return content.trim() === "";
  return content === undefined || content === null || jsonsOf(content).length === 0;
}

/** Anthropic's messages, in which calls and answers are blocks. */
export const ANTHROPIC: Dialect = {
  callsOf: (message) => (message["role"] === "assistant" ? blocksOf(message, "tool_use") : []),
  read: ({ id, name, input }) => ({ id, name, args: input }),
  takes: isRecord,
  write: (call, { id, name, args }) => ({ ...call, id, name, ...(args && { input: args }) }),
  withCalls(message, calls) {
    const left = [...calls];
    const content = message["content"] as readonly unknown[];
    const isUse = (block: unknown): boolean =>
      typeof block === "object" && block !== null && (block as Json)["type"] === "tool_use";
    return { ...message, content: content.map((block) => (isUse(block) ? left.shift() : block)) };
  },
  answersOf: (message) => (message["role"] === "user" ? blocksOf(message, "tool_result") : []),
  answeredId: (answer) => answer["tool_use_id"],
  readdress(answer, { id }) {
    const isMute = answer["is_error"] === true && isSilent(answer);
    if (answer["tool_use_id"] === id && !isMute) return answer;
    return { ...answer, tool_use_id: id, ...(isMute && { content: FAILED_SILENTLY }) };
  },
  unknown: ({ id }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: OUTCOME_UNKNOWN,
    is_error: true,
  }),
  rest(message) {
    const results = ANTHROPIC.answersOf(message);
    if (results.length === 0) return message;
    const all = message["content"] as readonly unknown[];
    const content = all.filter((block) => !results.includes(block as Json));
    return content.length === 0 ? undefined : { ...message, content };
  },
  join(answers, next) {
    if (answers.length === 0) return next === undefined ? [] : [next];
    if (next?.["role"] !== "user")
      return [{ role: "user", content: answers }, ...(next === undefined ? [] : [next])];
    const { content } = next;
    const others = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return [{ ...next, content: [...answers, ...(Array.isArray(others) ? others : [])] }];
  },
};
