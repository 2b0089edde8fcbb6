import type { CaseTurn, ConformanceCase, Style } from "./conformance-case.ts";

/** What the table watches from outside; a harness passes it to its contract's options. */
export interface Observers {
  readonly logger: (fields: object, message: string) => void;
  readonly onEscalation: (escalation: SeenEscalation) => void;
}

/** An escalation as far as the table looks at it. */
export interface SeenEscalation {
  readonly status: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly summary: string;
  readonly history: readonly { readonly attempt: number }[];
  readonly toolCall: { readonly id: string; readonly arguments: unknown };
}

/** What became of one call, as the host tells it. */
export interface CallReport {
  readonly id: string;
  readonly outcome: "executed" | "rejected" | "blocked";
  /** What the model reads. */
  readonly content: string;
  /** The host's own error flag. */
  readonly isError: boolean;
  /** Whether the tool's function was entered. */
  readonly ran: boolean;
  /** The arguments that it got. */
  readonly input?: unknown;
}

/** A conversation on one host, fresh for every case. */
export interface AdapterHarness {
  /** Lets the model make the turn's calls and answers with a report for each, in their order. */
  runTurn(turn: CaseTurn): Promise<readonly CallReport[]>;
  /** Ends what the harness started. */
  close?(): Promise<void> | void;
}

/** Sets a host up with the case's tools and options; the tools answer as `outputOf` says. */
export type CreateHarness = (
  testCase: ConformanceCase,
  observers: Observers,
) => AdapterHarness | Promise<AdapterHarness>;

/** A message read back: core's parseRejection gives it. */
export interface ReadMessage {
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
