import { describe, expect, test } from "vitest";
import { toolCall } from "../testing/messages.ts";
import { createOpenRequests, type OpenRequests } from "./open-requests.ts";

const cancelled = (requestId: unknown): object => ({
  method: "notifications/cancelled",
  params: { requestId },
});

function opened(...messages: readonly object[]): OpenRequests {
  const open = createOpenRequests(() => undefined);
  for (const message of messages) open.sent(message as never);
  return open;
}

describe("a request is open", () => {
  test.each<[string, number, readonly object[]]>([
    [
      "for each id; a string is another one than a number",
      2,
      [toolCall(1, "a", {}), toolCall("1", "a", {})],
    ],
    [
      "but no notification, response or endless stream",
      0,
      [
        { method: "notifications/initialized" },
        { id: 1, result: {} },
        { id: 2, method: "subscriptions/listen" },
      ],
    ],
    [
      "unless its id cannot be written back",
      0,
      [
        { id: null, method: "ping" },
        { id: 2 ** 60, method: "ping" },
      ],
    ],
    ["until it is cancelled", 1, [toolCall(1, "a", {}), toolCall(2, "a", {}), cancelled(1)]],
    [
      "if another one is cancelled",
      1,
      [toolCall(1, "a", {}), cancelled("1"), cancelled(undefined)],
    ],
  ])("%s", (_, count, messages) => {
    expect(opened(...messages).count()).toBe(count);
  });

  test("until the server answers it, or somebody else does", () => {
    let settled = 0;
    const open = createOpenRequests(() => (settled += 1));
    for (const id of [1, 2, 3]) open.sent(toolCall(id, "a", {}) as never);
    open.heard(Buffer.from('{"result":{},"jsonrpc":"2.0","id":1}'));
    open.heard(Buffer.from('{"method":"roots/list","jsonrpc":"2.0","id":2}'));
    open.heard(Buffer.from("a banner"));
    open.settled({ id: 3 });
    open.settled({ id: 3 });
    expect(open.count()).toBe(1);
    expect(settled).toBe(2);
  });
});

test("a server that answers nothing fills no memory: of 12,000 requests, the last 10,000 are known", () => {
  const open = opened(...Array.from({ length: 12_000 }, (_, id) => toolCall(id, "a", {})));
  expect(open.count()).toBe(10_000);
  open.settled({ id: 1_999 });
  expect(open.count()).toBe(10_000);
  open.settled({ id: 2_000 });
  expect(open.count()).toBe(9_999);
});
