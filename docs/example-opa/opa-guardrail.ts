import type { Guardrail, Verdict, Violation } from "@toolcontract/guardrails";

/** Where to ask, and about which tools. */
export interface OpaOptions {
  /** The server, such as `http://127.0.0.1:8181`. */
  readonly url: string;
  /** The decision, such as `shop/refunds`: a document with `allow` and `violations`. */
  readonly decision: string;
  /** The tools that it applies to; all of them by default. */
  readonly tools?: readonly string[];
}

/** Asks an Open Policy Agent about each call, before anybody is asked to approve it. */
export function opaGuardrail({ url, decision, tools }: OpaOptions): Guardrail {
  const address = new URL(`/v1/data/${decision}`, url);
  return {
    name: "opa",
    ...(tools && { tools }),
    needs: "args",
    async check({ tool, args, attempt, signal }): Promise<Verdict> {
      const body = JSON.stringify({ input: { tool, args, attempt } });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(address, { method: "POST", headers, body, signal });
      if (!answer.ok) throw new Error(`OPA answered with status ${answer.status}`);
      const { result } = (await answer.json()) as { readonly result?: OpaResult };
      if (result?.allow === true) return null;
      return result?.violations?.length ? result.violations : NOT_ALLOWED;
    },
  };
}

interface OpaResult {
  readonly allow?: boolean;
  readonly violations?: readonly Violation[];
}

const NOT_ALLOWED: Violation = {
  message: "no policy allows this call",
  class: "terminal_guardrail",
  reason: "unsupported_capability",
};
