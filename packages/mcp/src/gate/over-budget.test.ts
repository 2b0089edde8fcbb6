import { describe, expect, test } from "vitest";
import { gatedServer, serverOf, textOf } from "../testing/gated-server.ts";
import type { GateSettings } from "./options.ts";

/** Backtracks on a long string for years. */
const tagPhoto = {
  name: "tag_photo",
  inputSchema: {
    type: "object",
    properties: { photo: { type: "integer" }, tag: { type: "string", pattern: "^(a+)+$" } },
    required: ["photo", "tag"],
  },
};
const LONG_TAG = "a".repeat(50_000);

const filter = { $ref: "#/$defs/filter" };
const term = (more: string): object => ({
  type: "object",
  properties: { left: filter, [more]: { type: "integer" } },
  required: ["left", more],
});
/** Each level of a filter doubles the ways to read it. */
const sendReport = {
  name: "send_report",
  inputSchema: {
    type: "object",
    properties: { filter, to: { enum: ["me"] } },
    required: ["filter", "to"],
    $defs: { filter: { anyOf: [{ type: "integer" }, term("above"), term("below")] } },
  },
};
const filterOf = (levels: number): object => {
  let left: unknown = 1;
  for (let level = 0; level < levels; level += 1) left = { left, above: 1, below: 1 };
  return left as object;
};

/** A proxy in front of a server of these tools, and its log. */
function guarded(options: GateSettings & { readonly overBudget?: "refuse" | "accept" } = {}) {
  const entries: (readonly [fields: object, message: string])[] = [];
  const logger = (fields: object, message: string): unknown => entries.push([fields, message]);
  const server = gatedServer(serverOf([sendReport, tagPhoto]), { logger, ...options });
  const ran = (): number => server.received.filter(({ method }) => method === "tools/call").length;
  return { ...server, entries, ran };
}

describe.each<[string, GateSettings]>([
  ["in mode enforce", {}],
  ["with --no-fail-open", { failOpen: false }],
  ["with --fail-open", { failOpen: true }],
])("what costs too much to check reaches no server, %s", (_, options) => {
  test("each call is refused, counted as refused and logged", async () => {
    const server = guarded({ coalesceMs: 0, ...options });
    const args = { photo: 1, tag: LONG_TAG };
    for (let times = 1; times <= 3; times += 1)
      expect(textOf(await server.call("tag_photo", { ...args, photo: times }))).toContain(
        "(VAL-016): Too much to check",
      );
    expect(server.ran()).toBe(0);
    expect(server.gate.contract.metrics()).toMatchObject({ calls: 3, rejected: 2, blocked: 1 });
    expect(server.gate.unvalidated()).toEqual([]);
    expect(server.entries.map(([, message]) => message)).toHaveLength(3);
    expect(JSON.stringify(server.entries)).not.toContain("degraded");
  });

  test("what only looks costly is judged", async () => {
    const server = guarded(options);
    const sent = filterOf(17);
    const bad = await server.call("send_report", { filter: sent, to: "mallory" });
    expect(textOf(bad)).toContain("/to (VAL-008)");
    expect(server.ran()).toBe(0);
    await server.call("send_report", { filter: sent, to: "me" });
    expect(server.ran()).toBe(1);
  });
});

test("the host may accept it: then it is forwarded, which is said once", async () => {
  const server = guarded({ overBudget: "accept", failOpen: false });
  for (const photo of [1, 2]) await server.call("tag_photo", { photo, tag: LONG_TAG });
  expect(server.ran()).toBe(2);
  expect(server.entries).toMatchObject([
    [{ stage: "schema: pattern-too-slow" }, "Tool contract degraded"],
  ]);
});

test.each(["assist", "audit"] as const)("in mode %s the server decides", async (mode) => {
  const server = guarded({ mode });
  await server.call("tag_photo", { photo: 1, tag: LONG_TAG });
  expect(server.ran()).toBe(1);
});
