import type { Check } from "../shared/index.ts";

/** The checks as JUnit's XML: a suite for each scenario, a case for each clause. */
export function junitXml(checks: readonly Check[]): string {
  const scenarios = [...new Set(checks.map(({ scenario }) => scenario))];
  const suites = scenarios.map((scenario) => {
    const own = checks.filter((check) => check.scenario === scenario);
    const cases = own.map((check) => caseXml(check));
    return `  <testsuite name="${escapedXml(scenario)}" ${countAttributes(own)}>\n${cases.join("\n")}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="@toolcontract/conformance" ${countAttributes(checks)}>
${suites.join("\n")}
</testsuites>
`;
}

function countAttributes(checks: readonly Check[]): string {
  const failures = checks.filter(({ passed }) => !passed).length;
  return `tests="${checks.length}" failures="${failures}"`;
}

function caseXml({ id, level, scenario, passed, message }: Check): string {
  const name = `${level} ${id.slice(scenario.length + 1)}`;
  const head = `    <testcase classname="${escapedXml(scenario)}" name="${escapedXml(name)}"`;
  if (passed) return `${head}/>`;
  return `${head}>\n      <failure message="${escapedXml(message)}"/>\n    </testcase>`;
}

function escapedXml(text: string): string {
  return (
    text
      // XML 1.0 has no way to write the other control characters.
      // oxlint-disable-next-line no-control-regex -- they are what must go
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
      .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\n", "&#10;")
  );
}
