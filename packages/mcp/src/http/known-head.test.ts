import { Agent, type IncomingMessage, request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { closePairs, sendJson, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";
import { createHeadOf, foundOnce } from "./known-head.ts";
import type { Header } from "./headers.ts";

afterEach(closePairs);

const FIRST = ["Host", "a", "Authorization", "Bearer one", "Content-Length", "10"];

function requestOn(
  socket: object,
  rawHeaders: readonly string[],
  headers: IncomingMessage["headers"] = {},
): IncomingMessage {
  return { rawHeaders, socket, headers } as unknown as IncomingMessage;
}

/** The headers that a connection's requests come to. */
function forwardedBy(own: readonly Header[]) {
  const headOf = createHeadOf(own, () => undefined);
  return (request: IncomingMessage, isEndpoint: boolean): readonly Header[] =>
    headOf(request).forwarded(isEndpoint);
}

test.each<readonly [what: string, next: readonly string[], isKnown: boolean]>([
  ["the same headers", [...FIRST], true],
  ["another length of the body", [...FIRST.slice(0, -1), "999"], true],
  ["another user", ["Host", "a", "Authorization", "Bearer two", "Content-Length", "10"], false],
  ["another spelling of a name", ["host", ...FIRST.slice(1)], false],
  ["another order", [...FIRST.slice(2), ...FIRST.slice(0, 2)], false],
  ["one header more", [...FIRST, "X-User", "two"], false],
  ["one header less", FIRST.slice(0, 4), false],
  ["a value where the length was", [...FIRST.slice(0, 4), "Content-Lengths", "10"], false],
])("on one connection, %s: known %s", (_, next, isKnown) => {
  const forwardedOf = forwardedBy([]);
  const socket = {};
  const first = forwardedOf(requestOn(socket, FIRST), true);
  const second = forwardedOf(requestOn(socket, next), true);
  expect(second === first).toBe(isKnown);
  const fresh = forwardedBy([])(requestOn({}, next), true);
  const withoutLength = (headers: readonly Header[]): readonly Header[] =>
    headers.filter(([name]) => name !== "Content-Length");
  expect(withoutLength(second)).toEqual(withoutLength(fresh));
});

test("own headers replace the client's at the endpoint only, whatever the connection sent before", () => {
  const forwardedOf = forwardedBy([["Authorization", "Bearer own"]]);
  const socket = {};
  const valueAt = (isEndpoint: boolean): unknown =>
    new Map(forwardedOf(requestOn(socket, FIRST), isEndpoint)).get("Authorization");
  expect([true, false, true, false].map(valueAt)).toEqual([
    "Bearer own",
    "Bearer one",
    "Bearer own",
    "Bearer one",
  ]);
});

test("a connection that was allowed is refused as soon as its Host or Origin differs", () => {
  const headOf = createHeadOf([], ({ origin }) => origin);
  const socket = {};
  const refusals = ["", "evil", ""].map((origin) => {
    const sent = origin === "" ? [] : ["Origin", origin];
    const headers = origin === "" ? {} : { origin };
    return headOf(requestOn(socket, [...FIRST, ...sent], headers)).refusal;
  });
  expect(refusals).toEqual([undefined, "evil", undefined]);
});

test("a list of headers is looked at once", () => {
  let looks = 0;
  const count = foundOnce(() => ({ look: (looks += 1) }));
  const [one, other]: readonly (readonly Header[])[] = [[["A", "1"]], [["A", "1"]]];
  expect([one, one, other, one].map((list) => count(list ?? []).look)).toEqual([1, 1, 2, 1]);
});

/** Posts on one connection that stays open, as a balancer does for all its clients. */
function onOneConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<number | undefined>();
  return {
    ports,
    close: () => agent.destroy(),
    async post(user: string, args: object): Promise<string> {
      const headers = { "content-type": "application/json", authorization: `Bearer ${user}` };
      return new Promise((resolve, reject) => {
        const sent = httpRequest(url, { agent, method: "POST", headers }, (response) => {
          ports.add(sent.socket?.localPort);
          text(response).then(resolve, reject);
        });
        sent.once("error", reject).end(JSON.stringify(toolCall(1, "order", args)));
      });
    },
  };
}

test("two users who share a connection have lists and attempts of their own", async () => {
  const pair = await startPair(({ request, message }, response) => {
    const [, user = ""] = String(request.headers.authorization).split(" ");
    const inputSchema = { type: "object", required: [user], properties: { [user]: { enum: [1] } } };
    const result =
      message["method"] === "tools/list"
        ? { tools: [{ name: "order", inputSchema }] }
        : { content: [{ type: "text", text: `ran for ${user}` }] };
    sendJson(response, { jsonrpc: "2.0", id: message["id"], result });
  });
  const connection = onOneConnection(pair.url);
  const users = ["alice", "bob"] as const;
  for (const user of [...users, ...users]) {
    expect(await connection.post(user, { [user]: 1 })).toContain(`ran for ${user}`);
  }
  const said: string[] = [];
  for (const user of ["alice", "alice", "bob", "alice", "bob", "bob"]) {
    // What is valid for the other one only.
    const other = user === "alice" ? "bob" : "alice";
    const answer = await connection.post(user, { [other]: 1 });
    expect(answer).toContain(`'${user}' is missing`);
    said.push(`${user} ${/attempt (\d)\/3/.exec(answer)?.[1]}`);
  }
  expect(said).toEqual(["alice 1", "alice 2", "bob 1", "alice 3", "bob 2", "bob 3"]);
  expect(await connection.post("alice", { alice: 1 })).toContain("ran for alice");
  expect(connection.ports.size).toBe(1);
  expect(pair.count("tools/call")).toBe(5);
  connection.close();
});
