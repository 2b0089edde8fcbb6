import { isRecord } from "@toolcontract/explain/adapter";
import { type Dialect, type Json, OUTCOME_UNKNOWN, jsonsOf, objectOf } from "./dialect.ts";

/** The list of a message's calls, as the wire or a SDK in camel case names it. */
function listName(message: Json): "tool_calls" | "toolCalls" {
  return Array.isArray(message["toolCalls"]) ? "toolCalls" : "tool_calls";
}

function idName(like: Json): "tool_call_id" | "toolCallId" {
  return Array.isArray(like["toolCalls"]) || "toolCallId" in like ? "toolCallId" : "tool_call_id";
}

function innerOf(call: Json): readonly ["function" | "custom", Json] {
  const { custom } = call;
  if (isRecord(custom)) return ["custom", custom];
  return ["function", isRecord(call["function"]) ? call["function"] : {}];
}

/** The messages of Chat Completions, and of the APIs that have them in camel case. */
export const CHAT: Dialect = {
  callsOf: (message) =>
    message["role"] === "assistant" ? jsonsOf(message[listName(message)]) : [],
  read(call) {
    const [kind, inner] = innerOf(call);
    const args = kind === "custom" ? "{}" : inner["arguments"];
    return { id: call["id"], name: inner["name"], args };
  },
  takes(args, onlyObjects) {
    if (typeof args !== "string") return false;
    return !onlyObjects || (args.trim().startsWith("{") && objectOf(args) !== undefined);
  },
  write(call, { id, name, args }) {
    const [kind, inner] = innerOf(call);
    const changed = args === undefined ? {} : { arguments: JSON.stringify(args) };
    return { ...call, id, [kind]: { ...inner, name, ...changed } };
  },
  withCalls: (message, calls) => ({ ...message, [listName(message)]: calls }),
  answersOf: (message) => (message["role"] === "tool" ? [message] : []),
  answeredId: (answer) => answer[idName(answer)],
  readdress: (answer, { id, name }) => {
    const named = answer["name"] === undefined || answer["name"] === name ? {} : { name };
    if (answer[idName(answer)] === id && Object.keys(named).length === 0) return answer;
    return { ...answer, [idName(answer)]: id, ...named };
  },
  unknown: ({ id }, like) => ({ role: "tool", [idName(like)]: id, content: OUTCOME_UNKNOWN }),
  rest: (message) => (message["role"] === "tool" ? undefined : message),
  join: (answers, next) => (next === undefined ? answers : [...answers, next]),
};
