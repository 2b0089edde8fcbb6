// The XML transport: instructions, history and answers, on plain strings.

export { createXmlState } from "./state.ts";
export type { XmlState } from "./state.ts";
export { isOfferedNatively, renderNext } from "./render-next.ts";
export type { NextTool, NextTurn } from "./render-next.ts";
export { renderCall, renderHistory, renderRequest, renderResult } from "./render-history.ts";
export type { XmlCall, XmlMessage, XmlRequestMessage, XmlResult } from "./render-history.ts";
export { createScanner } from "./scanner.ts";
export type {
  XmlCallEvent,
  XmlEnd,
  XmlEvent,
  XmlFinalEvent,
  XmlIgnoredEvent,
  XmlScanner,
} from "./scanner.ts";
export { xmlFacts } from "./xml-facts.ts";
