import type { ReplyFacts } from "./reply.ts";
import type { ReportFormat } from "./report.ts";
import type { REPORT_TOOL } from "./texts.ts";

/** A transport in which calls are tags: `xml` and `xmlFinal` of `@toolcontract/session/xml`. */
export interface XmlTransport {
  /** Whether all calls are tags, or only the final report. */
  readonly mode: "xml" | "xml-final";
  /** Starts it for one run. */
  readonly start: () => XmlRun;
}

/** One run in XML: its slots, and what writes its requests and reads its answers. */
export interface XmlRun extends XmlState {
  /** Writes the instructions for the next answer: the last message of a request, never stored. */
  readonly renderNext: (next: NextTurn) => string;
  /** Renders a stored history as the messages of one request. */
  readonly renderHistory: <M, C extends XmlCall = XmlCall, R extends XmlResult = XmlResult>(
    messages: readonly XmlMessage<M, C, R>[],
  ) => readonly XmlRequestMessage<M, C, R>[];
  /** Renders one result as the message that shows it. */
  readonly renderResult: (result: XmlResult & { readonly request?: unknown }) => string;
  /** Whether a request still offers a tool natively. */
  readonly isOfferedNatively: (tool: OfferedName) => boolean;
  /** Reads one answer; make one for each attempt. */
  readonly createScanner: (next: Pick<NextTurn, "tools" | "isForced" | "report">) => XmlScanner;
  /** What an answer is judged by. */
  readonly factsOf: (facts: ReplyFacts, end: XmlEnd) => ReplyFacts;
}

/** What decides whether a tool is offered natively. */
export interface OfferedName {
  /** The tool's name; empty if it has none. */
  readonly name: string;
  /** True if only the provider knows how it is called. */
  readonly isProviderDefined?: boolean | undefined;
}

/** What one run keeps for the XML transport. */
export interface XmlState {
  /** Eight hex digits, the same in all turns of the run. */
  readonly nonce: string;
  /** Whether all calls are tags, or only the final report. */
  readonly mode: "xml" | "xml-final";
  /** Milliseconds that calls took, by id. Whoever runs the tools sets them; results are rendered with them. */
  readonly durations: Map<string, number>;
  /** Whether a call's id is a slot of this run, the final one included: the source of its accounting entry is `xml`. */
  readonly owns: (id: string) => boolean;
  /**
   * The next slots that no call has taken. Offering takes nothing. Only offered slots can be taken; once
   * all of them are, so can the next number, which stands for one call too many.
   */
  readonly offer: (count: number) => readonly string[];
  /** Takes a slot such as `deadbeef-0001` for a call, once and for all. */
  readonly take: (slot: string) => "taken" | "used" | "unknown";
  /** An id for a report: `deadbeef-FINAL`, then `deadbeef-FINAL-2`, so that no id stands twice in a history. */
  readonly takeFinal: () => string;
  /** Marks the slot of a call in a history as taken, for a run that goes on with the nonce of an earlier one. */
  readonly see: (id: string) => void;
}

/** A tool as the model reads about it. */
export interface NextTool {
  readonly name: string;
  /** What it is for, as the tool says. */
  readonly description?: string | undefined;
  /** The JSON Schema of its arguments; any object without it. */
  readonly inputSchema?: unknown;
}

/** What the next answer may consist of. */
export interface NextTurn {
  /** The tools of the request; the report tool may be among them. Left out in the mode `xml-final`, and if forced. */
  readonly tools: readonly NextTool[];
  /** Whether only the final report is left. */
  readonly isForced: boolean;
  /** The final report that is expected. */
  readonly report: {
    readonly format: ReportFormat;
    /** The JSON Schema of the report, for the format `json`. */
    readonly outputSchema?: unknown;
  };
  /**
   * How many slots are shown, such as the most calls of one turn.
   *
   * @default 4
   */
  readonly slots?: number | undefined;
}

/** A call in a history; an adapter may add fields of its own, which come back with it. */
export interface XmlCall {
  readonly id: string;
  readonly name: string;
  /** A JSON string, or the value. */
  readonly arguments: unknown;
}

/** The result of a call in a history; an adapter may add fields of its own, which come back with it. */
export interface XmlResult {
  /** The id of the call. */
  readonly id: string;
  readonly name: string;
  /** What the model reads: a string, or a value that is shown as JSON. */
  readonly response: unknown;
  /** Whether the tool failed, or did not run. */
  readonly isFailed?: boolean;
}

/** A message of a history as it is stored; `M` is the framework's own message. */
export type XmlMessage<M, C extends XmlCall = XmlCall, R extends XmlResult = XmlResult> =
  | {
      /** Sent as it is: the system's and the user's messages. */
      readonly role: "kept";
      /** The framework's message. */
      readonly message: M;
    }
  | {
      readonly role: "assistant";
      /** Texts and calls, in the order of the message. */
      readonly content: readonly (string | C)[];
      /** The framework's message, for the rest of its content. */
      readonly message: M;
    }
  | {
      readonly role: "tool";
      /** All results of the message. */
      readonly results: readonly R[];
      /** The framework's message. */
      readonly message: M;
    };

/** A message of a request: one of the history, changed if its tags or calls had to be, or one in the user's role. */
export type XmlRequestMessage<M, C extends XmlCall = XmlCall, R extends XmlResult = XmlResult> =
  | XmlMessage<M, C, R>
  | {
      readonly role: "user";
      /** The whole message. */
      readonly text: string;
      /** The result behind the text, for parts that text cannot show, such as images. */
      readonly result?: R;
    };

/** A call that a model made with a tag. */
export interface XmlCallEvent {
  readonly type: "call";
  /** The slot, such as `deadbeef-0001`. */
  readonly id: string;
  readonly name: string;
  /** What stood between the tags, unparsed; `{}` if nothing did. */
  readonly arguments: string;
}

/**
 * The final report of an answer: the last one that is valid. It is a call of the report tool as well, with which a
 * framework's loop goes on as if the model had made it natively.
 */
export interface XmlFinalEvent {
  readonly type: "final";
  /** A call's id for it, such as `deadbeef-FINAL`. */
  readonly id: string;
  readonly name: typeof REPORT_TOOL;
  /** The arguments of the report tool, as JSON. */
  readonly arguments: string;
  /** The tag's `format`; undefined if it has none. */
  readonly format: string | undefined;
  /** What stood between the tags, without the line breaks next to them. */
  readonly content: string;
  /** False if the answer ended without the closing tag, and had ended normally. */
  readonly isClosed: boolean;
}

/** A tag that is ignored: its text is not shown, and it does not count as an attempt. */
export interface XmlIgnoredEvent {
  readonly type: "ignored";
  /** Why it is ignored. */
  readonly reason:
    /** A slot that has been called, in this answer or an earlier one. */
    | "used-slot"
    /** No slot of this run. */
    | "unknown-slot"
    /** A tool that was not offered, or one that the slot is not for. */
    | "wrong-tool"
    /** The closing tag is missing. */
    | "unclosed"
    /** A closing tag alone. */
    | "unopened"
    /** A report before the last one. */
    | "superseded"
    /** A report that only repeats the placeholder of the instructions. */
    | "placeholder";
}

/** What an answer consists of. */
export type XmlEvent =
  | {
      /** Text outside tags. */
      readonly type: "text";
      /** What is shown, and stored. */
      readonly text: string;
    }
  | XmlCallEvent
  | XmlFinalEvent
  | XmlIgnoredEvent;

/** The end of an answer. */
export interface XmlEnd {
  /** What was held back until now, and the final report if there is one. */
  readonly events: readonly XmlEvent[];
  /** `"tool-calls"` if the answer made a call or a report in tags, else the given one: a loop runs no tools after others. */
  readonly finishReason: string | undefined;
  /** Whether the answer reached its length limit in the middle of a tag and made no other call: retry it. */
  readonly isCut: boolean;
  /** Whether anything began like a tag, with whatever nonce: text beside tags is never the report. */
  readonly hasTags: boolean;
  /** Whether a report without its closing tag was accepted although nobody knows why the answer ended: warn. */
  readonly isStopUnknown: boolean;
}

/** Reads one answer. */
export interface XmlScanner {
  /** Reads the next part of the answer's text, cut anywhere. */
  readonly push: (chunk: string) => readonly XmlEvent[];
  /** Ends the answer. */
  readonly end: (finishReason: string | undefined) => XmlEnd;
}
