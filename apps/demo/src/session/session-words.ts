import type { Scene } from "../scenario.ts";
import type { BareRun, LimitedRun } from "./session-runs.ts";

/** What the session did with the request of a turn, if it was more than passing it on. */
export function requestInWords(
  { result: { accounting }, offered }: LimitedRun,
  turn: number,
): string | undefined {
  const requests = accounting.filter((entry) => entry.type === "llm");
  const answered = requests.flatMap(({ status }, index) => (status === "ok" ? [index] : []));
  const failed = requests.slice((answered[turn - 1] ?? -1) + 1, answered[turn]);
  const tools = offered[turn]?.join(", ");
  const isNarrower = turn > 0 && tools !== offered[turn - 1]?.join(", ");
  const words = [
    ...failed.map(({ provider, error }) => `provider '${provider}' fails: ${error}`),
    ...(failed.length > 0 ? ["the next provider gets the same request"] : []),
    ...(isNarrower ? [`the request offers ${tools} alone`] : []),
  ];
  return words.length > 0 ? words.join("\n") : undefined;
}

/** What the application gets on both sides. */
export function resultsInWords(
  { result: { finalReport, error, accounting } }: LimitedRun,
  { text, thrown }: BareRun,
): NonNullable<Scene["results"]> {
  const failures = new Set(
    accounting
      .filter(({ status }) => status === "failed")
      .map((entry) =>
        entry.type === "llm"
          ? `provider '${entry.provider}': ${entry.error}`
          : `${entry.command}: ${entry.error}`,
      ),
  );
  const report = finalReport ? `a report: “${finalReport.content}”` : `no report: ${error}`;
  const failed = failures.size > 0 ? [`and, in the accounting, ${[...failures].join(" · ")}`] : [];
  const answer = text === "" ? "an empty answer" : `“${text}”`;
  return {
    guarded: [report, ...failed].join("\n"),
    plain: thrown === undefined ? answer : `no answer: ${thrown}`,
  };
}
