import { createContract } from "@toolcontract/core";

const silent = createContract({ logger: () => undefined, interpreter: true });

/** The one known name that an unknown name is near to, as core would hint at it. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  const properties = Object.fromEntries(known.map((one) => [one, true]));
  const inputSchema = { type: "object", properties, additionalProperties: false } as const;
  const checked = silent.check({ name: "lookup", inputSchema }, { [name]: 0 });
  const hint = checked.status === "invalid" ? checked.errors[0]?.hint : undefined;
  return known.find((one) => hint?.endsWith(` ${JSON.stringify(one)}`));
}
