import { expect, test } from "vitest";
import { variantsOf } from "./peers.ts";
import { planVisits } from "./plan.ts";
import { allQuickstarts, type Quickstart } from "./quickstarts.ts";

const NODES = [20, 22, 24];
const quickstarts = allQuickstarts();
const plan = planVisits(quickstarts, { nodes: NODES, isWhole: false });

function visitsOf(quickstart: Quickstart): typeof plan {
  return plan.filter((visit) => visit.quickstarts.includes(quickstart));
}

test.each(quickstarts.map((one) => [`${one.page} ${one.number}`, one] as const))(
  "%s is installed by both managers, as it says and with the oldest peers, and runs on every Node",
  (_, quickstart) => {
    const visits = visitsOf(quickstart);
    expect(visits.map(({ manager }) => manager).toSorted()).toEqual(["npm", "pnpm"]);
    expect(new Set(visits.flatMap(({ nodes }) => nodes))).toEqual(new Set(NODES));
    const wanted = variantsOf(quickstart.packages, false).map(({ name }) => name);
    expect(new Set(visits.map(({ variant }) => variant.name))).toEqual(new Set(wanted));
  },
);

test("every pair of a manager, a version of the peers and a Node is somewhere", () => {
  const pairs = new Set(
    plan.flatMap(({ manager, variant, nodes }) => {
      const age = variant.name === "as it says" ? "newest" : "oldest";
      return [
        `${manager} ${age}`,
        ...nodes.flatMap((node) => [`${manager} ${node}`, `${age} ${node}`]),
      ];
    }),
  );
  expect(pairs.size).toBe(2 * 2 + 2 * NODES.length + 2 * NODES.length);
});

test("quickstarts that install the same share an install, those with commands do not", () => {
  const [one] = quickstarts.filter(({ commands }) => commands.length === 0);
  if (!one) throw new Error("No quickstart is without commands.");
  const twice = [one, { ...one, page: "docs/other.md", packages: one.packages.toReversed() }];
  const options = { nodes: NODES, isWhole: false };
  expect(planVisits(twice, options)).toHaveLength(2);
  const writing = twice.map((each) => ({ ...each, commands: ["npx toolcontract config init"] }));
  expect(planVisits(writing, options)).toHaveLength(4);
});

test("the whole plan has every combination", () => {
  const whole = planVisits(quickstarts, { nodes: [...NODES, 26], isWhole: true });
  const variants = new Set(
    whole.map(({ variant, quickstarts: [one] }) => `${one?.page} ${variant.name}`),
  );
  expect(whole.every(({ nodes }) => nodes.length === 4)).toBe(true);
  expect(whole.length).toBeGreaterThanOrEqual(2 * variants.size);
  expect(whole.filter(({ manager }) => manager === "npm")).toHaveLength(whole.length / 2);
});
