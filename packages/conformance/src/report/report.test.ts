import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../scenarios/index.ts";
import type { Check, Scenario } from "../shared/index.ts";
import {
  badgeSvg,
  compareWithExpected,
  junitXml,
  levelOf,
  readExpectedFailures,
  scenarioLines,
  summaryLines,
} from "./index.ts";

function check(id: string, level: Check["level"], passed = true, message = "Well."): Check {
  return { id, level, scenario: id.split("/")[0] ?? "", passed, message };
}

const CHECKS = [
  check("prose/survives", "L1"),
  check("prose/says-syntax", "L2", false, 'the answer is "<b>&\u0000\uD800"'),
  check("cut/survives", "L1"),
  check("cut/no-secret", "L3"),
];

describe("the level", () => {
  test.each([
    ["the highest of those that are whole", CHECKS, "L1"],
    ["none if L1 is not whole", [check("a/survives", "L1", false), check("a/b", "L2")], undefined],
    ["L3 if nothing is lost", CHECKS.filter(({ passed }) => passed), "L3"],
    ["none without checks", [], undefined],
  ])("is %s", (_, checks, level) => {
    expect(levelOf(checks)).toBe(level);
  });
});

describe("reports", () => {
  test("the summary counts each level and all", () => {
    expect(summaryLines(CHECKS)).toBe(
      "L1 survives: 2 of 2\nL2 tells: 0 of 1\nL3 protects: 1 of 1\n3 passed, 1 failed",
    );
  });

  test("what could not be seen is one line of a scenario", () => {
    const scenario = SCENARIOS.find(({ id }) => id === "prose") as Scenario;
    const unseen = "Not judged: the run ended. The clause: …";
    const checks = [
      check("prose/survives", "L1", false, "It ended."),
      check("prose/schema-holds", "L1", false, unseen),
      check("prose/says-syntax", "L2", false, unseen),
    ];
    expect(scenarioLines(scenario, checks).split("\n").slice(1)).toEqual([
      "       L1 survives: It ended.",
      "       Not judged: schema-holds, says-syntax.",
    ]);
  });

  test("JUnit's XML has a suite for each scenario, and nothing that XML cannot carry", () => {
    const xml = junitXml(CHECKS);
    expect(xml).toContain('<testsuites name="@toolcontract/conformance" tests="4" failures="1">');
    expect(xml).toContain('<testsuite name="prose" tests="2" failures="1">');
    expect(xml).toContain('<testcase classname="prose" name="L1 survives"/>');
    expect(xml).toContain(
      '<failure message="the answer is &quot;&lt;b&gt;&amp;\uFFFD\uFFFD&quot;"/>',
    );
  });

  test.each([
    [CHECKS, "bad tool calls: L1 survives"],
    [[check("a/survives", "L1", false)], "bad tool calls: not survived"],
  ])("the badge says the level", (checks, title) => {
    expect(badgeSvg(checks)).toContain(`<title>${title}</title>`);
  });

  test("the badge is as wide as its words", () => {
    const badge = badgeSvg(CHECKS);
    expect(badge).toContain('width="205" height="20" role="img"');
    expect(badge).toContain(
      '<path d="M112 0h90a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H112z" fill="#b7791f"/>',
    );
    expect(badge).toContain('<text x="56" y="14">bad tool calls</text>');
    expect(badge).toContain('<text x="158.5" y="14">L1 survives</text>');
  });
});

describe("expected failures", () => {
  test.each([
    ["- a/b\n- c/d", ["a/b", "c/d"]],
    ["# nothing yet", []],
    ["", []],
    ["a: b", expect.stringContaining("a list of ids")],
    ["- 1", expect.stringContaining("a list of ids")],
    ["- [", expect.stringMatching(/^.+$/)],
  ])("of %j", (text, read) => {
    expect(readExpectedFailures(text)).toEqual(read);
  });

  test("an entry that passes, or that no check has, is stale", () => {
    const list = ["prose/says-syntax", "cut/survives", "cut/renamed", "other/survives"];
    expect(compareWithExpected(CHECKS, list, (id) => id !== "other")).toEqual({
      unexpected: [],
      stale: ["cut/survives", "cut/renamed"],
    });
    expect(compareWithExpected(CHECKS, [], () => true)).toMatchObject({
      unexpected: [{ id: "prose/says-syntax" }],
      stale: [],
    });
  });
});
