import type { TargetRequest } from "@toolcontract/session";
import type { ResolvedTarget } from "./targets.ts";

/** Corrects a part of an answer, or the answer. */
export type Correct = <T extends object>(part: T) => T;

/** The parts to correct, if they exist. */
interface Correctable {
  readonly type?: string;
  readonly id?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly providerExecuted?: boolean;
  readonly usage?: unknown;
}

/**
 * Corrects what would lose an answer: another name of the report tool, which the SDK would not find, usage of a shape that the
 * SDK cannot read, and an id that several calls have, which would be one call for all that count calls.
 */
export function correctionFor(attempt: TargetRequest<ResolvedTarget>): Correct {
  const { specificationVersion } = attempt.target.model;
  const ids = createCallIds();
  return (part) => {
    const { type, toolName, usage }: Correctable = part;
    if (type?.startsWith("tool-input-") === true) {
      return {
        ...part,
        ...ids.ofInput(part),
        ...(toolName !== undefined && { toolName: attempt.toolName(toolName) }),
      };
    }
    if (toolName !== undefined) {
      return { ...part, ...ids.ofCall(part), toolName: attempt.toolName(toolName) };
    }
    const isEnd = type === "finish" || type === undefined;
    return isEnd ? { ...part, usage: readable(usage, specificationVersion) } : part;
  };
}

/** Gives each call of an answer an id of its own; the first one keeps the model's. */
function createCallIds(): {
  readonly ofInput: (part: Correctable) => { readonly id?: string };
  readonly ofCall: (part: Correctable) => { readonly toolCallId?: string };
} {
  const given = new Map<string, string[]>();
  const used = new Set<string>();
  const begun = new Map<string, number>();
  const called = new Map<string, number>();

  function nth(id: string, index: number): string {
    const ids = given.get(id) ?? [];
    given.set(id, ids);
    while (ids.length <= index) {
      let own = id;
      for (let count = 2; used.has(own); count += 1) own = `${id}_${count}`;
      used.add(own);
      ids.push(own);
    }
    return ids[index] as string;
  }

  const next = (counts: Map<string, number>, id: string): number => {
    const index = (counts.get(id) ?? -1) + 1;
    counts.set(id, index);
    return index;
  };

  return {
    ofInput({ type, id, providerExecuted }) {
      if (id === undefined || providerExecuted === true) return {};
      const index = type === "tool-input-start" ? next(begun, id) : begun.get(id);
      return index === undefined ? {} : { id: nth(id, index) };
    },
    ofCall({ type, toolCallId: id, providerExecuted }) {
      if (type !== "tool-call" || id === undefined || providerExecuted === true) return {};
      return { toolCallId: nth(id, next(called, id)) };
    },
  };
}

/** Version 5 has numbers, later versions an object for each side. */
function readable(given: unknown, version: string): object {
  const usage = Object(given) as {
    readonly inputTokens?: unknown;
    readonly outputTokens?: unknown;
  };
  if (version === "v2") return usage;
  const { inputTokens, outputTokens } = usage;
  return { ...usage, inputTokens: Object(inputTokens), outputTokens: Object(outputTokens) };
}
