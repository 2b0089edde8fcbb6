import type { SessionCase } from "./session-case.ts";
import { REPORT } from "./texts.ts";

/**
 * What a row may need from its host, and not every host has.
 *
 * `callSettings`: a call of the framework has settings of its own, and a target's `maxOutputTokens` is one of them. `resumes`:
 * the loop asks again after an answer that broke when a part of it had been passed on. `stops`: a tool gets the signal of its
 * time limit. `retriesText`: an answer of text that has ended can be asked for again. `streams`: an answer can be read while
 * it comes. `unknownTools`: calls of tools that do not exist reach the session. `xml`: calls can be tags in the text.
 */
export type SessionNeed =
  | "callSettings"
  | "resumes"
  | "retriesText"
  | "stops"
  | "streams"
  | "unknownTools"
  | "xml";

/** What a row needs, read from it, so that none can forget to declare it. */
export function sessionNeedsOf({
  options = {},
  targets,
  tools = [],
  temperature,
  aborts,
  expected,
}: SessionCase): readonly SessionNeed[] {
  const replies = targets.flatMap((target) => target.replies);
  // The name in the notice means the report tool.
  const names = new Set([REPORT, "final_report", ...tools.map(({ name }) => name)]);
  const times = [options, ...targets].map(({ requestTimeout = {} }) => requestTimeout);
  // Only what may be the report is passed on before the answer has ended.
  const isPassedOn = options.expectedOutputFormat !== "json" && options.maxRetries !== 1;
  const needs: Record<SessionNeed, boolean> = {
    callSettings: temperature !== undefined,
    resumes:
      isPassedOn &&
      replies.some(
        ({ breaks, text = "" }) =>
          breaks !== undefined &&
          (breaks !== "stalls" || aborts === undefined) &&
          text.trim() !== "",
      ),
    retriesText:
      options.maxRetries !== 1 &&
      (options.plainText === "nudge" ||
        replies.some(
          ({ text = "", finishReason, calls = [] }) =>
            text !== "" &&
            calls.length === 0 &&
            (finishReason === "length" || finishReason === "content-filter"),
        )),
    stops: expected.stopped !== undefined,
    streams:
      replies.some(({ breaks, chunk }) => (breaks ?? chunk) !== undefined) ||
      times.some(({ firstToken, silence }) => (firstToken ?? silence) !== undefined),
    unknownTools: replies.some(({ calls = [] }) => calls.some(({ name }) => !names.has(name))),
    xml: options.transport !== undefined,
  };
  return Object.entries(needs).flatMap(([name, isNeeded]) =>
    isNeeded ? [name as SessionNeed] : [],
  );
}
