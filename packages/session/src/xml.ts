// Calls in XML (section 11): @toolcontract/session/xml. Nothing else of the package loads it.

export { startXml, xml, xmlFinal } from "./xml/index.ts";
export type { XmlStart } from "./xml/index.ts";
export type {
  NextTool,
  NextTurn,
  OfferedName,
  XmlCall,
  XmlCallEvent,
  XmlEnd,
  XmlEvent,
  XmlFinalEvent,
  XmlIgnoredEvent,
  XmlMessage,
  XmlRequestMessage,
  XmlResult,
  XmlRun,
  XmlScanner,
  XmlState,
  XmlTransport,
} from "./shared/index.ts";
