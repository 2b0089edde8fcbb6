import type { SessionCase } from "./session-case.ts";

/**
 * What a row may need from its host, and not every host has.
 *
 * `images`: a tool can return an image beside its text. `settings`: a target can have settings of its own. `streams`: an
 * answer can be read while it comes. `resumes`: the loop asks again after an answer that broke when a part of it had been
 * passed on.
 */
export type SessionNeed = "images" | "resumes" | "settings" | "streams";

/** What a row needs, read from it, so that none can forget to declare it. */
export function sessionNeedsOf({
  options = {},
  targets,
  tools = [],
}: SessionCase): readonly SessionNeed[] {
  const replies = targets.flatMap((target) => target.replies);
  // Only what may be the report is passed on before the answer has ended.
  const isPassedOn = options.expectedOutputFormat !== "json" && options.maxRetries !== 1;
  const needs: Record<SessionNeed, boolean> = {
    images: tools.some(({ image }) => image === true),
    resumes:
      isPassedOn && replies.some(({ breaks, text = "" }) => isBroken(breaks) && text.trim() !== ""),
    settings: targets.some(({ settings }) => settings !== undefined),
    streams: replies.some(({ breaks, chunk }) => (breaks ?? chunk) !== undefined),
  };
  return Object.entries(needs).flatMap(([name, isNeeded]) =>
    isNeeded ? [name as SessionNeed] : [],
  );
}

function isBroken(breaks: "error" | "closes" | "stalls" | undefined): boolean {
  return breaks === "error" || breaks === "closes";
}
