import { expect, test } from "vitest";
import { scriptedWorkers } from "../../testing/scripted-worker.ts";
import type { PeerAnswer, PeerRequest } from "./peer-answer.ts";
import { createPeersClient } from "./peers-client.ts";

const request: PeerRequest = { tool: { name: "do_it", schema: { type: "object" } }, text: "{}" };

function answersWith(text: string): readonly PeerAnswer[] {
  return [{ peer: "AI SDK", how: "", declared: "zod", outcome: "answered", text }];
}

function scripted() {
  const { workers, start } = scriptedWorkers();
  return { client: createPeersClient(start), workers };
}

test("one worker answers one request after another", async () => {
  const { client, workers } = scripted();
  const first = client.ask(request);
  workers[0]?.answer(answersWith("one"));
  await expect(first).resolves.toEqual(answersWith("one"));
  const second = client.ask(request);
  workers[0]?.answer(answersWith("two"));
  await expect(second).resolves.toEqual(answersWith("two"));
  expect(workers[0]?.requests).toEqual([request, request]);
});

test("stop aborts the request and ends the worker, busy or idle", async () => {
  const { client, workers } = scripted();
  const stopped = client.ask(request);
  client.stop();
  await expect(stopped).rejects.toHaveProperty("name", "AbortError");
  const next = client.ask(request);
  workers[1]?.answer(answersWith("new"));
  await expect(next).resolves.toEqual(answersWith("new"));
  client.stop();
  expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true]);
});

test("a request aborts the one before it", async () => {
  const { client, workers } = scripted();
  const first = client.ask(request);
  const second = client.ask(request);
  await expect(first).rejects.toHaveProperty("name", "AbortError");
  workers[1]?.answer(answersWith("two"));
  await expect(second).resolves.toEqual(answersWith("two"));
});

test("a worker that fails rejects its request with the reason", async () => {
  const { client, workers } = scripted();
  const failed = client.ask(request);
  workers[0]?.fail("out of memory");
  await expect(failed).rejects.toThrow("The frameworks could not be asked: out of memory");
});

test("what is not an answer of the frameworks is not drawn", async () => {
  const { client, workers } = scripted();
  const forged = client.ask(request);
  workers[0]?.answer([{ ...answersWith("one")[0], text: { __v_isVNode: true, type: "img" } }]);
  await expect(forged).rejects.toThrow("The frameworks could not be asked: their answer");
  expect(workers[0]?.isTerminated).toBe(true);
});
