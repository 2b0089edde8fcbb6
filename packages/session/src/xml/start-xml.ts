import type { XmlRun, XmlTransport } from "../shared/index.ts";
import { renderHistory, renderResult } from "./render-history.ts";
import { isOfferedNatively, renderNext } from "./render-next.ts";
import { createScanner } from "./scanner.ts";
import { createXmlState, type XmlStart } from "./state.ts";
import { xmlFacts } from "./xml-facts.ts";

/**
 * Starts one run in XML, for a loop of your own; the option `transport` of a session takes {@link xml} or {@link xmlFinal}.
 *
 * The nonce keeps tags apart from text that is quoted; it is not a secret and protects nothing.
 *
 * @throws ToolContractError for an invalid nonce or mode.
 * @example
 * ```ts
 * const run = startXml({ mode: "xml" });
 * const text = run.renderResult({ id: "1", name: "add", request: { a: 1 }, response: "2" });
 * ```
 * @see packages/session/README.md
 */
export function startXml(given: XmlStart): XmlRun {
  const state = createXmlState(given);
  return {
    ...state,
    renderNext: (next) => renderNext(state, next),
    renderHistory: (messages) => renderHistory(state, messages),
    renderResult: (result) => renderResult(state, result),
    isOfferedNatively: (tool) => isOfferedNatively(state, tool),
    createScanner: (next) => createScanner(state, next),
    factsOf: xmlFacts,
  };
}

/**
 * The transport in which all calls are tags: `transport: xml`.
 *
 * @example
 * ```ts
 * const limits: SessionLimits = { transport: xml };
 * ```
 */
export const xml: XmlTransport = { mode: "xml", start: () => startXml({ mode: "xml" }) };

/**
 * The transport in which only the final report is a tag, and tools stay native: `transport: xmlFinal`.
 *
 * @example
 * ```ts
 * const limits: SessionLimits = { transport: xmlFinal };
 * ```
 */
export const xmlFinal: XmlTransport = {
  mode: "xml-final",
  start: () => startXml({ mode: "xml-final" }),
};
