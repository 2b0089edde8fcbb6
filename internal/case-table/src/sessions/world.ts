import type { Json, JsonObject } from "../conformance-case.ts";
import type { Recorder } from "../recording/index.ts";
import { nonceIn, withNonce, withoutNonce } from "./nonce.ts";
import type { SeenRequest, SeenResult } from "./seen.ts";
import type {
  CaseLimits,
  CaseReply,
  CaseTarget,
  SessionCase,
  SessionTool,
} from "./session-case.ts";

/** When every run begins: 2026-01-01T00:00:00Z. */
export const START: number = Date.UTC(2026, 0, 1);

/** What a host makes of a row, and what it reports back; the rest is the same for all. */
export interface World {
  /** The limits, as a session takes them. */
  readonly options: WorldOptions;
  readonly targets: readonly [WorldTarget, ...WorldTarget[]];
  readonly tools: readonly WorldTool[];
  readonly system: string | undefined;
  readonly messages: NonNullable<SessionCase["messages"]>;
  readonly temperature: number | undefined;
  /** The user's signal. */
  readonly signal: AbortSignal;
}

/** The limits of a session. */
interface WorldOptions extends Omit<
  CaseLimits,
  | "toolTimeout"
  | "toolResponseMaxBytes"
  | "queues"
  | "countsCharacters"
  | "price"
  | "servers"
  | "sharesQueues"
> {
  readonly toolTimeout?: number | ((tool: string) => number | undefined);
  readonly toolResponseMaxBytes?: number | ((tool: string) => number | undefined);
  readonly queues?: NonNullable<CaseLimits["queues"]>;
  readonly estimateTokens?: (text: string) => number;
  readonly price?: () => number;
  readonly serverOf?: (tool: string) => string | undefined;
  readonly clock: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly onEvent: (event: { readonly type: string }) => void;
  readonly logger: (fields: object, message: string) => void;
  /** OpenTelemetry's API, while behaviour is recorded. */
  readonly telemetry?: Recorder["telemetry"];
}

/** A model to make. */
export interface WorldTarget {
  /** The provider's name; the model's is `scripted`. */
  readonly name: string;
  /** All else that a session takes for a target. */
  readonly limits: Omit<CaseTarget, "name" | "replies">;
  /** Notes a request and returns what to answer, or to throw; rejects if the request was aborted while it hung. */
  readonly ask: (request: SeenRequest, signal: AbortSignal | undefined) => Promise<CaseReply>;
  /** Awaited after the text of a reply that stalls; it only rejects. */
  readonly stall: (signal: AbortSignal | undefined) => Promise<never>;
}

/** A tool to make. */
export interface WorldTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
  /** True if a small image goes with the text that it returns. */
  readonly image: boolean;
  readonly run: (input: unknown, signal: AbortSignal | undefined) => Promise<Json>;
}

/** What a row observes. */
export interface Observation {
  readonly requests: (SeenRequest & { readonly to: string })[];
  readonly waits: number[];
  readonly events: { readonly type: string }[];
  readonly ran: string[];
  readonly stopped: string[];
  readonly atOnce: Record<string, number>;
  readonly inner: SeenResult[];
}

/** How a host runs rows. */
export interface WorldHost {
  /** Makes a session; each call of what it returns is a run. */
  readonly create: (world: World) => () => Promise<SeenResult>;
  /** The session package's own function. */
  readonly createQueues: (queues: NonNullable<CaseLimits["queues"]>) => object;
}

const PATH: JsonObject = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};

/** What a row shares with the row whose tool runs it, and what its behaviour is recorded by. */
interface WorldParts {
  readonly recorder?: Recorder;
  readonly queues?: object;
}

/** Makes what a row describes. */
export function createWorld(
  testCase: SessionCase,
  host: WorldHost,
  { recorder, queues: shared }: WorldParts = {},
): { readonly world: World; readonly seen: Observation } {
  const { options = {}, targets, tools = [], system, temperature, aborts, runs = 1 } = testCase;
  const seen: Observation = {
    requests: [],
    waits: [],
    events: [],
    ran: [],
    stopped: [],
    atOnce: {},
    inner: [],
  };
  const user = new AbortController();
  let now = START;
  const queues =
    options.sharesQueues && options.queues
      ? (shared ?? host.createQueues(options.queues))
      : options.queues;

  /** Everything that waits comes by here. */
  function wait(): void {
    if (aborts === "waiting") user.abort(new Error("the user left"));
  }
  if (aborts === "before") user.abort(new Error("the user left"));

  function targetOf({ name, replies, ...limits }: CaseTarget): WorldTarget {
    let asked = 0;
    return {
      name,
      limits,
      async ask(request, signal) {
        // Runs at once must not take the replies of each other.
        const index = runs === 1 ? asked : countAnswers(request);
        asked += 1;
        const nonce = options.transport && nonceIn(request);
        const reply = withNonce(replies[index] ?? { text: "end of the script" }, nonce);
        seen.requests.push({
          ...(nonce === undefined ? request : withoutNonce(request)),
          to: name,
        });
        now += reply.takes ?? 0;
        if (reply.hangs !== undefined) {
          wait();
          await (reply.hangs === "deaf" ? never() : untilAborted(signal));
        }
        return reply;
      },
      async stall(signal) {
        wait();
        return untilAborted(signal);
      },
    };
  }

  function toolOf(tool: SessionTool): WorldTool {
    const { name, inputSchema = PATH, image = false } = tool;
    let running = 0;
    return {
      name,
      inputSchema,
      image,
      async run(input, signal) {
        const { path } = Object(input) as { readonly path?: unknown };
        const label = typeof path === "string" ? `${name} ${path}` : name;
        seen.ran.push(label);
        signal?.addEventListener("abort", () => seen.stopped.push(name));
        running += 1;
        seen.atOnce[name] = Math.max(seen.atOnce[name] ?? 0, running);
        try {
          now += tool.takes ?? 0;
          if (tool.hangs) {
            wait();
            await never();
          }
          await pause(tool.pauses);
          if (tool.throws !== undefined) throw new Error(tool.throws);
          if (tool.session) return await delegate(tool.session);
          const { returns = label, times = 1 } = tool;
          return typeof returns === "string" ? returns.repeat(times) : returns;
        } finally {
          running -= 1;
        }
      },
    };
  }

  async function delegate(inner: SessionCase): Promise<Json> {
    const { world } = createWorld(inner, host, {
      ...(recorder && { recorder }),
      ...(queues && { queues }),
    });
    const result = await host.create(world)();
    seen.inner.push(result);
    const { content } = Object(result.finalReport) as { readonly content?: unknown };
    return String(content);
  }

  const { toolTimeout, toolResponseMaxBytes, ...others } = options;
  const { countsCharacters, price, servers, sharesQueues: _, ...limits } = others;
  return {
    seen,
    world: {
      options: {
        ...limits,
        ...(toolTimeout !== undefined && { toolTimeout: byTool(toolTimeout) }),
        ...(toolResponseMaxBytes !== undefined && {
          toolResponseMaxBytes: byTool(toolResponseMaxBytes),
        }),
        ...(queues && { queues: queues as NonNullable<CaseLimits["queues"]> }),
        ...(countsCharacters && { estimateTokens: (text: string) => text.length }),
        ...(price !== undefined && { price: () => price }),
        ...(servers && { serverOf: (tool: string) => servers[tool] }),
        clock: () => now,
        async sleep(milliseconds) {
          seen.waits.push(milliseconds);
          now += milliseconds;
          wait();
        },
        onEvent: (event) => {
          seen.events.push(event);
        },
        logger: (fields, message) => recorder?.add("log", { fields, message }),
        ...(recorder && { telemetry: recorder.telemetry }),
      },
      targets: targets.map(targetOf) as unknown as World["targets"],
      tools: tools.map(toolOf),
      system,
      messages: testCase.messages ?? [{ role: "user", text: "What is in my notes?" }],
      temperature,
      signal: user.signal,
    },
  };
}

function byTool(
  limit: number | Readonly<Record<string, number>>,
): number | ((tool: string) => number | undefined) {
  return typeof limit === "number" ? limit : (tool) => limit[tool];
}

function countAnswers({ messages }: SeenRequest): number {
  return messages.filter(({ role }) => role === "assistant").length;
}

async function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) fail();
    signal?.addEventListener("abort", fail);
  });
}

async function pause(milliseconds = 0): Promise<void> {
  if (milliseconds === 0) return;
  await new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

async function never(): Promise<never> {
  return new Promise(() => undefined);
}
