import { isRecord } from "@toolcontract/core/adapter";

/** The part of `@opentelemetry/api` that finds a refused call's place in the trace. */
export interface ContextApi {
  /** Keeps track of what is active. */
  readonly context: {
    /** Returns the active context. */
    active(): unknown;
    /** Runs a task in a context. */
    with<T>(context: never, task: () => T): T;
  };
}

/** An integration for the telemetry of version 7. */
export interface RefusalTracing {
  /** Remembers in which context the model makes its calls. */
  executeLanguageModelCall<T>(options: { readonly execute: () => PromiseLike<T> }): Promise<T>;
}

type RunInContext = <T>(task: () => T) => T;

/** Which context a tool call belongs to; the SDK passes the provider's own object on. */
const contexts = new WeakMap<object, RunInContext>();

/**
 * Puts the span of a refused call below the model call that made it; without it, the span is below whatever is active
 * around generateText.
 *
 * @remarks The first integration is the innermost: `registerTelemetry(traceRefusals(api), new OpenTelemetry())`.
 * @example
 * ```ts
 * registerTelemetry(traceRefusals(api), new OpenTelemetry());
 * ```
 * @see docs/telemetry.md
 */
export function traceRefusals({ context }: ContextApi): RefusalTracing {
  return {
    async executeLanguageModelCall({ execute }) {
      const active = context.active();
      const within: RunInContext = (task) => context.with(active as never, task);
      return rememberContext(await execute(), within);
    },
  };
}

/** Runs a task in the context of the model call that made a tool call, if it is known. */
export function inContextOf<T>(toolCall: object, task: () => T): T {
  const within = contexts.get(toolCall);
  return within ? within(task) : task();
}

function rememberContext<T>(result: T, within: RunInContext): T {
  if (!isRecord(result)) return result;
  const { content, stream } = result;
  if (Array.isArray(content)) for (const part of content) rememberPart(part, within);
  if (!(stream instanceof ReadableStream)) return result;
  const watched = stream.pipeThrough(
    new TransformStream<unknown, unknown>({
      transform(part, controller) {
        rememberPart(part, within);
        controller.enqueue(part);
      },
    }),
  );
  return { ...result, stream: watched };
}

function rememberPart(part: unknown, within: RunInContext): void {
  if (isRecord(part) && part.type === "tool-call") contexts.set(part, within);
}
