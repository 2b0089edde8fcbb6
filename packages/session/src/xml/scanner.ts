import { REPORT_TOOL, type ReportFormat } from "../shared/index.ts";
import { isPlaceholder, type NextTurn, offeredTools } from "./render-next.ts";
import { reportArguments } from "./report-arguments.ts";
import { type Block, createBlockSplitter } from "./split-blocks.ts";
import type { XmlState } from "./state.ts";

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

/** A tag that counts for nothing. Its text is not shown, and it is no attempt. */
export interface XmlIgnoredEvent {
  readonly type: "ignored";
  /** Why it counts for nothing. */
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
    /** A report that only repeats the line of the instructions that stands for one. */
    | "placeholder";
}

/** What an answer consists of. */
export type XmlEvent =
  | {
      /** Text outside of tags. */
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

const NORMAL = new Set(["stop", "end_turn", "end", "eos"]);
const CUT = new Set(["length", "max_tokens"]);

/**
 * Finds the calls and the final report in one answer of a model; make one for each attempt.
 *
 * `next` is what the request was rendered with: a tool that it did not offer is not called. Never throws for what a model
 * writes, and costs the same for each character however the text is cut.
 */
export function createScanner(
  state: XmlState,
  next: Pick<NextTurn, "tools" | "isForced" | "report">,
): XmlScanner {
  const splitter = createBlockSplitter(state.nonce);
  const offered = new Set(offeredTools(state, next).map(({ name }) => name));
  let calls = 0;
  let report: Block | undefined;
  let open: Block | undefined;

  function read(pieces: readonly (string | Block)[]): XmlEvent[] {
    return pieces
      .map((piece): XmlEvent | undefined => {
        if (typeof piece === "string") return { type: "text", text: piece };
        if (piece.isStray) return ignored("unopened");
        if (!piece.isClosed) {
          open = piece;
          return;
        }
        return isFinal(piece) ? readReport(piece) : readCall(piece);
      })
      .filter((event) => event !== undefined);
  }

  function readCall({ slot, attributes, payload }: Block): XmlEvent {
    const id = `${state.nonce}-${slot}`;
    const name = attributes.get("tool") ?? "";
    if (!offered.has(name)) return ignored("wrong-tool");
    const taken = state.take(id);
    if (taken !== "taken") return ignored(`${taken}-slot`);
    calls += 1;
    return { type: "call", id, name, arguments: payload.trim() === "" ? "{}" : payload };
  }

  function readReport(block: Block): XmlEvent | undefined {
    if ((block.attributes.get("tool") ?? REPORT_TOOL) !== REPORT_TOOL) return ignored("wrong-tool");
    if (isPlaceholder(block.payload, next.report)) return ignored("placeholder");
    const earlier = report;
    report = block;
    return earlier && ignored("superseded");
  }

  return {
    push: (chunk) => read(splitter.push(chunk)),
    end(finishReason) {
      const { isInside } = splitter;
      const events = read(splitter.end());
      const stop = finishReason?.toLowerCase().replaceAll("-", "_");
      const isTruncated = stop !== undefined && CUT.has(stop);
      const unclosed = open;
      let isStopUnknown = false;
      if (unclosed) {
        const isAccepted = !isTruncated && isFinal(unclosed) && unclosed.payload.trim() !== "";
        const event = isAccepted ? readReport(unclosed) : ignored("unclosed");
        if (event) events.push(event);
        isStopUnknown = report === unclosed && (stop === undefined || !NORMAL.has(stop));
      }
      if (report) events.push(finalOf(report, state.takeFinal(), next.report.format));
      const isFound = calls > 0 || report !== undefined;
      return {
        events,
        finishReason: isFound ? "tool-calls" : finishReason,
        isCut: isTruncated && isInside && !isFound,
        hasTags: splitter.hasTags,
        isStopUnknown,
      };
    },
  };
}

function isFinal({ slot }: Block): boolean {
  return slot.toLowerCase() === "final";
}

function finalOf(
  { attributes, payload, isClosed }: Block,
  id: string,
  expected: ReportFormat,
): XmlFinalEvent {
  const format = attributes.get("format");
  const content = payload.replace(/^[ \t]*\r?\n/, "").replace(/\r?\n[ \t]*$/, "");
  const given = reportArguments(format, content, expected);
  return { type: "final", id, name: REPORT_TOOL, arguments: given, format, content, isClosed };
}

function ignored(reason: XmlIgnoredEvent["reason"]): XmlIgnoredEvent {
  return { type: "ignored", reason };
}
