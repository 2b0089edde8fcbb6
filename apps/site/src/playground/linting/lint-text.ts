import { lintTools, type LintOptions, type LintReport, readTools } from "@toolcontract/lint";

/** The report on pasted tools, or why they could not be read. */
export type LintedText = LintReport | { readonly fault: string };

/** More tools are not linted: the page would be too long to read. */
const MOST_TOOLS = 500;

/** Lints the tools in pasted text. */
export function lintText(text: string, options: LintOptions = {}): LintedText {
  const document = parse(text);
  if (document === undefined)
    return {
      fault: "This is not JSON. Paste the answer of a server to tools/list, or tools of a request.",
    };
  const tools = readTools(document.value);
  if (tools.length === 0)
    return {
      fault:
        "This holds no tools. Paste a tools/list, the tools of a request to OpenAI, Anthropic or Gemini, or a JSON Schema.",
    };
  if (tools.length > MOST_TOOLS)
    return { fault: `This holds ${tools.length} tools; the page lints ${MOST_TOOLS} at most.` };
  return lintTools(tools, options);
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
