import { expect, test } from "vitest";
import type { Page } from "./page.ts";
import type { Played, Scenario } from "./scenario.ts";
import { renderLine } from "./timeline.ts";

const page: Page = { width: 60, paint: (_, text) => text };
const scenario: Scenario = {
  name: "repeated-call",
  title: "the same invalid call again",
  story: "It is sent again.",
  script: [],
  verify: () => undefined,
};

test("a scene that holds is one line", () => {
  const played: Played = { scenario, assertions: [], failures: [] };
  expect(renderLine(played, page)).toBe("  ✓ repeated-call           the same invalid call again");
});

test("below the line of a scene that does not hold is what failed", () => {
  const failure = { claim: "it is blocked", holds: false, found: "rejected" };
  const played: Played = { scenario, assertions: [failure], failures: [failure] };
  expect(renderLine(played, page)).toBe(
    "  ✗ repeated-call           the same invalid call again\n    ✗ it is blocked: rejected",
  );
});
