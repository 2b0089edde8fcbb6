import { describe, expect, test } from "vitest";
import { evaluatedTool } from "../../testing/evaluated-tool.ts";
import { type Turn, replay } from "../engine/index.ts";
import { type PlaygroundState, decodeLink, encodeLink, withNextCall } from "../state/index.ts";
import { EXAMPLES } from "./examples.ts";

/** What each example shows first, in the compact style, and what comes of the calls while their hints are applied. */
const SHOWN: Readonly<Record<string, readonly [answer: readonly string[], statuses: string]>> = {
  "misspelt-key": [
    [
      '- /contents (VAL-005): unknown field; expected only path, content, encoding, mode; rename it to "content"',
      '- /encoding (VAL-008): "uft8"; expected one of "utf-8", "ascii", "utf-16"; use "utf-8"',
      '- /mode (VAL-002): "420"; expected integer from 0 to 511; send 420 without quotes',
      '- /pth (VAL-005): unknown field; expected only path, content, encoding, mode; rename it to "path"',
    ],
    "rejected, ran",
  ],
  "union-tag": [
    [
      '- /channel/adress (VAL-005): unknown field; expected only type, address, cc; rename it to "address"',
      '- /channel/cc (VAL-002): "bo@example.com"; expected array of email string such as "ana@example.com"; put it in an array',
      '- /channel/type (VAL-008): "e-mail"; expected one of "email", "sms", "webhook"; use "email"',
    ],
    "rejected, ran",
  ],
  "cut-output": [
    [
      "- (arguments) (VAL-011): Arguments were cut off after 66 characters; expected complete JSON; send the JSON to its end, or less in one call if your output was cut",
    ],
    "rejected",
  ],
  secret: [
    [
      '- /database (VAL-008): "postgres://deploy:[redacted]@db.internal/staging"; expected one of "staging", "production"',
      '- /replicas (VAL-002): "3"; expected integer from 1 to 20; send 3 without quotes',
      "- /token (VAL-002): [redacted]; expected string",
    ],
    "rejected, rejected",
  ],
  "json-in-string": [["(what the tool returns)"], "ran"],
  "fenced-json": [["(what the tool returns)"], "ran"],
  "broken-json": [
    [
      '- (arguments) (VAL-004): Invalid JSON at position 9 (line 1, column 10): {"path": >>>notes.md, \\u0022conte...; expected one JSON object; write each value as JSON: a string in double quotes, a number, true, false, null, an object or an array',
    ],
    "rejected, ran",
  ],
  escalation: [
    [
      '- /date (VAL-010): "this Friday"; expected date string such as "2026-01-31"',
      '- /guests (VAL-002): "a few"; expected integer from 1 to 12',
      "Attempt 1: Invalid format for 'date'; Pattern mismatch on 'time'",
      "Attempt 2: Invalid format for 'date'; Pattern mismatch on 'time'",
    ],
    "escalated",
  ],
  "zod-refine": [
    [
      '- /degrees (VAL-002): "72"; expected number; send 72 without quotes',
      '- /room (VAL-008): "Kitchen"; expected one of "kitchen", "bedroom", "office"; use "kitchen"',
    ],
    "rejected, rejected",
  ],
  notion: [
    [
      '- /type (VAL-008): "update-content"; expected one of "replace_content", "update_content", "insert_content", "replace_content_range"; use "update_content"',
      '- /update_content/content_updates (VAL-002): {"old_str": "Draft", "new_str": "Final", "replace_all_matches": "yes"}; expected array of object with old_str, new_str; put it in an array',
    ],
    "rejected, rejected, ran",
  ],
};

async function lastTurn(state: PlaygroundState): Promise<Turn | undefined> {
  const { faults, turns } = await replay(state, ...evaluatedTool(state.tool));
  expect(faults).toEqual([]);
  return turns.at(-1);
}

/** What comes of a call, and of each that follows from the hints of the answer to it. */
async function statusesOf(state: PlaygroundState): Promise<readonly string[]> {
  const turn = await lastTurn(state);
  if (turn?.corrected === undefined) return [turn?.status ?? "none"];
  return [turn.status, ...(await statusesOf(withNextCall(state, turn.corrected)))];
}

test("every example is in the table, once", () => {
  expect(EXAMPLES.map(({ id }) => id)).toEqual(Object.keys(SHOWN));
});

describe.each(EXAMPLES)("$title", ({ id, title, sentence, load }) => {
  const [answer, statuses] = SHOWN[id] ?? [];

  test("is answered as the table says", async () => {
    const turn = await lastTurn(await load());
    const lines = turn?.styles.compact.split("\n") ?? [];
    // Without the header and the closing line.
    expect(lines.length === 1 ? lines : lines.slice(1, -1)).toEqual(answer);
  });

  test("goes as far as its hints lead", async () => {
    expect((await statusesOf(await load())).join(", ")).toBe(statuses);
  });

  test("is its own link", async () => {
    const state = await load();
    expect(await encodeLink(state, { id, state: await load() })).toEqual({
      fragment: `example=${id}`,
    });
    const link = await encodeLink(state);
    expect("fragment" in link && (await decodeLink(link.fragment))).toEqual({ state });
  });

  test("has a title and a sentence, without the names of the page's controls", () => {
    expect(title).toMatch(/^[A-Z].*\w$/);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(title + sentence).not.toMatch(/tool|call|send again|apply hints|copy link/i);
  });
});

test("the call that stays invalid escalates with its history", async () => {
  const { load } = EXAMPLES.find(({ id }) => id === "escalation") ?? {};
  const { turns } = await replay((await load?.()) as PlaygroundState);
  expect(turns.map(({ status }) => status)).toEqual(["rejected", "rejected", "escalated"]);
  expect(turns[2]?.escalation).toContain("Attempt 3: ");
});

test("the secret is nowhere in what is shown, but in the call", async () => {
  const { load } = EXAMPLES.find(({ id }) => id === "secret") ?? {};
  const [turn] = (await replay((await load?.()) as PlaygroundState)).turns;
  const { sent: _sent, corrected: _corrected, ...shown } = turn ?? {};
  expect(JSON.stringify(shown)).not.toMatch(/aB3dE5|hunter2/);
});
