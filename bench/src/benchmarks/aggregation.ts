import { createContract, type RuleError, type ToolDefinition } from "@toolcontract/core";
import { type Benchmark, type Table } from "../benchmark.ts";
import { race } from "../race.ts";

const COUNTS = [1, 10, 100];
const MOST = 100;

/**
 * Measures what ordering and deduplicating errors costs.
 *
 * Aggregation cannot be called alone, so the checks compared differ in little else: a rule reports one error or
 * several, and `maxErrors: 1` keeps the message the same.
 */
export const aggregation: Benchmark = {
  name: "aggregation",
  about: "check() with several errors less check() with one: an upper bound of aggregating",
  async run({ length }) {
    const contract = createContract({ format: { maxErrors: 1 }, logger: () => undefined });
    const contestants = COUNTS.map((count) => {
      const tool = toolWith(count);
      return { name: `${count} reported by a rule`, run: () => contract.check(tool, {}) };
    });
    const times = (await race(contestants, length)).map(
      ({ name, median }) => [name, median] as const,
    );
    const [, alone] = times[0] ?? ["", Number.NaN];
    const rows = times.slice(1).map(([name, time]) => ({ name, value: time - alone, unit: "µs" }));
    const met = (rows[0]?.value ?? Number.NaN) < MOST;
    const table: Table = {
      title: "more than for one error",
      rows,
      target: { words: `less than ${MOST} µs for ten errors`, met },
    };
    return [table];
  },
};

function toolWith(count: number): ToolDefinition {
  // The worst order: each error sorts before all earlier ones.
  const errors = Array.from({ length: count }, (_, index): RuleError => {
    return { fieldPath: `/items/${count - index}/name`, message: "is not in the catalogue" };
  });
  return { name: "order", inputSchema: { type: "object" }, rules: [() => errors] };
}
