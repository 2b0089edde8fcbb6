import type { Recording } from "@toolcontract/telemetry";

const KINDS = ["text", "log", "event", "entry", "span", "counter"] as const;

/** What a line is: an entry is one of a session's accounting. */
type Kind = (typeof KINDS)[number];

/** One thing that a case made visible. */
export interface Line {
  readonly kind: Kind;
  /** The model's turn in which it happened; 0 before the first. */
  readonly turn: number;
  readonly detail: object;
}

/** A contract, as far as it can be observed. */
interface WatchedContract {
  on(event: never, listener: (payload: object) => unknown): unknown;
  metrics(): object;
}

/** Records what one case makes visible. */
export interface Recorder {
  /** OpenTelemetry's API, which the options of any contract take; what is published names no type of it. */
  readonly telemetry: never;
  /** Adds a line, of the turn under way by default. */
  add(kind: Kind, detail: object, turn?: number): void;
  /** Records the events of a contract, and at the end its counters. */
  watch(contract: WatchedContract): void;
  nextTurn(): void;
  /** Runs the next turn of the model, in a span of its own. */
  inTurn<T>(run: () => Promise<T>): Promise<T>;
  /** Ends the case; returns what was recorded. */
  end(): Promise<readonly Line[]>;
}

// Those of core and of guardrails; a contract refuses to be asked for events that it does not have.
const EVENTS = [
  "call-admitted",
  "call-repaired",
  "call-executed",
  "call-recovered",
  "call-rejected",
  "call-escalated",
  "contract-degraded",
  "attempt",
  "tool-pressure",
] as const;

// A process runs one case at a time, so that what creates a contract need not be passed the recorder.
let current: Recorder | undefined;

/** The recorder of the case under way; undefined unless behaviour is recorded. */
export function currentRecorder(): Recorder | undefined {
  return current;
}

/** Lets the recorder, if there is one, observe a contract. */
export function watched<C extends WatchedContract>(contract: C): C {
  current?.watch(contract);
  return contract;
}

/** The options of a contract as an adapter takes them; while behaviour is recorded, a contract made of them. */
export function watchedOptions<O extends object, C extends WatchedContract>(
  options: O,
  create: (options: O) => C,
): O | { readonly contract: C } {
  return current ? { contract: watched(create(options)) } : options;
}

/** Starts recording a case. OpenTelemetry's SDK is loaded only now: most runs record nothing. */
export async function startRecorder(): Promise<Recorder> {
  const { startRecording } = await import("@toolcontract/telemetry");
  const recording = startRecording();
  const lines: Line[] = [];
  const contracts: WatchedContract[] = [];
  let turn = 0;

  // As JSON at once: what it was taken from may change.
  const add: Recorder["add"] = (kind, detail, at = turn) => {
    lines.push({ kind, turn: at, detail: plain(detail) });
  };

  const recorder: Recorder = {
    telemetry: recording.api as never,
    add,
    watch(contract) {
      contracts.push(contract);
      for (const name of EVENTS) {
        try {
          contract.on(name as never, (payload) => add("event", { name, ...plain(payload) }));
        } catch {
          // It has no such event.
        }
      }
    },
    nextTurn: () => void (turn += 1),
    async inTurn(run) {
      recorder.nextTurn();
      return recording.inSpan(`turn ${turn}`, run);
    },
    async end() {
      // After a case that timed out, the next one has begun.
      if (current === recorder) current = undefined;
      turn = 0;
      for (const detail of spansOf(recording)) add("span", detail);
      for (const detail of recordsOf(recording)) add("log", detail);
      for (const detail of await countersOf(recording)) add("counter", detail);
      for (const contract of contracts)
        add("counter", { name: "metrics()", ...contract.metrics() });
      recording.stop();
      return sorted(lines);
    },
  };
  current = recorder;
  return recorder;
}

/**
 * Sorts by kind. Calls of one turn end in any order, so the events of each call stay together, in the order of the calls'
 * first ones, and what the accounting has between two requests is in the order of its text.
 */
function sorted(lines: readonly Line[]): readonly Line[] {
  const calls = lines.map(callOf);
  let requests = 0;
  return lines
    .map((line, index) => {
      const { kind, detail } = line;
      const isEntry = kind === "entry";
      if (isEntry && "provider" in detail) requests += 1;
      const place = isEntry ? requests : calls.indexOf(calls[index]);
      return {
        line,
        kind: KINDS.indexOf(kind),
        place,
        text: isEntry ? JSON.stringify(detail) : "",
      };
    })
    .toSorted((a, b) => a.kind - b.kind || a.place - b.place || compareTexts(a.text, b.text))
    .map(({ line }) => line);
}

function callOf({ kind, detail }: Line): unknown {
  const { toolCallId, call_id } = detail as Readonly<Record<string, unknown>>;
  return kind === "event" ? (toolCallId ?? call_id) : undefined;
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The spans in the order in which they began, each with the name of its parent. */
function spansOf({ spans }: Recording): readonly object[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans.map(({ name, kind, attributes, events, status, ended, parentSpanContext }) => ({
    name,
    parent: parentSpanContext && (names.get(parentSpanContext.spanId) ?? "another process"),
    kind,
    attributes,
    events: events.map((event) => ({ name: event.name, attributes: event.attributes })),
    status,
    ended,
  }));
}

function recordsOf({ logs, spans }: Recording): readonly object[] {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return logs.map(({ eventName, severityText, attributes, body, spanContext }) => ({
    record: eventName,
    severityText,
    span: spanContext && names.get(spanContext.spanId),
    attributes,
    body,
  }));
}

/** A line for each set of attributes, sorted: parallel calls end in any order. Of times, only how many there are. */
async function countersOf(recording: Recording): Promise<readonly object[]> {
  const metrics = await recording.metrics();
  const counters = metrics.flatMap(({ descriptor: { name, unit }, dataPoints }) =>
    dataPoints.map(({ attributes, value }) => {
      const isTime = unit === "s" && typeof value === "object";
      return { name, attributes, value: isTime ? { count: value.count } : value };
    }),
  );
  return counters.toSorted((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b)));
}

/** What JSON keeps of a value, with maps as lists and errors as their name and message. */
function plain(value: object): object {
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (member instanceof Map || member instanceof Set) return [...member];
    if (member instanceof Error && !("toJSON" in member)) {
      return { name: member.name, message: member.message };
    }
    return member;
  });
  return JSON.parse(text) as object;
}
