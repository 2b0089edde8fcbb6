import { createContract, type ContractOptions } from "@toolcontract/core";
import { secretlintRedactor } from "@toolcontract/core/secretlint";
import type { Benchmark } from "../benchmark.ts";
import type { CorpusTool } from "../corpus.ts";
import { type Contestant, race } from "../race.ts";

const FIELDS = 10;
const names = Array.from({ length: FIELDS }, (_, index) => `field_${index}`);
const tool: CorpusTool = {
  name: "update_record",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
  },
};
const PLAIN = "opened yesterday by the second team";
// Joined from parts, so that secret scanners do not report this file.
const SECRET = ["sk", "proj", "Qm7dKx2vTz9LwBn4RcJf8HsYp3Ge6Ua1"].join("-");

/** Measures the cost of keeping secrets out of the values that a rejection shows. */
export const redaction: Benchmark = {
  name: "redaction",
  about: `checkAsync() of a call with ${FIELDS} errors, by the content of its values and the redactors`,
  async run({ length }) {
    const timings = await race(
      [
        checking("numbers: nothing to mask", () => 1.5),
        checking("plain text", () => PLAIN),
        checking("a secret in every value", () => `${PLAIN} ${SECRET}`),
        checking("plain text, with a custom redactor", () => PLAIN, {
          redact: [(value) => value.replaceAll("team", "[TEAM]")],
        }),
        checking("plain text, with the rules of secretlint", () => PLAIN, {
          redact: [secretlintRedactor()],
        }),
      ],
      length,
    );
    const rows = timings.map(({ name, median, ratio, spread }) => ({
      name,
      value: median,
      unit: "µs",
      ratio,
      spread,
    }));
    return [{ title: `${FIELDS} errors`, rows }];
  },
};

function checking(name: string, valueOf: () => unknown, options: ContractOptions = {}): Contestant {
  const contract = createContract({ logger: () => undefined, ...options });
  const text = JSON.stringify(Object.fromEntries(names.map((field) => [field, valueOf()])));
  return { name, run: async () => contract.checkAsync(tool, text) };
}
