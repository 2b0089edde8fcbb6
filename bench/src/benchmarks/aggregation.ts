import { createContract, type RuleError, type ToolDefinition } from "@toolcontract/core";
import { type Benchmark, type Table } from "../benchmark.ts";
import { race } from "../race.ts";

const MANY = 100;
const MOST = 100;

/**
 * What ordering and deduplicating errors costs (NFR-002).
 *
 * Aggregation has no entry of its own, so two checks that differ in little else are compared: a rule
 * reports one error or a hundred, and one error is written out in both.
 */
export const aggregation: Benchmark = {
  name: "aggregation",
  about: `check() with ${MANY} errors less check() with one: an upper bound of aggregating`,
  async run({ length }) {
    const contract = createContract({ format: { maxErrors: 1 }, logger: () => undefined });
    const few = toolWith(1);
    const many = toolWith(MANY);
    const [one, all] = await race(
      [
        { name: "1 error", run: () => contract.check(few, {}) },
        { name: `${MANY} errors`, run: () => contract.check(many, {}) },
      ],
      length,
    );
    const rows = [one, all].flatMap((timing) =>
      timing ? [{ name: timing.name, value: timing.median, unit: "µs" }] : [],
    );
    const difference = (all?.median ?? Number.NaN) - (one?.median ?? Number.NaN);
    const table: Table = {
      title: `a rule that reports up to ${MANY} errors`,
      rows: [...rows, { name: "difference", value: difference, unit: "µs" }],
      target: { words: `the difference is less than ${MOST} µs`, met: difference < MOST },
    };
    return [table];
  },
};

function toolWith(count: number): ToolDefinition {
  // The worst order: every error belongs before those that came earlier.
  const errors = Array.from({ length: count }, (_, index): RuleError => {
    return { fieldPath: `/items/${count - index}/name`, message: "is not in the catalogue" };
  });
  return { name: "order", inputSchema: { type: "object" }, rules: [() => errors] };
}
