import type { MetricsSnapshot } from "@toolcontract/core";

const MAX_TOOLS = 20;

/** Calls, and how many of them the contract refused or would have. */
interface Refusals {
  readonly calls: number;
  readonly rejected: number;
  readonly blocked: number;
}

/** What enforcing has done, or would have: in lines for people, with names of tools and no values. */
export function auditSummary(counts: readonly MetricsSnapshot[], mode: string): string {
  const refused = ({ rejected, blocked }: Refusals): number => rejected + blocked;
  const total = sum(counts);
  const verb = mode === "enforce" ? "refused" : "enforcing would have refused";
  const names = [...new Set(counts.flatMap(({ byTool }) => Object.keys(byTool)))];
  const tools = names
    .map((name) => ({ name, ...sum(counts.flatMap(({ byTool }) => byTool[name] ?? [])) }))
    .filter((tool) => refused(tool) > 0)
    .toSorted((one, other) => refused(other) - refused(one));
  const more = tools.length - MAX_TOOLS;
  return [
    `toolcontract-mcp: mode ${mode}, ${total.calls} tool calls; ${verb} ${refused(total)} of them`,
    ...tools
      .slice(0, MAX_TOOLS)
      .map(
        (tool) =>
          `  ${tool.name}: ${refused(tool)} of ${tool.calls}${tool.blocked === 0 ? "" : `, ${tool.blocked} with no attempts left`}`,
      ),
    ...(more > 0 ? [`  and ${more} more tools`] : []),
    ...codeLines(counts),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

function sum(all: readonly Refusals[]): Refusals {
  return all.reduce(
    (one, other) => ({
      calls: one.calls + other.calls,
      rejected: one.rejected + other.rejected,
      blocked: one.blocked + other.blocked,
    }),
    { calls: 0, rejected: 0, blocked: 0 },
  );
}

/** How often each code was found. */
function codeLines(counts: readonly MetricsSnapshot[]): readonly string[] {
  const byCode = new Map<string, number>();
  for (const [code, found] of counts.flatMap((one) => Object.entries(one.byCode))) {
    byCode.set(code, (byCode.get(code) ?? 0) + found);
  }
  if (byCode.size === 0) return [];
  const sorted = [...byCode].toSorted((one, other) => other[1] - one[1]);
  return [`  faults: ${sorted.map(([code, found]) => `${code} ${found}`).join(", ")}`];
}
