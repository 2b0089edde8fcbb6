// The XML transport: instructions, history and answers, on plain strings. No other room imports it: a run gets it with its options.

export { startXml, xml, xmlFinal } from "./start-xml.ts";
export type { XmlStart } from "./state.ts";
