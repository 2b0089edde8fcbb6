import { createContract } from "@toolcontract/core";

const silent = createContract({ logger: () => undefined });

/** The one declared name that an unknown name is near to, as core would hint at it. */
export async function nearName(
  name: string,
  declared: readonly string[],
): Promise<string | undefined> {
  const admission = await silent.admit(
    { id: "lookup", name, arguments: {} },
    {
      tools: declared.map((known) => ({ name: known })),
      conversationId: "lookup",
      attempts: { failed: 0, history: [], complete: true, blocked: false },
    },
  );
  if (admission.status === "admitted") return undefined;
  const hint = admission.errors[0]?.hint;
  return declared.find((known) => hint === `use ${JSON.stringify(known)}`);
}
