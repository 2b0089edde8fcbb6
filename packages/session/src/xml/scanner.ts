import { endingOf } from "@toolcontract/core/adapter";
import {
  type NextTurn,
  REPORT_TOOL,
  type ReportFormat,
  type XmlEvent,
  type XmlFinalEvent,
  type XmlIgnoredEvent,
  type XmlScanner,
  type XmlState,
} from "../shared/index.ts";
import { isReportPlaceholder, offeredTools } from "./render-next.ts";
import { reportArguments } from "./report-arguments.ts";
import { type Block, createBlockSplitter } from "./split-blocks.ts";

/** The reasons at which a report without its closing tag is whole beyond doubt (section 11). */
const NORMAL = new Set(["stop", "end_turn", "end", "eos"]);

/**
 * Finds the calls and the final report in one answer of a model; make one for each attempt.
 *
 * `next` is what the request was rendered with: a tool that it did not offer is not called. Never throws for what a model
 * writes, and costs the same for each character however the text is cut.
 *
 * @see packages/session/README.md
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
    if (isReportPlaceholder(block.payload, next.report)) return ignored("placeholder");
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
      const ending = stop === undefined ? undefined : endingOf(stop);
      const isTruncated = ending === "length" || ending === "failure";
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
