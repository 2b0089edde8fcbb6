import {
  type CallContext,
  type Contract,
  type Handled,
  type HandledInTurn,
  type LogFields,
  createContract,
} from "@toolcontract/core";
import {
  type AttemptEvent,
  type Guardrails,
  type GuardrailsOptions,
  type ToolPressureEvent,
  createGuardrails,
} from "../index.ts";

/** Guardrails in a loop of one's own, and everything that they reported. */
export interface OwnLoop<State, Limit extends string = string> {
  readonly guardrails: Guardrails<State, Limit>;
  readonly contract: Contract;
  readonly events: AttemptEvent[];
  readonly pressures: ToolPressureEvent[];
  readonly lines: {
    readonly message: string;
    readonly fields: LogFields & { readonly error?: unknown; readonly tool_name?: unknown };
  }[];
  /** One call in a turn of its own, unless `place` names one. */
  readonly call: (
    tool: string,
    execute: (args: never) => unknown,
    args?: unknown,
    place?: Partial<CallContext & { readonly id: string }>,
  ) => Promise<Handled>;
  /** Parallel calls of one model turn, each as a tool's name and what it runs. */
  readonly turn: (
    calls: readonly (readonly [tool: string, execute: (args: never) => unknown, args?: unknown])[],
    place?: Partial<CallContext>,
  ) => Promise<readonly HandledInTurn[]>;
}

/** Opens a loop whose clock stands still. */
export function ownLoop<State, Limit extends string = string>(
  options: GuardrailsOptions<State, Limit>,
): OwnLoop<State, Limit> {
  const { effects = {}, locks = {} } = options;
  const named = [...Object.keys(effects), ...Object.keys(locks)];
  return loopOf(createGuardrails({ clock: () => 0, ...options }), named);
}

/** Opens a loop on guardrails that others may share; `named` are tools that they name. */
export function loopOf<State, Limit extends string = string>(
  guardrails: Guardrails<State, Limit>,
  named: readonly string[] = [],
): OwnLoop<State, Limit> {
  const lines: OwnLoop<State>["lines"] = [];
  const logger = (fields: LogFields, message: string): void => void lines.push({ fields, message });
  const contract = createContract({ guardrails, logger });
  const events: AttemptEvent[] = [];
  const pressures: ToolPressureEvent[] = [];
  contract.on("attempt", (event) => events.push(event));
  contract.on("tool-pressure", (event) => pressures.push(event));
  let serial = 0;
  const next = (kind: string): string => `${kind}_${(serial += 1)}`;
  return {
    guardrails,
    contract,
    events,
    pressures,
    lines,
    async call(name, execute, args = {}, { id = next("call"), ...place } = {}) {
      const tool = { name, inputSchema: { type: "object" }, execute } as const;
      const turnId = `turn_of_${id}`;
      return contract.handle(
        { id, name, arguments: args },
        { conversationId: "thread-7", turnId, ...place, tool },
      );
    },
    async turn(calls, place = {}) {
      const turnId = next("turn");
      const names = [...new Set([...named, ...calls.map(([name]) => name)])];
      const tools = names.map((name) => ({ name, inputSchema: { type: "object" } }) as const);
      const executes = new Map(calls.map(([, execute], index) => [`${turnId}-${index}`, execute]));
      return contract.handleTurn(
        calls.map(([name, , args = {}], index) => ({
          id: `${turnId}-${index}`,
          name,
          arguments: args,
        })),
        {
          tools,
          conversationId: "thread-7",
          turnId,
          execute: (args, { call }) => executes.get(call.id)?.(args as never),
          ...place,
        },
      );
    },
  };
}

/** What became of a call, in words: its value, or how it was refused. */
export function endOf(handled: HandledInTurn): string {
  if (handled.status === "failed") return handled.result.content;
  if (handled.status === "executed") {
    return handled.result.isError ? `failed: ${handled.result.content}` : handled.result.content;
  }
  if (handled.status === "ask")
    return `asked: ${handled.request.reasons.map(({ why }) => why).join()}`;
  const { lane, status } = handled;
  const outcome = status === "blocked" ? ` ${handled.outcome?.error_type}` : "";
  return `${status} ${lane} ${handled.attempt}/${handled.maxAttempts}${outcome}`;
}

/** A promise that is settled by hand. */
interface Gate<T = void> {
  readonly promise: Promise<T>;
  readonly open: (value: T) => void;
  readonly fail: (reason: unknown) => void;
}

/** Makes a promise that is settled by hand. */
export function gate<T = void>(): Gate<T> {
  let open!: (value: T) => void;
  let fail!: (reason: unknown) => void;
  const promise = new Promise<T>((resolve, reject) => {
    open = resolve;
    fail = reject;
  });
  return { promise, open, fail };
}

/** Lets everything that waits for nothing but promises go on. */
export async function idle(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** The stages of events, by attempt. */
export function stagesOf(events: readonly AttemptEvent[]): readonly string[] {
  return events.map(
    ({ attempt_id, attempt_stage, committed, rollback_applied, retry_feedback_injected }) => {
      const marks = [
        committed && "committed",
        rollback_applied && "undone",
        retry_feedback_injected && "retry",
      ].filter(Boolean);
      return `${attempt_id} ${attempt_stage}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
    },
  );
}
