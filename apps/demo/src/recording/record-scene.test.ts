import { FORMAT_VERSION, type Handled } from "@toolcontract/core";
import { expect, test } from "vitest";
import type { CallRecord, Played, Scenario, Scene, TurnRecord } from "../scenario.ts";
import { recordScene } from "./record-scene.ts";
import { compareRecording } from "./recording-file.ts";

const scenario: Scenario = {
  name: "a-scene",
  title: "A scene",
  story: "It goes wrong.",
  script: [],
  verify: () => undefined,
};

function handledAs(status: "executed" | "rejected" | "blocked", content: string): Handled {
  const head = { formatVersion: FORMAT_VERSION, toolCallId: "c1", toolName: "read" };
  const escalation = { summary: "Please intervene.", outcome: { status: "error" } };
  return { status, attempt: 1, result: { ...head, content, status }, escalation } as never;
}

function call(handled: Handled, without?: string): CallRecord {
  return {
    call: { id: "c1", name: "read", arguments: '{"path":"a"}' },
    handled,
    repaired: false,
    tokens: 7,
    compactTokens: 5,
    without: without === undefined ? [] : [{ loop: "plain", text: without, tokens: 3, ran: true }],
  };
}

function turn(calls: readonly CallRecord[], rest: Partial<TurnRecord> = {}): TurnRecord {
  return { message: { calls: [], lessons: [] }, calls, ...rest };
}

function played(turns: readonly TurnRecord[], rest: Partial<Scene> = {}): Played {
  return { scenario, scene: { turns, ...rest } as Scene, assertions: [], failures: [] };
}

const sent = { kind: "sends", text: 'read {"path":"a"}' };
const text = "A line\n".repeat(6);

test("both sides of a call are recorded, the contract's message whole and a tool's result cut", () => {
  const { turns } = recordScene(played([turn([call(handledAs("rejected", text), text)])]));
  expect(turns).toEqual([
    {
      today: [sent, { kind: "ran", text: `${"A line\n".repeat(4)}… 2 more lines`, tokens: 3 }],
      contract: [sent, { kind: "contract", text, tokens: 7 }],
    },
  ]);
});

test("what a session does with a request comes first, and what a limit answers is its own", () => {
  const limited = {
    ...call(handledAs("executed", "(tool failed: timeout)"), "ok"),
    isLimited: true,
  };
  const { turns } = recordScene(played([turn([limited], { request: "it is sent again" })]));
  expect(turns[0]?.contract).toEqual([
    { kind: "request", text: "it is sent again" },
    sent,
    { kind: "session", text: "(tool failed: timeout)", tokens: 7 },
  ]);
});

test("a blocked call is followed by what a person and the application get", () => {
  const blocked = { ...call(handledAs("blocked", "Stop."), "ok"), state: "before: 1" };
  const { turns } = recordScene(played([turn([blocked])]));
  expect(turns[0]?.contract.slice(1)).toEqual([
    { kind: "contract", text: "Stop.", tokens: 7 },
    { kind: "state", text: "before: 1" },
    { kind: "person", text: "Please intervene." },
    { kind: "outcome", text: '{\n  "status": "error"\n}' },
  ]);
});

test("a run that ended early ends beside the first turn that it does not have", () => {
  const ok = handledAs("executed", "ok");
  const results = { plain: "no answer", guarded: "a report" };
  const scene = played([turn([call(ok, "ok")]), turn([call(ok)]), turn([call(ok)])], { results });
  expect(recordScene(scene).turns.map(({ today }) => today.map(({ kind }) => kind))).toEqual([
    ["sends", "ran"],
    ["result"],
    [],
  ]);
  expect(recordScene(scene).turns.at(-1)?.contract.at(-1)).toEqual({
    kind: "result",
    text: "a report",
  });
});

test("a scene of which the recording is another one fails", () => {
  const now = played([turn([call(handledAs("executed", "ok"), "ok")])]);
  const before = played([turn([call(handledAs("executed", "not ok"), "ok")])]);
  expect(compareRecording(now, [recordScene(now)]).failures).toEqual([]);
  const found = "record it again: npx -y pnpm@12 demo --record";
  for (const recorded of [[], [recordScene(before)]]) {
    expect(compareRecording(now, recorded).failures).toEqual([
      { claim: "the playground shows what happened", holds: false, found },
    ]);
  }
});
