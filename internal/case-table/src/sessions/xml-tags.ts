// What models write in the XML transports; `NONCE` stands for the nonce of the run.

const ATTRIBUTES = ' tool="agent__final_report" format="markdown"';

/** A payload in the tags of a slot. */
export function tag(slot: string, attributes: string, payload: string): string {
  return `<ai-agent-NONCE-${slot}${attributes}>${payload}</ai-agent-NONCE-${slot}>`;
}

/** A call in a slot. */
export function xmlCall(slot: string, payload = '{"path":"a"}', tool = "read"): string {
  return tag(slot, ` tool="${tool}"`, payload);
}

/** The final report. */
export function xmlReport(content = "Two notes."): string {
  return tag("FINAL", ATTRIBUTES, `\n${content}\n`);
}

/** A report without its closing tag. */
export function openReport(content: string): string {
  return `<ai-agent-NONCE-FINAL${ATTRIBUTES}>${content}`;
}
