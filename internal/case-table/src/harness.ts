import type { CaseTurn, ConformanceCase, Style } from "./conformance-case.ts";
import type { Recorder } from "./recording/index.ts";

/** The table's own observers; a harness passes them to its contract's options. */
export interface Observers {
  readonly logger: (fields: object, message: string) => void;
  readonly onEscalation: (escalation: SeenEscalation) => void;
  /** OpenTelemetry's API, while behaviour is recorded. */
  readonly telemetry?: Recorder["telemetry"];
}

/** The part of an escalation that the table checks. */
export interface SeenEscalation {
  readonly status: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly summary: string;
  readonly history: readonly { readonly attempt: number }[];
  readonly outcome?: object | undefined;
  readonly toolCall: { readonly id: string; readonly arguments: unknown };
}

/** The outcome of one call, as the host reports it. */
export interface CallReport {
  readonly id: string;
  readonly outcome: "executed" | "rejected" | "blocked";
  /** What the model reads. */
  readonly content: string;
  /** The host's own error flag. */
  readonly isError: boolean;
  /** Whether the tool's function was called. */
  readonly ran: boolean;
  /** The arguments that it got. */
  readonly input?: unknown;
}

/** A conversation on one host, new for every case. */
export interface AdapterHarness {
  /** Lets the model make the turn's calls; returns a report for each, in order. */
  runTurn(turn: CaseTurn): Promise<readonly CallReport[]>;
  /** What the guardrails have committed, if the harness made them itself, such as in another process. */
  committed?(): Promise<unknown>;
  /** Ends what the harness started. */
  close?(): Promise<void> | void;
}

/** Sets up a host with the case's tools and options; the tools return `outputOf` the call. */
export type CreateHarness = (
  testCase: ConformanceCase,
  observers: Observers,
) => AdapterHarness | Promise<AdapterHarness>;

/** A message read back: core's parseRejection gives it. */
export interface ReadMessage {
  readonly lane: string;
  readonly toolName: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly status: "rejected" | "blocked";
  readonly settled: boolean;
  readonly style: Style;
  readonly errors: readonly ReadError[];
  readonly hiddenErrors: number;
  readonly repeats?: number;
  readonly earlier: readonly { readonly attempt: number }[];
  readonly advisories: readonly ReadError[];
}

/** An error of a message. */
export interface ReadError {
  readonly errorCode: string;
  readonly fieldPath: string;
}
