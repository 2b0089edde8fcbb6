import { afterEach, describe, expect, test } from "vitest";
import { createGate, type Gate, type LimitedCall } from "../gate/index.ts";
import { closePairs, type HttpPair, serveAdd, startPair } from "../testing/http-proxy.ts";
import { toolCall } from "../testing/messages.ts";

afterEach(closePairs);

const CALL = toolCall(1, "add", { a: 1, b: 2 });
const LONG_OTHER = { jsonrpc: "2.0", id: 1, method: "ping", params: { text: "x".repeat(2_000) } };
const LONG = { ...LONG_OTHER, method: "tools/call" };

class Bug extends Error {}
const broken = (): never => {
  throw new Bug("sk-secret-value");
};
const rejected = async (): Promise<never> => broken();

/** A gate with a fault of its own, and the faults that it has reported. */
function faultyGate(fault: (gate: Gate) => Partial<Gate>): { gate: Gate; reported: string[] } {
  const gate = createGate({ logger: () => undefined });
  const reported: string[] = [];
  gate.contract.on("contract-degraded", (fields) => reported.push(JSON.stringify(fields)));
  return { gate: { ...gate, ...fault(gate) }, reported };
}

/** Forwards everything, with limits that have a fault. */
const limitedBy = (fault: () => Partial<LimitedCall>) => (): Partial<Gate> => ({
  fromClient: () => ({
    kind: "forward",
    limited: { isOver: () => false, end: () => undefined, ...fault() },
  }),
});

/** What the client gets: a status, or that its connection was cut. */
async function outcome(answer: Promise<Response>): Promise<number | "cut"> {
  try {
    const response = await answer;
    await response.arrayBuffer();
    return response.status;
  } catch {
    return "cut";
  }
}

/** Another request, which no gate sees. */
async function otherClient({ url }: HttpPair): Promise<number> {
  return (await fetch(new URL("/other", url))).status;
}

describe("a fault of the proxy's own ends one exchange, and is reported once", () => {
  test.each<
    readonly [string, (gate: Gate) => Partial<Gate>, message: object, outcome: number | "cut"]
  >([
    ["in the decision on a call", () => ({ fromClient: broken }), CALL, 502],
    ["in a decision that takes time", () => ({ fromClient: rejected }), CALL, 502],
    ["in the decision on a long call", () => ({ passOrRefuse: broken }), LONG, 502],
    ["in the count of a long message", () => ({ passUnread: broken }), LONG_OTHER, 502],
    ["in the question who waits", () => ({ awaits: broken }), CALL, 502],
    ["in a response", () => ({ awaits: () => true, fromServer: broken }), CALL, 502],
    ["in one that takes time", () => ({ awaits: () => true, fromServer: rejected }), CALL, 502],
    ["after the response", () => ({ closed: broken }), CALL, 200],
    ["in a time limit", limitedBy(() => ({ givenUp: rejected() })), CALL, 502],
    ["at the end of the limits", limitedBy(() => ({ end: broken })), CALL, 200],
    ["in two places", () => ({ fromClient: rejected, closed: broken }), CALL, 502],
  ])("%s", async (_, fault, message, expected) => {
    const { gate, reported } = faultyGate(fault);
    const pair = await startPair(serveAdd, { gate, maxMessageBytes: 1_000 });
    expect(await outcome(pair.post(message))).toBe(expected);
    expect(await otherClient(pair)).toBe(200);
    expect(reported).toEqual([JSON.stringify({ stage: "exchange", errorClass: "Bug" })]);
  });
});

/** A server that tells when a call has arrived, and does not answer it. */
function silentServer(): { serve: Parameters<typeof startPair>[0]; called: Promise<void> } {
  let arrived = (): void => undefined;
  const called = new Promise<void>((resolve) => (arrived = resolve));
  const serve: Parameters<typeof startPair>[0] = (seen, response) => {
    if (seen.message["method"] === "tools/call") arrived();
    else serveAdd(seen, response);
  };
  return { serve, called };
}

test.each<readonly [string, (called: () => void) => Partial<Gate>]>([
  ["at the end of its limits", limitedBy(() => ({ end: broken }))],
  [
    "in the cancellation of a call that is held",
    (called) => ({
      fromClient: ({ method }) => {
        if (method !== "tools/call") return broken();
        called();
        return new Promise(() => undefined);
      },
    }),
  ],
])("a fault while a client leaves, %s", async (_, fault) => {
  const { serve, called } = silentServer();
  let hold = (): void => undefined;
  const held = new Promise<void>((resolve) => (hold = resolve));
  const { gate, reported } = faultyGate(() => fault(hold));
  const pair = await startPair(serve, { gate });
  const leaving = new AbortController();
  const call = fetch(pair.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(CALL),
    signal: leaving.signal,
  });
  await Promise.race([called, held]);
  leaving.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => reported).toHaveLength(1);
  expect(await otherClient(pair)).toBe(200);
});

test("a fault in the report itself cuts the connection", async () => {
  const { gate } = faultyGate(() => ({ fromClient: broken }));
  const settings = { ...gate.contract.settings, degraded: broken };
  const pair = await startPair(serveAdd, {
    gate: { ...gate, contract: { ...gate.contract, settings } },
  });
  expect(await outcome(pair.post(CALL))).toBe("cut");
  expect(await otherClient(pair)).toBe(200);
});
