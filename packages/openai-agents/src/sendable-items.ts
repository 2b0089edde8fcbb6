import type { AgentInputItem } from "@openai/agents";
import {
  type HistoryDialect,
  isRecord,
  OUTCOME_UNKNOWN,
  parseJson,
  repairWith,
} from "@toolcontract/core/adapter";
import type { ModelRequest } from "./sdk.ts";

type Json = Readonly<Record<string, unknown>>;

/** Items that belong together: what the model said in one response, the results that follow it, or a message of someone else. */
interface ItemGroup {
  readonly kind: "said" | "results" | "message";
  readonly items: readonly Json[];
}

/** The request with a history that every provider takes; what a server keeps is not in it, and stays as it is. */
export function withSendableItems(request: ModelRequest): ModelRequest {
  const { input, previousResponseId, conversationId } = request;
  const isKept = previousResponseId !== undefined || conversationId !== undefined;
  if (isKept || typeof input === "string") return request;
  const groups = groupsOf(input);
  const sent = repairWith<unknown>(groups, ITEMS) as readonly ItemGroup[];
  if (sent === groups) return request;
  return { ...request, input: sent.flatMap(({ items }) => items) as unknown as AgentInputItem[] };
}

function groupsOf(items: readonly Json[]): readonly ItemGroup[] {
  const groups: { kind: ItemGroup["kind"]; items: Json[] }[] = [];
  for (const item of items) {
    const kind = kindOf(item);
    const last = groups.at(-1);
    if (last?.kind === kind && kind !== "message") last.items.push(item);
    else groups.push({ kind, items: [item] });
  }
  return groups;
}

function kindOf({ type, role }: Json): ItemGroup["kind"] {
  if (role === "user" || role === "system") return "message";
  return typeof type === "string" && /_(?:result|output)$/.test(type) ? "results" : "said";
}

function itemsOf(group: Json, type: string): readonly Json[] {
  const { items } = group as unknown as ItemGroup;
  return items.filter((item) => item["type"] === type);
}

const ITEMS: HistoryDialect = {
  callsOf: (group) => itemsOf(group, "function_call"),
  read: ({ callId: id, name, arguments: args }) => ({ id, name, args }),
  takes: (args) => typeof args === "string" && isRecord(parseJson(args)),
  write: (call, { id, name, args }) => {
    return { ...call, callId: id, name, ...(args && { arguments: JSON.stringify(args) }) };
  },
  withCalls(group, calls) {
    const left = [...calls];
    const items = (group as unknown as ItemGroup).items.map((item) =>
      item["type"] === "function_call" ? left.shift() : item,
    );
    return { ...group, items };
  },
  answersOf: (group) => itemsOf(group, "function_call_result"),
  answeredId: ({ callId }) => callId,
  readdress: (answer, { id, name }) => {
    const isNamed = answer["name"] === undefined || answer["name"] === name;
    return answer["callId"] === id && isNamed ? answer : { ...answer, callId: id, name };
  },
  unknown: ({ id: callId, name }) => {
    const output = { type: "text", text: OUTCOME_UNKNOWN };
    return { type: "function_call_result", callId, name, status: "completed", output };
  },
  rest(group) {
    const { kind, items } = group as unknown as ItemGroup;
    if (kind !== "results") return group;
    const others = items.filter(({ type }) => type !== "function_call_result");
    return others.length === 0 ? undefined : { kind, items: others };
  },
  join(answers, next) {
    if (answers.length === 0) return next === undefined ? [] : [next];
    const { kind, items } = (next ?? {}) as unknown as Partial<ItemGroup>;
    if (kind === "results") return [{ kind, items: [...answers, ...(items ?? [])] }];
    const results = { kind: "results", items: answers };
    return next === undefined ? [results] : [results, next];
  },
};
